import { ERRORS, type ErrorBody, type ErrorCode, SallyportError } from '@sallyport/protocol';

/** One call of the API, as the gateway's own errors describe its failure. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The part of `fetch` that the client needs; tests and other runtimes may bring their own. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Sends a call and parses the answer.
 *
 * Rejects with `SallyportError` only: the gateway's own code where it answered, `GatewayNotRunning` where
 * nothing answered, `Internal` where the answer is not one of ours.
 */
export async function send(fetch: Fetch, baseUrl: string, call: Call): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(new URL(call.path, baseUrl).href, {
      method: call.method,
      headers: {
        ...call.headers,
        accept: 'application/json',
        ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      // SECURITY: the gateway never redirects; following one could carry the token elsewhere.
      redirect: 'error',
    });
  } catch (cause) {
    if (call.signal?.aborted) throw cause;
    throw new SallyportError('GatewayNotRunning', { message: `no gateway answers at ${baseUrl}`, cause });
  }
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : parseJson(text, baseUrl);
  throw toError(parseJson(text, baseUrl), response.status);
}

function parseJson(text: string, baseUrl: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SallyportError('Internal', {
      message: `${baseUrl} answered with something that is not JSON`,
      hint: 'check that the address is the one of a Sallyport gateway',
      cause,
    });
  }
}

/** The gateway's error, as an error of ours. A code of a newer gateway becomes `Internal`, with its message kept. */
export function toError(body: unknown, status: number): SallyportError {
  const error = (body as Partial<ErrorBody> | null)?.error;
  if (error === undefined)
    return new SallyportError('Internal', { message: `the gateway answered ${status}` });
  return new SallyportError(isErrorCode(error.code) ? error.code : 'Internal', {
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.details === undefined ? {} : { details: error.details }),
  });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
