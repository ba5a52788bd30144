import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { dirname } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { takesSockets } from '../config/index.ts';

/** Where a listener binds, and what the user changes when it cannot. */
export interface Binding {
  readonly host: string;
  readonly port: number;
  /** `--api-port` */
  readonly flag: string;
}

/** Listens, and says on which port. Throws `PortInUse` with port and flag. */
export async function listenOnPort(server: Server, binding: Binding): Promise<number> {
  server.listen({ host: binding.host, port: binding.port, exclusive: true });
  await listening(server, (code) => {
    if (code === 'EADDRINUSE') {
      return new SallyportError('PortInUse', {
        message: `port ${binding.port} on ${binding.host} is taken`,
        hint: `choose another one with \`${binding.flag} PORT\` (0 = any free one), or stop what uses it`,
        details: { port: binding.port, flag: binding.flag },
      });
    }
    return new SallyportError('PortInUse', {
      message: `port ${binding.port} on ${binding.host} cannot be opened (${code})`,
      hint: `choose another one with \`${binding.flag} PORT\`, or another address under \`api.host\``,
      details: { port: binding.port, flag: binding.flag },
    });
  });
  // `as`: a server that listens on a port has an AddressInfo
  return (server.address() as AddressInfo).port;
}

/** Listens on a unix socket that only its owner may use. The home lock must be held: a leftover is removed. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  rmSync(path, { force: true });
  server.listen({ path, readableAll: false, writableAll: false });
  // SECURITY: in the same tick as the bind, so that nobody is accepted under a wider mode.
  if (server.listening) chmodSync(path, 0o600);
  await listening(
    server,
    (code) =>
      new SallyportError('HomeUnusable', {
        message: `the socket \`${path}\` cannot be opened (${code})`,
        hint: takesSockets(dirname(path))
          ? 'check that the folder belongs to you and is on a local disk'
          : 'its disk takes no unix sockets, as many network disks: set XDG_RUNTIME_DIR to a folder of your own on a local disk, or move the home to one with SALLYPORT_HOME',
      }),
  );
}

async function listening(server: Server, explain: (code: string) => SallyportError): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    throw explain(error instanceof Error && 'code' in error ? String(error.code) : 'unknown');
  }
}
