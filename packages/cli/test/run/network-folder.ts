import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir, waitUntil } from '@sallyport/testkit';

const SERVER = '/usr/lib/openssh/sftp-server';

/**
 * A folder that comes over SFTP, mounted with sshfs for its user alone. It takes no sockets and keeps locks on this
 * machine only. The connection is a pipe instead of one to a listening server: what a file system sees is the same.
 */
export interface NetworkFolder extends AsyncDisposable {
  /** where it is mounted */
  readonly path: string;
  /** the same files on the server's side: never gone, never slow */
  readonly origin: string;
  /** From now on nothing is answered, as when a cable is pulled: whoever reads waits. */
  hang(): void;
  /** The mount is dead, though still in its place: `ENOTCONN`, until it is disposed. */
  crash(): Promise<void>;
}

/** `rememberS`: how long the kernel answers from memory what it was told about names, sizes and modes, in s */
export async function mountNetworkFolder(rememberS: number): Promise<NetworkFolder> {
  const dir = await tempDir('net-');
  const [path, origin] = [join(dir.path, 'm'), join(dir.path, 'o')];
  const [connect, pidFile] = [join(dir.path, 'connect'), join(dir.path, 'pid')];
  mkdirSync(path);
  mkdirSync(origin, { mode: 0o700 });
  writeFileSync(connect, `#!/bin/sh\necho $$ >'${pidFile}'\nexec ${SERVER}\n`, { mode: 0o700 });
  // It unmounts when it is told to end, and it is told so when this process dies.
  const options = `ssh_command=${connect},entry_timeout=${rememberS},attr_timeout=${rememberS}`;
  const words = ['--pdeathsig', 'TERM', 'sshfs', '-f', '-o', options, `o:${origin}`, path];
  const sshfs = spawn('/usr/bin/setpriv', words, { cwd: '/', stdio: 'ignore' });
  const exited = once(sshfs, 'exit');
  const crash = async (): Promise<void> => {
    sshfs.kill('SIGKILL');
    await exited;
    signalServer(pidFile, 'SIGKILL');
  };
  const mounted = {
    ...{ path, origin, crash },
    hang: () => signalServer(pidFile, 'SIGSTOP'),
    async [Symbol.asyncDispose]() {
      await crash();
      try {
        execFileSync('/usr/bin/fusermount3', ['-u', '-z', path], { stdio: 'ignore', timeout: 10_000 });
      } catch {
        // It never came to a mount.
      }
      await dir.remove();
    },
  };
  try {
    const isMounted = () => sshfs.exitCode === null && statSync(path).dev !== statSync(dir.path).dev;
    await waitUntil('the network disk', isMounted, { unless: sshfs });
  } catch (error) {
    await mounted[Symbol.asyncDispose]();
    throw error;
  }
  return mounted;
}

function signalServer(pidFile: string, signal: NodeJS.Signals): void {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), signal);
  } catch {
    // It ended when its client did.
  }
}
