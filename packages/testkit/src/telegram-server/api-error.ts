/** A refusal as the Bot API words it. */
export class ApiError extends Error {
  readonly code: number;
  readonly retryAfter: number | undefined;

  constructor(code: number, description: string, retryAfter?: number) {
    super(description);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export function badRequest(description: string): ApiError {
  return new ApiError(400, `Bad Request: ${description}`);
}
