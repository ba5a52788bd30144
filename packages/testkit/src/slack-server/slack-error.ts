/** A refusal as the Web API words it: status 200, `ok: false` and a short code; only rate limits have a status. */
export class SlackError extends Error {
  readonly messages: readonly string[];
  readonly retryAfter: number | undefined;

  constructor(code: string, messages: readonly string[] = [], retryAfter?: number) {
    super(code);
    this.messages = messages;
    this.retryAfter = retryAfter;
  }
}

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
