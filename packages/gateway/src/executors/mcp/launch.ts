import { mkdir, mkdtemp, rm } from 'node:fs/promises';
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
import { startJailed, startProcess } from './start-process.ts';
import { openTunnel } from './tunnel.ts';
import type { Wire } from './wire.ts';

const LONGEST_READ_MS = 15_000;

export interface LaunchParts {
  readonly limits: McpLimits;
  readonly tenant: string;
  readonly path: string;
  /** `$SALLYPORT_HOME` and the home of the gateway's user: never visible in a sandbox */
  readonly gatewayHome: string;
  readonly userHome: string;
  /** where servers keep what they need again, each in a folder of its own; absent: it goes away with them */
  readonly homes?: string | undefined;
  readonly egress: Pick<Egress, 'exchange' | 'connect'>;
  readonly readSecret: (reference: string, signal: AbortSignal) => Promise<Secret>;
  readonly onStderr: (line: string) => void;
  /** told of each process, whose family is no person's */
  readonly onStarted: (pid: number) => void;
}

export interface Launcher {
  launch(): Promise<Launch>;
  /** After every wire is closed. */
  close(): Promise<void>;
}

/** Of the host's files, in a jail that names none. */
const NOTHING = { read: [], write: [] };

type Lent = readonly (readonly [string, Secret])[];

/** How a server is reached: reads its credentials anew each time, so that a rotated one counts from the next start on. */
export async function createLauncher(config: McpServerConfig, parts: LaunchParts): Promise<Launcher> {
  const base = await mkdtemp(join(tmpdir(), 'sallyport-mcp-'));
  // SECURITY: the socket is not in the folder that the server can write: it could put a link in its place.
  const folder = parts.homes === undefined ? join(base, 'home') : join(parts.homes, config.name);
  const socket = config.egress.length > 0 ? join(base, 'egress.sock') : undefined;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { egress, tenant } = parts;
  const closeTunnel =
    socket === undefined
      ? undefined
      : await openTunnel({ path: socket, hosts: config.egress, egress, tenant });
  const wireOf = (lent: Lent): Wire =>
    config.url === undefined
      ? processWire(config, parts, { folder, socket }, lent)
      : httpWire(config.url, parts, lent);
  return {
    async launch() {
      const signal = AbortSignal.timeout(LONGEST_READ_MS);
      const lent: [string, Secret][] = [];
      for (const [name, reference] of Object.entries(config.credentials))
        lent.push([name, await parts.readSecret(reference, signal)]);
      const plan = new ScrubPlan(lent.map(([, secret]) => secret));
      return { wire: wireOf(lent), cleaner: new Cleaner(config.name, parts.limits.resultChars, plan) };
    },
    async close() {
      await closeTunnel?.();
      await rm(base, { recursive: true, force: true });
    },
  };
}

function processWire(
  { executable = '', args, sandbox, env: plain }: McpServerConfig,
  { limits, path, onStderr, onStarted, gatewayHome, userHome }: LaunchParts,
  { folder, socket }: { readonly folder: string; readonly socket: string | undefined },
  lent: Lent,
): Wire {
  const values = lent.map(([name, secret]) => [name, secret.reveal()] as const);
  // SECURITY: nothing of the gateway's own environment, which holds what `env:` references name.
  const env = {
    ...plain,
    ...{ PATH: path, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
    ...Object.fromEntries(values),
  };
  const started = { program: executable, args, env, folder };
  return new ProcessWire({
    start: () => {
      // SECURITY: a program that reads what others wrote sees nothing of its host, unless the operator said so.
      const child =
        sandbox === 'none'
          ? startProcess(started)
          : startJailed(started, {
              ...{ ...NOTHING, ...sandbox, tunnel: socket, gatewayHome, userHome },
              showsArguments: sandbox === undefined,
            });
      if (child.pid !== undefined) onStarted(child.pid);
      return child;
    },
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
