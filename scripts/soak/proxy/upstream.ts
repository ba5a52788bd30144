import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '@sallyport/testkit';
import { Ledger } from './ledger.ts';

export interface SoakUpstream {
  readonly port: number;
  /** how often each request arrived whole */
  readonly arrived: Ledger;
  /** Ends every connection that is idle or not. */
  hangUp(): void;
  close(): Promise<void>;
}

const SMALL = Buffer.alloc(1_024, 'x');
const LARGE = Buffer.alloc(262_144, 'x');

/** Answers `/r/NUMBER` with 1 KiB, each twentieth with 256 KiB. */
export async function startSoakUpstream(certificate: Certificate): Promise<SoakUpstream> {
  const arrived = new Ledger();
  const server = createServer({ ...certificate, keepAliveTimeout: 600_000 }, (request, response) => {
    request.resume();
    request.on('end', () => {
      const number = Number(request.url?.slice('/r/'.length));
      arrived.add(number);
      const body = number % 20 === 0 ? LARGE : SMALL;
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length }).end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // `as`: a server that listens on an address has an AddressInfo
  const { port } = server.address() as AddressInfo;
  return {
    port,
    arrived,
    hangUp: () => server.closeAllConnections(),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
