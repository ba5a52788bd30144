/** How long things may take, in ms, and how many there may be. */
export interface EgressLimits {
  /** one look-up of a name */
  readonly resolveMs: number;
  /** one connection to one address */
  readonly connectMs: number;
  readonly tlsMs: number;
  /** from the last byte of the request to the head of the answer */
  readonly headMs: number;
  /** how long an unused connection is kept */
  readonly idleMs: number;
  /** how long a request waits for a connection when a host has its most */
  readonly queueMs: number;
  /** connections of one tenant to one host */
  readonly perHost: number;
  /** connections in all, tunnels included */
  readonly total: number;
  /** requests of one tenant that wait for a connection to one host */
  readonly queued: number;
  /** streams that one HTTP/2 connection carries, if the host allows as many */
  readonly streams: number;
}

/**
 * There is no limit on the time between two pieces of an answer: a watch or an event stream may be silent for an
 * hour. TCP keep-alive notices a host that is gone, and the agent's own disconnect ends the rest.
 */
export const EGRESS_LIMITS: EgressLimits = {
  resolveMs: 10_000,
  connectMs: 10_000,
  tlsMs: 10_000,
  headMs: 300_000,
  idleMs: 30_000,
  queueMs: 30_000,
  perHost: 64,
  total: 1_024,
  queued: 1_024,
  streams: 100,
};
