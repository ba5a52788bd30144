/** What the real service would answer in place of the result. */
export class AwsRefusal extends Error {
  readonly status: number;
  readonly code: string;
  /** further elements of the error document */
  readonly details: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}
