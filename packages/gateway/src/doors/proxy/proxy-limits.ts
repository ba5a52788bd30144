/** How long things may take, in ms, and how many there may be. */
export interface ProxyLimits {
  /** from the first byte of a head, or of a TLS handshake, to its end */
  readonly headMs: number;
  /** between two requests, or two pieces of a body; never while people are asked */
  readonly idleMs: number;
  /** how long a connection that is closed after an answer may go on sending, so that the answer arrives */
  readonly lingerMs: number;
  /** how long the beginning of a body of unknown size may pause before the request is judged on what is there */
  readonly previewPauseMs: number;
  readonly connections: number;
  readonly connectionsPerSession: number;
  /** requests of one session under way at once, over all of its connections */
  readonly requestsPerSession: number;
  /** HTTP/2 streams at once on one connection */
  readonly streams: number;
  /** streams that a client may reset at once, and then per second */
  readonly resetBurst: number;
  readonly resetRate: number;
}

export const PROXY_LIMITS: ProxyLimits = {
  headMs: 10_000,
  idleMs: 300_000,
  lingerMs: 2_000,
  previewPauseMs: 200,
  connections: 10_000,
  connectionsPerSession: 1_000,
  requestsPerSession: 1_000,
  streams: 100,
  resetBurst: 200,
  resetRate: 33,
};
