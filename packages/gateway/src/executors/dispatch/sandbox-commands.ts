import { type Actor, SallyportError } from '@sallyport/protocol';
import type { VolumeConfig } from '../../config/index.ts';
import type { SandboxBackend, SandboxResult } from '../../sandbox/index.ts';
import type { Command } from './command.ts';
import type { CommandEnd } from './command-result.ts';

type Volume = Pick<VolumeConfig, 'name' | 'mount' | 'path' | 'mode' | 'tenants'>;

export interface SandboxCommandsParts {
  /** opened when the first command comes */
  readonly backend: () => Promise<SandboxBackend>;
  /** as the config says now */
  readonly volumes: () => readonly Volume[];
}

/**
 * Commands of callers that have no worker: each in a sandbox of its own with the volumes of its tenant, where agents see
 * them, and without any network.
 */
export class SandboxCommands {
  readonly #parts: SandboxCommandsParts;

  constructor(parts: SandboxCommandsParts) {
    this.#parts = parts;
  }

  /** Whether this actor could run anything here now. */
  serves({ tenant }: Actor): boolean {
    return this.#volumesOf(tenant).some(({ mode }) => mode === 'rw');
  }

  async run(
    { tenant, session, agent }: Actor,
    { command, args, cwd, timeout_secs: seconds }: Command,
    { signal, outputBytes }: { readonly signal: AbortSignal; readonly outputBytes: number },
  ): Promise<CommandEnd> {
    const volumes = this.#volumesOf(tenant);
    const { volume, folder } = placeOf(cwd, volumes);
    const others = volumes.filter(({ name }) => name !== volume.name);
    const paths = (mode: Volume['mode']): readonly string[] =>
      others.filter((other) => other.mode === mode).map(({ path }) => path);
    const backend = await this.#parts.backend();
    const sandbox = await backend.acquire(session ?? tenant, {
      workspace: volume.path,
      writable: paths('rw'),
      readOnly: paths('ro'),
      links: volumes
        .filter(({ mount, path }) => mount !== path)
        .map(({ mount, path }) => ({ path: mount, target: path })),
      ...(agent === undefined ? {} : { agentId: agent }),
    });
    try {
      const options = { cwd: folder, timeoutMs: seconds * 1000, outputBytes, signal };
      return toEnd(await sandbox.exec([command, ...args], options));
    } finally {
      await sandbox.release();
    }
  }

  /** SECURITY: for the agents of a tenant there are no volumes but its own [ID-4]. */
  #volumesOf(tenant: string): readonly Volume[] {
    return this.#parts.volumes().filter(({ tenants }) => tenants.includes(tenant));
  }
}

/** The writable volume to start in, and the folder of the host that `cwd` names there. */
function placeOf(
  cwd: string | undefined,
  volumes: readonly Volume[],
): { readonly volume: Volume; readonly folder: string } {
  const volume = cwd === undefined ? volumes.find(({ mode }) => mode === 'rw') : volumeAround(cwd, volumes);
  if (volume?.mode !== 'rw') {
    throw new SallyportError('BadRequest', {
      message: `\`${cwd}\` lies in no volume that this agent can write to`,
      hint: 'leave `cwd` out, or name a folder of a writable volume',
    });
  }
  return { volume, folder: volume.path + (cwd ?? volume.mount).slice(volume.mount.length) };
}

function volumeAround(cwd: string, volumes: readonly Volume[]): Volume | undefined {
  return volumes
    .filter(({ mount }) => cwd === mount || cwd.startsWith(`${mount}/`))
    .sort((a, b) => b.mount.length - a.mount.length)[0];
}

function toEnd(result: SandboxResult): CommandEnd {
  const { returncode, stdout, stderr, execution_time_ms: ms, timed_out: timedOut } = result;
  if (result.aborted) throw new SallyportError('WorkerLost', { message: 'the caller of the command left' });
  return {
    ...{ exitCode: returncode, stdout, stderr, durationMs: ms, truncated: result.output_exceeded },
    ...(timedOut ? { error: 'timeout' } : {}),
  };
}
