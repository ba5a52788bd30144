import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpServerConfig } from '../../config/index.ts';
import { ScrubPlan } from '../../credentials/index.ts';
import type { Egress } from '../../egress/index.ts';
import type { Secret } from '../../shared/secret.ts';
import { Cleaner } from './cleaner.ts';
import { HttpWire } from './http-wire.ts';
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
    const wire =
      config.url === undefined ? processWire(config, parts, folder, lent) : httpWire(config.url, parts, lent);
    return { wire, cleaner: new Cleaner(config.name, parts.limits.resultChars, plan) };
  };
  return { launch, folder };
}

type Lent = readonly (readonly [string, Secret])[];

function processWire(config: McpServerConfig, parts: LaunchParts, folder: string, lent: Lent): Wire {
  const { limits, path, onStderr } = parts;
  const values = lent.map(([name, secret]) => [name, secret.reveal()] as const);
  return new ProcessWire({
    program: config.executable ?? '',
    args: config.args,
    // SECURITY: nothing of the gateway's own environment, which holds what `env:` references name.
    env: { PATH: path, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8', ...Object.fromEntries(values) },
    cwd: folder,
    limits,
    onStderr,
  });
}

function httpWire(url: string, { limits, tenant, egress }: LaunchParts, lent: Lent): Wire {
  const headers = lent.map(([name, secret]) => [name, headerValue(name, secret.reveal())] as const);
  const { messageBytes } = limits;
  return new HttpWire({ url, headers: Object.fromEntries(headers), egress, tenant, messageBytes });
}

/** A bare token is sent as one; a value that names its scheme as it is. */
function headerValue(name: string, value: string): string {
  return name.toLowerCase() === 'authorization' && !value.includes(' ') ? `Bearer ${value}` : value;
}
