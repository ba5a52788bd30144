import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import type { Egress } from '../../egress/index.ts';
import { BACKENDS } from '../../sandbox/index.ts';
import { redeemPermit } from '../../shared/permit.ts';
import { openTunnel } from '../mcp/tunnel.ts';
import { type CommandHost, startCommand } from './command-jail.ts';
import { COMMAND_LIMITS, type CommandEnd, type CommandJob } from './command-job.ts';
import { runStreams } from './command-streams.ts';

export interface CommandExecutorParts extends CommandHost {
  readonly egress: Pick<Egress, 'connect' | 'bundle'>;
  /** told of each process, whose family is no person's */
  readonly onStarted: (pid: number) => void;
}

/**
 * Runs the CLIs of the SSH door, each in a jail of its own.
 *
 * Contract: nothing runs without the gate's permit, and nothing in anything weaker than the jail. When `run` is over, no
 * process, file or socket of the command is left.
 */
export class CommandExecutor {
  readonly #parts: CommandExecutorParts;
  #isProbed = false;
  #swept: Promise<void> | undefined;

  constructor(parts: CommandExecutorParts) {
    this.#parts = parts;
  }

  /** Throws what keeps commands from being isolated here. Looked at once it works; again and again until then. */
  checkIsolated(): void {
    if (this.#isProbed) return;
    const problem = BACKENDS.bubblewrap.probe();
    if (problem !== undefined) throw problem;
    this.#isProbed = true;
  }

  /** Takes away what a gateway of this home left behind when it was killed; one home has one gateway. */
  async #sweep(): Promise<void> {
    const prefix = commandPrefix(this.#parts.gatewayHome);
    for (const name of await readdir(tmpdir()))
      if (name.startsWith(prefix)) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }

  /** Throws `NotAdmitted` before it does anything, unless this is the gate's own verdict on this very action. */
  async run(job: CommandJob): Promise<CommandEnd> {
    const { action, verdict, material, signal } = job;
    redeemPermit(verdict, action);
    const argv = wordsOf(action.input.argv);
    this.checkIsolated();
    this.#swept ??= this.#sweep();
    await this.#swept;
    const base = await mkdtemp(join(tmpdir(), commandPrefix(this.#parts.gatewayHome)));
    let closeTunnel: (() => Promise<void>) | undefined;
    let child: ChildProcess | undefined;
    try {
      // SECURITY: the socket is not in the folder that the command can write: it could put a link in its place.
      const [folder, tunnel] = [join(base, 'work'), join(base, 'out.sock')];
      await mkdir(folder, { mode: 0o700 });
      const { egress } = this.#parts;
      const { tenant } = action.actor;
      closeTunnel = await openTunnel({ path: tunnel, hosts: job.hosts, egress, tenant });
      signal.throwIfAborted();
      child = startCommand({ argv, material, folder, tunnel, trust: egress.bundle(tenant) }, this.#parts);
      if (child.pid !== undefined) this.#parts.onStarted(child.pid);
      return await runStreams(child, job, { ...COMMAND_LIMITS, ...job.limits });
    } finally {
      if (child?.pid !== undefined) killGroup(child.pid);
      await closeTunnel?.();
      await rm(base, { recursive: true, force: true });
    }
  }
}

/** How the folders of a gateway's commands are named, so that what a crash left behind is known for its own. */
export function commandPrefix(gatewayHome: string): string {
  return `sallyport-command-${createHash('sha256').update(gatewayHome).digest('hex').slice(0, 12)}-`;
}

/** SECURITY: what runs is read from the action that was judged, never from what came in beside it [AP-1]. */
function wordsOf(argv: unknown): readonly string[] {
  if (Array.isArray(argv) && argv.length > 0 && argv.every((word) => typeof word === 'string')) return argv;
  throw new SallyportError('BadRequest', { message: 'there is no command' });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left.
  }
}
