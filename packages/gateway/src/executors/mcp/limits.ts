/** What one server may take up. Tests narrow these; the config does not. */
export interface McpLimits {
  /** from the start of a connection to its `initialize` result, in ms */
  readonly startMs: number;
  /** for an answer to a health check, in ms */
  readonly healthMs: number;
  /** one message of a server, in bytes; a longer one ends the connection */
  readonly messageBytes: number;
  /** one result, in characters of its texts; a longer one is refused */
  readonly resultChars: number;
  /** what a server may write to stdout in one window that is no JSON-RPC, in bytes */
  readonly junkBytes: number;
  /** messages that nobody asked for in one window */
  readonly unaskedMessages: number;
  /** length of such a window, in ms */
  readonly windowMs: number;
  /** stderr that goes to the log in one window, in bytes; the rest is dropped */
  readonly stderrBytes: number;
  /** connections of clients to one server at once */
  readonly peers: number;
  /** between two looks at the tools of a server that says that they have changed, in ms */
  readonly lookGapMs: number;
  /** tools of one server */
  readonly tools: number;
  /** first pause before a restart, in ms; doubled with each failure */
  readonly backoffMs: number;
  /** longest pause before a restart, in ms */
  readonly longestBackoffMs: number;
  /** failures in a row after which a server counts as `Failed`; it is tried again all the same */
  readonly failures: number;
  /** a server that ran for so long begins a new row of failures, in ms */
  readonly steadyMs: number;
  /** for a process to end by itself once its stdin is closed, and again after SIGTERM, in ms */
  readonly graceMs: number;
}

export const MCP_LIMITS: McpLimits = {
  startMs: 30_000,
  healthMs: 30_000,
  messageBytes: 16 * 1024 ** 2,
  resultChars: 4 * 1024 ** 2,
  junkBytes: 1024 ** 2,
  unaskedMessages: 20_000,
  windowMs: 10_000,
  stderrBytes: 64 * 1024,
  peers: 32,
  lookGapMs: 1_000,
  tools: 1_000,
  backoffMs: 500,
  longestBackoffMs: 60_000,
  failures: 5,
  steadyMs: 60_000,
  graceMs: 2_000,
};

/** Counts within windows of a fixed length. */
export class FloodGuard {
  readonly #most: number;
  readonly #windowMs: number;
  #since = performance.now();
  #count = 0;

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** False when it is too much for this window. */
  take(amount: number): boolean {
    this.#count += amount;
    if (this.#count <= this.#most) return true;
    const now = performance.now();
    if (now - this.#since < this.#windowMs) return false;
    this.#since = now;
    this.#count = amount;
    return amount <= this.#most;
  }
}
