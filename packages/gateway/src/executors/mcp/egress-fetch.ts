import type { Egress } from '../../egress/index.ts';
import { parseHost } from '../../shared/host.ts';
import type { Header, OutgoingExchange, OutgoingRequest } from '../../shared/http-message.ts';
import { EventMeter } from './message-size.ts';

export interface EgressFetchParts {
  readonly egress: Pick<Egress, 'exchange'>;
  readonly tenant: string;
  /** longest answer, or longest event of a stream, in bytes */
  readonly messageBytes: number;
  /** more came than that; the answer is cut off */
  readonly onTooLarge: () => void;
}

/** As much of `fetch` as the SDK's transport uses. */
export type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const NOT_SENT = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']);

/**
 * `fetch` over the gateway's own way out: names are looked up once, every address is checked, TLS is verified, and a
 * redirect is an answer like any other.
 */
export function createEgressFetch(parts: EgressFetchParts): McpFetch {
  return async (url, init = {}) => {
    const request = requestOf(new URL(url), init, parts.tenant);
    return new Promise((resolve, reject) => exchange(parts, request, init.signal ?? NEVER, resolve, reject));
  };
}

const NEVER = new AbortController().signal;

function exchange(
  { egress, messageBytes, onTooLarge }: EgressFetchParts,
  request: OutgoingRequest,
  signal: AbortSignal,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void,
): void {
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  let meter: EventMeter | undefined;
  let isOver = false;
  const fail = (error: unknown): void => {
    if (isOver) return;
    isOver = true;
    if (body === undefined) reject(error);
    else body.error(error);
  };
  const going: OutgoingExchange = egress.exchange(
    request,
    {
      onInformational: () => undefined,
      onHead({ status, headers }) {
        const given = new Headers();
        for (const [name, value] of headers) given.append(name, value);
        const isStream = given.get('content-type')?.startsWith('text/event-stream') === true;
        meter = new EventMeter(messageBytes, isStream);
        const stream = new ReadableStream<Uint8Array>({
          start(controller) {
            body = controller;
          },
          pull: () => going.resume(),
          cancel() {
            isOver = true;
            going.abort();
          },
        });
        const isEmpty = status === 204 || status === 205 || status === 304;
        resolve(new Response(isEmpty ? null : stream, { status, headers: given }));
      },
      onBody(chunk) {
        if (isOver || body === undefined) return true;
        if (meter?.take(chunk) === false) {
          going.abort();
          fail(new Error('it sent a message that is too large'));
          onTooLarge();
          return true;
        }
        body.enqueue(new Uint8Array(chunk));
        return (body.desiredSize ?? 0) > 0;
      },
      onEnd() {
        if (!isOver) body?.close();
        isOver = true;
      },
      onError: fail,
      onDrain: () => undefined,
    },
    { signal, preferH2: true },
  );
}

function requestOf(url: URL, init: RequestInit, tenant: string): OutgoingRequest {
  const isTls = url.protocol === 'https:';
  const headers: Header[] = [['accept-encoding', 'identity']];
  for (const [name, value] of new Headers(init.headers)) if (!NOT_SENT.has(name)) headers.push([name, value]);
  const host = parseHost(url.hostname);
  // The schema took the URL, and the SDK follows no redirect to another origin.
  if (host === undefined) throw new TypeError('a URL without a host');
  return {
    tenant,
    scheme: isTls ? 'https' : 'http',
    host: host.text,
    port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
    method: init.method ?? 'GET',
    target: url.pathname + url.search,
    headers,
    // The SDK sends JSON text, and nothing else.
    ...(typeof init.body === 'string' ? { body: Buffer.from(init.body) } : {}),
    isStreamed: false,
  };
}
