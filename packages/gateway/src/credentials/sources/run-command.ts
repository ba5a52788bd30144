import { spawn } from 'node:child_process';
import { SallyportError } from '@sallyport/protocol';
import type { Variables } from '../../config/index.ts';
import { Secret } from '../../shared/secret.ts';

const MOST_BYTES = 65_536;

export interface SecretCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Variables;
  /** goes to its standard input, which is then closed */
  readonly input?: Secret;
  readonly signal: AbortSignal;
}

/**
 * Runs a program without a shell and returns what it prints, one line end at its end removed.
 *
 * Rejects with `SecretUnreadable` when it fails, prints nothing, more than 64 KiB or what is no text, and kills it
 * with all that it started.
 *
 * SECURITY: what it says on standard error is not kept: programs repeat secrets there.
 */
export async function runCommand(command: SecretCommand): Promise<Secret> {
  const output = await outputOf(command);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(output).replace(/\r?\n$/, '');
  } catch {
    throw failed(command, 'printed something that is not UTF-8 text');
  }
  if (text.includes('\0')) throw failed(command, 'printed a NUL byte');
  if (text.trim() === '' && command.input === undefined) throw failed(command, 'printed nothing');
  return new Secret(text);
}

function outputOf(command: SecretCommand): Promise<Uint8Array> {
  const { argv, cwd, env, input, signal } = command;
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(failed(command, 'was interrupted'));
    // A group of its own, so that what it started ends with it.
    const child = spawn(program, args, {
      cwd,
      env: { ...env },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    const kill = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    const settle = (finish: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const fail = (how: string): void => {
      kill();
      child.stdout.destroy();
      settle(() => reject(failed(command, how)));
    };
    const onAbort = (): void => fail('did not answer in time');
    signal.addEventListener('abort', onAbort, { once: true });
    child.on('error', (error: NodeJS.ErrnoException) => {
      fail(error.code === 'ENOENT' ? 'is not installed' : `cannot be run (${error.code ?? 'unknown'})`);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) fail('printed more than 64 KiB');
      else chunks.push(chunk);
    });
    child.stdin.on('error', () => {}); // It need not read what it is given.
    child.stdin.end(input === undefined ? undefined : `${input.reveal()}\n`);
    child.on('close', (code, by) => {
      if (code === 0) return settle(() => resolve(Buffer.concat(chunks)));
      fail(code === null ? `was ended by ${by}` : `ended with exit code ${code}`);
    });
  });
}

function failed({ argv }: SecretCommand, how: string): SallyportError {
  return new SallyportError('SecretUnreadable', {
    message: `the command \`${argv[0]}\` ${how}`,
    hint: `run \`${argv.join(' ')}\` by hand as the user of the gateway, to see what it says`,
  });
}
