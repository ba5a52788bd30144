import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** The server behind every proxy: 1 KiB for most requests, 10 MB for `/large`. Started with `fork`. */
export interface UpstreamOrder {
  readonly cert: string;
  readonly key: string;
}

const small = Buffer.alloc(1024, 'x');
// Letters as they come in real files: no run of one byte that a search could skip.
const large = Buffer.from(
  Array.from({ length: 10_000_000 }, (_, index) => 32 + ((index * 2_654_435_761) % 94)),
);

process.once('message', ({ cert, key }: UpstreamOrder) => {
  const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
    request.resume();
    request.on('end', () => {
      const body = request.url === '/large' ? large : small;
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit(0));
