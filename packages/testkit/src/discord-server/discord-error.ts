/** A refusal as the REST API words it: a status, a number and a sentence. */
export class DiscordError extends Error {
  readonly status: number;
  readonly code: number;
  /** seconds */
  readonly retryAfter: number | undefined;

  constructor(status: number, code: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export function invalidForm(why: string): DiscordError {
  return new DiscordError(400, 50_035, `Invalid Form Body: ${why}`);
}

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
