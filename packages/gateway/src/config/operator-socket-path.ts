import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import { fitsSocket, LONGEST_SOCKET_BYTES, socketFolder } from './socket-folder.ts';
import type { Variables } from './source/expand-variables.ts';

const NAME = '/operator.sock';

/** Where the operator's unix socket is. When it has no place the result is the home's, which `checkSocketPath` refuses. */
export function operatorSocketPath(home: string, env: Variables): string {
  return join(socketFolder(home, env, NAME.length), NAME);
}

/** Throws `HomeUnusable` for a path that no unix socket can have. */
export function checkSocketPath(path: string): void {
  if (fitsSocket(path, 0)) return;
  throw new SallyportError('HomeUnusable', {
    message: `the path is too long for a unix socket: \`${path}\``,
    hint: `choose a home of at most ${LONGEST_SOCKET_BYTES - NAME.length} bytes with SALLYPORT_HOME`,
  });
}
