import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativeCalls } from '@sallyport/gateway/native';
import { notFound, type RunPlace, workspaceOf } from './agent-sandbox.ts';
import { caBundle, unconfinedEnv } from './run-env.ts';
import type { RunFlags } from './run-flags.ts';
import type { AgentStarter } from './supervise.ts';

/** Starts the agent as it is, with the proxy in its environment and nothing that keeps it there. */
export function readyUnconfined(
  flags: RunFlags,
  place: RunPlace,
  note: (text: string) => void,
): AgentStarter {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-trust-'));
  return {
    async start(started) {
      note(
        'sallyport: UNCONFINED: nothing keeps this agent in. It can read your files and keys, reach the network',
      );
      note(
        'sallyport: without the gate, and read the keys of the gateway if it runs as you. Use it to try things out.',
      );
      const authority = readFileSync(started.ca_file, 'utf8');
      const [caFile, bundleFile] = [join(folder, 'ca.pem'), join(folder, 'bundle.pem')];
      writeFileSync(caFile, authority);
      writeFileSync(bundleFile, await caBundle(authority));
      const [program, ...args] = flags.command;
      // What the agent leaves to run by itself becomes this process's child, not the machine's: so the operator side can
      // tell whose it is [ID-7]. From its first instruction on: it may fork at once.
      nativeCalls()?.adoptOrphans();
      const child = spawn(program, args, {
        cwd: workspaceOf(flags, place),
        env: unconfinedEnv(place.env, started, { caFile, bundleFile }),
        stdio: 'inherit',
      });
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', (error: NodeJS.ErrnoException) =>
          reject(error.code === 'ENOENT' ? notFound(program) : error),
        );
      });
      reapOrphans(child.pid);
      // It is in the terminal's own group, and has heard of an interrupt already.
      const isHeard = (signal: NodeJS.Signals): boolean => signal === 'SIGINT' || signal === 'SIGQUIT';
      const signal = (name: NodeJS.Signals): void => void (isHeard(name) || child.kill(name));
      return { child, signal };
    },
    clean: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

const REAP_MS = 10_000;

/** Node does not know the children that this process adopted: their ends are taken note of here. */
function reapOrphans(own: number | undefined): void {
  const calls = nativeCalls();
  if (calls === undefined) return;
  const reap = (): void => {
    // Node waits for its own child itself.
    for (const pid of readText(`/proc/self/task/${process.pid}/children`).trim().split(' '))
      if (Number(pid) !== own && /\) Z /.test(readText(`/proc/${pid}/stat`))) calls.reap(Number(pid));
  };
  setInterval(reap, REAP_MS).unref();
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
