import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import type { Variables } from './source/expand-variables.ts';

/** `sun_path` holds 108 bytes on Linux, 104 on macOS, the closing zero included */
const LONGEST_BYTES = process.platform === 'darwin' ? 103 : 107;

/**
 * Where the operator's unix socket is: in the home, or, when that path is too long for a socket, in a
 * folder of its own under `XDG_RUNTIME_DIR`, named after the home, so that the CLI finds it too.
 *
 * Never under `/tmp`, where another user could be first. Refuses with `HomeUnusable` when neither fits.
 */
export function operatorSocketPath(home: string, env: Variables): string {
  const inHome = join(home, 'operator.sock');
  if (fits(inHome)) return inHome;
  const runtime = env.XDG_RUNTIME_DIR;
  if (runtime?.startsWith('/') === true) {
    const name = createHash('sha256').update(home).digest('hex').slice(0, 12);
    const inRuntime = join(runtime, `sallyport-${name}`, 'operator.sock');
    if (fits(inRuntime)) return inRuntime;
  }
  throw new SallyportError('HomeUnusable', {
    message: `the path of the home is too long for a unix socket: \`${home}\``,
    hint: `choose a home of at most ${LONGEST_BYTES - '/operator.sock'.length} bytes with SALLYPORT_HOME`,
  });
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= LONGEST_BYTES;
}
