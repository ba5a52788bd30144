import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpServerConfig } from '../../config/index.ts';
import { ScrubPlan } from '../../credentials/index.ts';
import type { Egress } from '../../egress/index.ts';
import type { Secret } from '../../shared/secret.ts';
import { Cleaner } from './cleaner.ts';
import type { McpLimits } from './limits.ts';
import type { Launch } from './mcp-server.ts';
import { ProcessWire } from './process-wire.ts';
import type { Wire } from './wire.ts';

const LONGEST_READ_MS = 15_000;

export interface LaunchParts {
  readonly limits: McpLimits;
  readonly tenant: string;
  readonly path: string;
  readonly egress: Pick<Egress, 'exchange'>;
  readonly readSecret: (reference: string, signal: AbortSignal) => Promise<Secret>;
  readonly onStderr: (line: string) => void;
}

/** How a server is reached: reads its credentials anew each time, so that a rotated one counts from the next start on. */
export async function createLaunch(
  config: McpServerConfig,
  parts: LaunchParts,
): Promise<{ readonly launch: () => Promise<Launch>; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-mcp-'));
  const launch = async (): Promise<Launch> => {
    const signal = AbortSignal.timeout(LONGEST_READ_MS);
    const lent: [string, Secret][] = [];
    for (const [name, reference] of Object.entries(config.credentials))
      lent.push([name, await parts.readSecret(reference, signal)]);
    const plan = new ScrubPlan(lent.map(([, secret]) => secret));
    const wire = await wireOf(config, parts, folder, lent);
    return { wire, cleaner: new Cleaner(config.name, parts.limits.resultChars, plan) };
  };
  return { launch, folder };
}

async function wireOf(
  config: McpServerConfig,
  { limits, path, onStderr }: LaunchParts,
  folder: string,
  lent: readonly (readonly [string, Secret])[],
): Promise<Wire> {
  const values = lent.map(([name, secret]) => [name, secret.reveal()] as const);
  const env = { PATH: path, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8', ...Object.fromEntries(values) };
  return new ProcessWire({
    program: config.executable ?? '',
    args: config.args,
    // SECURITY: nothing of the gateway's own environment, which holds what `env:` references name [CR].
    env,
    cwd: folder,
    limits,
    onStderr,
  });
}
