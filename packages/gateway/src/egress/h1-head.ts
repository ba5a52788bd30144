import { SallyportError } from '@sallyport/protocol';
import type { Destination, OutgoingRequest } from '../shared/http-message.ts';
import { BadMessage, lowerFieldName, type WrittenFraming, writeRequestHead } from '../shared/http1/index.ts';

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** How the body is framed. SECURITY: said once, by us, from what is sent. */
export function framingOf(request: OutgoingRequest): WrittenFraming {
  if (request.isStreamed) {
    return request.streamedBytes === undefined ? 'chunked' : { bytes: request.streamedBytes };
  }
  const bytes = request.body?.length ?? 0;
  return bytes > 0 || WITH_BODY.has(request.method) ? { bytes } : 'given';
}

/** The head of a request, as latin1 text. Throws `BadRequest` for what two readers could understand in two ways. */
export function headOf(
  request: OutgoingRequest,
  host: string,
  body: WrittenFraming,
  upgrade?: string,
): string {
  const { method, target, headers } = request;
  for (const [name] of headers) {
    // SECURITY: a second Host, or a length that is not the body's, makes another message of it.
    if ((name.length === 4 || name.length === 14) && isOurs(lowerFieldName(name))) throw unwritable();
  }
  try {
    return writeRequestHead(
      upgrade === undefined
        ? { method, target, host, headers, body }
        : { method, target, host, headers, body, upgrade },
    );
  } catch (error) {
    throw error instanceof BadMessage ? unwritable(error) : error;
  }
}

function isOurs(lower: string): boolean {
  return lower === 'host' || lower === 'content-length';
}

/** The request cannot be sent. */
export function unwritable(cause?: Error): SallyportError {
  return new SallyportError('BadRequest', {
    message: 'the request has a line, header or trailer that cannot be sent without doubt about its meaning',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The value of the Host field: no port where it is the usual one, brackets around IPv6. */
export function hostField({ scheme, host, port }: Destination): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === (scheme === 'https' ? 443 : 80) ? name : `${name}:${port}`;
}
