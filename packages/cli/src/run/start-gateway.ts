import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { HomePaths } from '@sallyport/gateway/home';
import { launcherFile } from '@sallyport/gateway/own-files';
import { SallyportError } from '@sallyport/protocol/error';

const LONGEST_MS = 30_000;
const LOOK_MS = 50;

/**
 * Starts a gateway in the background and waits until it answers. It goes on running when this process ends; what it
 * says goes to `gateway.log` in its home. `more`: flags of `start`. Throws `GatewayNotRunning` with the last lines of that when it fails.
 */
export async function startGatewayInBackground(
  paths: Pick<HomePaths, 'home' | 'config' | 'operatorSocket'>,
  env: NodeJS.ProcessEnv,
  onWaiting: (seconds: number) => void,
  more: readonly string[] = [],
): Promise<void> {
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
  const log = join(paths.home, 'gateway.log');
  const descriptor = openSync(log, 'a', 0o600);
  const args = [launcherFile(), 'start', '--json', '--home', paths.home, '--config', paths.config, ...more];
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ['ignore', descriptor, descriptor],
    cwd: '/',
    env,
  });
  closeSync(descriptor);
  let isDead = false;
  child.once('error', () => {
    isDead = true;
  });
  child.once('exit', () => {
    isDead = true;
  });
  child.unref();
  const begun = Date.now();
  for (let told = 0; !(await isGatewayUp(paths.operatorSocket)); ) {
    const seconds = Math.floor((Date.now() - begun) / 1000);
    if (isDead || seconds * 1000 > LONGEST_MS) {
      // Somebody else may have started one meanwhile: then ours gave way.
      if (await isGatewayUp(paths.operatorSocket)) return;
      throw new SallyportError('GatewayNotRunning', {
        message: isDead ? 'the gateway could not be started' : 'the gateway does not come up',
        hint: `${lastLines(log)}; all of it is in \`${log}\``,
      });
    }
    if (seconds > told) {
      told = seconds;
      onWaiting(seconds);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Whether a gateway answers at the operator's socket. */
export function isGatewayUp(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function lastLines(log: string): string {
  try {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-3);
    return lines.map((line) => errorIn(line) ?? line).join(' · ');
  } catch {
    return 'it said nothing';
  }
}

/** The words of an error that was printed as JSON. */
function errorIn(line: string): string | undefined {
  try {
    const { error } = JSON.parse(line) as { error?: { message?: string; hint?: string } };
    return error?.message === undefined ? undefined : [error.message, error.hint].filter(Boolean).join(': ');
  } catch {
    return undefined;
  }
}
