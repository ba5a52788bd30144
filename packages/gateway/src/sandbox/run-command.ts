import { constants } from 'node:os';
import type { SpawnRequest } from './spawner/frames.ts';
import type { Spawner } from './spawner/spawner.ts';
import {
  DEFAULT_OUTPUT_BYTES,
  DEFAULT_TIMEOUT_MS,
  type ExecOptions,
  type SandboxResult,
} from './spec/sandbox-backend.ts';

/** Runs one command with its bounds. What goes beyond a bound kills everything that the command started. */
export async function runCommand(
  spawner: Spawner,
  request: SpawnRequest,
  options: ExecOptions,
  agentId: string | undefined,
): Promise<SandboxResult> {
  const began = performance.now();
  const atMost = options.outputBytes ?? DEFAULT_OUTPUT_BYTES;
  const kept: Record<'stdout' | 'stderr', Uint8Array[]> = { stdout: [], stderr: [] };
  let size = 0;
  let ended: 'timeout' | 'output' | 'abort' | undefined;
  const end = (why: NonNullable<typeof ended>): void => {
    ended ??= why;
    command.kill();
  };

  const command = spawner.run(request, options.stdin ?? '', {
    onOutput: async (channel, bytes) => {
      // The limit may have been met to the byte by the piece before.
      if (size >= atMost) return end('output');
      const piece = bytes.subarray(0, atMost - size);
      size += piece.length;
      kept[channel].push(Uint8Array.from(piece));
      if (piece.length < bytes.length) end('output');
      await options.onOutput?.({ channel, bytes: piece });
    },
  });
  const timer = setTimeout(() => end('timeout'), options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const abort = (): void => end('abort');
  options.signal?.addEventListener('abort', abort, { once: true });
  if (options.signal?.aborted === true) abort();
  try {
    const { code, signal } = await command.exit;
    return {
      stdout: Buffer.concat(kept.stdout).toString(),
      stderr: Buffer.concat(kept.stderr).toString(),
      returncode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]),
      timed_out: ended === 'timeout',
      output_exceeded: ended === 'output',
      aborted: ended === 'abort',
      execution_time_ms: performance.now() - began,
      agent_id: agentId ?? null,
      container_id: null,
      sidecar_id: null,
      sidecar_logs: [],
    };
  } catch (error) {
    // A handler that threw leaves the command running.
    command.kill();
    throw error;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
  }
}
