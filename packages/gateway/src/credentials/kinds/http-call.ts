import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { SallyportError } from '@sallyport/protocol';
import { z } from 'zod';

const MOST_BYTES = 1_048_576;

/** A call of the gateway itself to whoever keeps or mints secrets. */
export interface JsonCall<Answer> {
  /** for the error: `reading from Vault` */
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** sent as JSON */
  readonly json?: unknown;
  /** sent as a form, in place of `json` */
  readonly form?: Readonly<Record<string, string>>;
  readonly schema: z.ZodType<Answer>;
  /** further certificate authorities, PEM */
  readonly ca?: string;
  readonly signal: AbortSignal;
}

/**
 * Calls and reads a JSON answer of at most 1 MiB. Follows no redirect, so that no secret goes where it was not meant.
 *
 * Rejects with `SecretUnreadable`, whose `details.status` is the HTTP status when there was one.
 *
 * SECURITY: an error quotes nothing of the answer: it may repeat the secret that was sent.
 */
export async function callJson<Answer>(call: JsonCall<Answer>): Promise<Answer> {
  const response = await send(call);
  const text = await readBounded(response, call.what);
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) {
    throw new SallyportError('SecretUnreadable', {
      message: `${call.what} was answered with status ${status}`,
      details: { status },
    });
  }
  let value: unknown;
  try {
    value = text === '' ? undefined : JSON.parse(text);
  } catch {
    throw failed(call.what, 'was answered with something that is not JSON');
  }
  const parsed = call.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw failed(call.what, 'was answered with something else than was asked for');
}

function send<Answer>(call: JsonCall<Answer>): Promise<IncomingMessage> {
  const url = new URL(call.url);
  const body =
    call.form === undefined
      ? call.json === undefined
        ? undefined
        : JSON.stringify(call.json)
      : new URLSearchParams({ ...call.form }).toString();
  const type = call.form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: call.method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
        ...call.headers,
      },
      agent: false,
      signal: call.signal,
      ...(call.ca === undefined ? {} : { ca: call.ca }),
    });
    outgoing.on('response', resolve);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      reject(
        failed(call.what, call.signal.aborted ? 'was interrupted' : `failed (${error.code ?? 'no answer'})`),
      );
    });
    outgoing.end(body);
  });
}

async function readBounded(response: IncomingMessage, what: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      // a stream without encoding yields buffers
      const buffer = chunk as Buffer;
      bytes += buffer.length;
      if (bytes > MOST_BYTES) break;
      chunks.push(buffer);
    }
  } catch {
    throw failed(what, 'broke off');
  }
  if (bytes > MOST_BYTES) throw failed(what, 'was answered with more than 1 MiB');
  return Buffer.concat(chunks).toString('utf8');
}

function failed(what: string, how: string): SallyportError {
  return new SallyportError('SecretUnreadable', { message: `${what} ${how}` });
}

/** What an OAuth token endpoint answers, as far as it is used. */
export const TokenAnswerSchema = z.object({
  access_token: z.string().min(1).max(16_384),
  /** absent: the one before stays valid */
  refresh_token: z.string().min(1).max(16_384).optional(),
  id_token: z.string().max(65_536).optional(),
  /** seconds */
  expires_in: z.number().positive().max(315_360_000).optional(),
});
export type TokenAnswer = z.infer<typeof TokenAnswerSchema>;
