/** Every way in which a message is refused: stable words for events and answers. */
export type BadMessageReason =
  // request line
  | 'empty-request-line'
  | 'malformed-request-line'
  | 'malformed-method'
  | 'malformed-target'
  | 'target-too-long'
  | 'non-ascii-target'
  | 'fragment-in-target'
  | 'userinfo-in-target'
  | 'origin-form-on-proxy'
  | 'authority-form-without-connect'
  | 'asterisk-form-without-options'
  | 'unsupported-scheme'
  | 'unsupported-version'
  // status line
  | 'malformed-status-line'
  | 'unsupported-status'
  | 'unexpected-switch'
  | 'too-many-informational'
  // fields
  | 'bare-cr'
  | 'bare-lf'
  | 'nul-byte'
  | 'control-byte'
  | 'obs-fold'
  | 'no-colon'
  | 'space-before-colon'
  | 'malformed-field-name'
  | 'tab-in-framing-field'
  | 'too-many-fields'
  | 'head-too-large'
  // Host
  | 'no-host'
  | 'empty-host'
  | 'second-host'
  | 'malformed-host'
  | 'host-mismatch'
  // framing
  | 'length-and-encoding'
  | 'second-length'
  | 'malformed-length'
  | 'second-encoding'
  | 'unsupported-encoding'
  | 'encoding-on-1.0'
  | 'body-not-allowed'
  | 'malformed-chunk-size'
  | 'chunk-size-too-large'
  | 'malformed-chunk-extension'
  | 'chunk-extension-too-long'
  | 'malformed-chunk-end'
  | 'forbidden-trailer'
  | 'truncated'
  // what else a message may ask for
  | 'h2c-upgrade'
  | 'unsupported-upgrade'
  | 'upgrade-with-body'
  | 'unknown-expectation'
  // what we would have written ourselves
  | 'unwritable';

const STATUS: Partial<Record<BadMessageReason, number>> = {
  'target-too-long': 414,
  'unknown-expectation': 417,
  'too-many-fields': 431,
  'head-too-large': 431,
  'unsupported-version': 505,
};

/**
 * A message that two readers could understand in two ways, or that is larger than we read. Nothing of it is
 * forwarded, and its connection is not read any further.
 */
export class BadMessage extends Error {
  override readonly name = 'BadMessage';
  readonly reason: BadMessageReason;

  constructor(reason: BadMessageReason) {
    super(`the message is not plain HTTP/1.1: ${reason}`);
    this.reason = reason;
  }

  /** what a client is answered */
  get status(): number {
    return STATUS[this.reason] ?? 400;
  }
}
