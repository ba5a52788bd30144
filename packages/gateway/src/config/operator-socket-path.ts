import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import type { Variables } from './source/expand-variables.ts';

/** `sun_path` holds 108 bytes on Linux, 104 on macOS, the closing zero included */
const LONGEST_BYTES = process.platform === 'darwin' ? 103 : 107;

/**
 * Where the operator's unix socket is: in the home, or, when that path is too long for a socket, in a
 * folder of its own under `XDG_RUNTIME_DIR`, named after the home. Never under `/tmp`, where another user
 * could be first. When neither fits the result is the home's, which `checkSocketPath` refuses.
 */
export function operatorSocketPath(home: string, env: Variables): string {
  const inHome = join(home, 'operator.sock');
  const runtime = env.XDG_RUNTIME_DIR;
  if (fits(inHome) || runtime?.startsWith('/') !== true) return inHome;
  // Loaded only here: it is a tenth of what `sallyport run` takes before it asks the gateway.
  const { hash } = process.getBuiltinModule('node:crypto');
  const name = hash('sha256', home).slice(0, 12);
  const inRuntime = join(runtime, `sallyport-${name}`, 'operator.sock');
  return fits(inRuntime) ? inRuntime : inHome;
}

/** Throws `HomeUnusable` for a path that no unix socket can have. */
export function checkSocketPath(path: string): void {
  if (fits(path)) return;
  throw new SallyportError('HomeUnusable', {
    message: `the path is too long for a unix socket: \`${path}\``,
    hint: `choose a home of at most ${LONGEST_BYTES - '/operator.sock'.length} bytes with SALLYPORT_HOME`,
  });
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= LONGEST_BYTES;
}
