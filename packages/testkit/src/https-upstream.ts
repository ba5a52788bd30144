import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { closeServer, listenOnFreePort } from './http-server.ts';
import type { TestCa } from './test-ca.ts';

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A local HTTPS server that remembers what it was asked. */
export interface HttpsUpstream extends AsyncDisposable {
  readonly port: number;
  /** `https://localhost:PORT` */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  close(): Promise<void>;
}

/** Answers 200 `{"ok":true}` unless `handler` answers; the request is recorded, body included, before either. */
export async function startHttpsUpstream(options: {
  readonly ca: TestCa;
  readonly names?: readonly string[];
  readonly handler?: RequestListener;
  /** loopback address that it listens on; `localhost` when absent */
  readonly host?: string;
}): Promise<HttpsUpstream> {
  const requests: RecordedRequest[] = [];
  const material = await options.ca.issue(options.names ?? [options.host ?? 'localhost', '127.0.0.1']);
  const server = createServer(material, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    if (options.handler !== undefined) return options.handler(request, response);
    response.setHeader('content-type', 'application/json');
    response.end('{"ok":true}');
  });
  const port = await listenOnFreePort(server, options.host);
  const close = (): Promise<void> => closeServer(server);
  return {
    port,
    url: `https://${options.host ?? 'localhost'}:${port}`,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}
