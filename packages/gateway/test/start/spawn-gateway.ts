import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const RUNNER = fileURLToPath(new URL('run-gateway.ts', import.meta.url));

export interface SpawnOptions {
  readonly home: string;
  readonly ports?: { readonly api?: number; readonly operator?: number };
  readonly crash?: { readonly how: 'exception' | 'rejection'; readonly message: string };
  readonly env?: Readonly<Record<string, string>>;
  /** run as this user; for root only */
  readonly uid?: number;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

export interface Spawned {
  readonly process: ChildProcess;
  /** resolves with the ports once it runs; undefined when it ended instead */
  readonly started: Promise<{ readonly api: number; readonly operator: number } | undefined>;
  readonly ended: Promise<Ended>;
}

const running = new Set<ChildProcess>();

/** A gateway in a process of its own. */
export function spawnGateway({ uid, env, ...instructions }: SpawnOptions): Spawned {
  const child = spawn(process.execPath, [RUNNER, JSON.stringify(instructions)], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      USER: 'tester',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid }),
  });
  running.add(child);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    const end = (code: number | null, signal: string | null): void => {
      running.delete(child);
      resolve({ code, signal, stderr });
    };
    child.once('close', end).once('error', (error) => {
      // It never was: whoever waits for it hears why.
      stderr += error.message;
      end(null, null);
    });
  });
  const started = (async () => {
    for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line).ports;
    return undefined;
  })();
  return { process: child, started, ended };
}

/** Ends what a failed test left behind. */
export async function endSpawned(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      return closed;
    }),
  );
}

export async function readSecret(home: string, file: string): Promise<string> {
  return (await readFile(join(home, file), 'utf8')).trim();
}

/** What every refusal to start must look like: exit code 1, a message, a hint, no stack. */
export function refusalOf(ended: Ended): { readonly message: string; readonly hint: string } {
  const lines = ended.stderr.trim().split('\n');
  const message = lines.find((line) => line.startsWith('error: '));
  const hint = lines.find((line) => line.startsWith('hint: '));
  if (ended.code !== 1 || message === undefined || hint === undefined) {
    throw new Error(`not a refusal (code ${ended.code}): ${ended.stderr}`);
  }
  if (/\n\s+at |node_modules|Warning/.test(ended.stderr)) throw new Error(`noise: ${ended.stderr}`);
  return { message, hint };
}
