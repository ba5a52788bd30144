import { ERRORS, type ErrorCode } from './error-catalogue.ts';

export interface SallyportErrorOptions {
  /** what happened this time: one line, lower case, no final period, user input in backticks, never a secret */
  readonly message?: string;
  /** what to do about it */
  readonly hint?: string;
  /** safe to show to whoever gets the error */
  readonly details?: Readonly<Record<string, unknown>>;
  /** for the operator's log; never crosses a wire */
  readonly cause?: unknown;
}

/**
 * The one error class that crosses a package boundary.
 *
 * Callers branch on `code`, never on `message` or on subclasses.
 */
export class SallyportError extends Error {
  override readonly name = 'SallyportError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, options: SallyportErrorOptions = {}) {
    super(
      options.message ?? ERRORS[code].message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.hint = options.hint ?? ERRORS[code].hint;
    this.details = options.details;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** What a peer may see: the shape fixed for every API. `cause` and the stack stay here. */
  toBody(): ErrorBody {
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(this.hint === undefined ? {} : { hint: this.hint }),
        ...(this.details === undefined ? {} : { details: this.details }),
      },
    };
  }
}

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}
