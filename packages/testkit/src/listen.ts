import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

/** Listens on a loopback address, 127.0.0.1 unless given, and says where. */
export async function listenOnFreePort(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  // `as`: a server that listens on an address has an AddressInfo
  return (server.address() as AddressInfo).port;
}

/** Closes a server and every connection that it has. */
export async function closeServer(server: HttpServer | HttpsServer): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
