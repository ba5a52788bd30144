/** A failure on this side of the wall; callers branch on `code`. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
  readonly code: WorkerErrorCode;

  constructor(code: WorkerErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export type WorkerErrorCode =
  /** nobody listens at the gateway's address, or the connection broke: whether the call ran is not known */
  | 'GatewayUnreachable'
  /** the answer is not signed by the gateway, or answers something else: it is not believed */
  | 'AnswerNotTrusted'
  /** the gateway does not know this worker, or does not want it any more */
  | 'AttestationRefused'
  /** what this worker was started with is not usable */
  | 'BadStart';
