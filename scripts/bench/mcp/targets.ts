import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { requireTools } from '../../../packages/testkit/src/needs.ts';
import { connectEcho, type Way } from './client.ts';

const GIVE_UP_MS = 60_000;
const root = resolve(import.meta.dirname, '../../..');
const peers = join(
  process.env.SALLYPORT_CACHE ?? join(homedir(), '.cache', 'sallyport'),
  'bench/node_modules',
);

/** Something that is measured, running. */
export interface Target {
  readonly name: string;
  readonly way: Way;
  stop(): Promise<void>;
}

function everything(): string {
  const { folder, missing, install } = requireTools('mcp');
  if (missing)
    throw new Error(`@modelcontextprotocol/server-everything is not installed: run \`${install}\``);
  return join(folder, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
}

function peerProgram(name: string, file: string): string {
  const program = join(peers, name, file);
  if (!existsSync(program))
    throw new Error(`the peer \`${name}\` is not installed: run \`npm run bench:setup\``);
  return program;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'close');
  // With its children: each is a process group of its own.
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  await gone;
}

/** A child that speaks MCP over HTTP once it is up. */
async function overHttp(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  url: string,
): Promise<Target> {
  const child = spawn(process.execPath, args, { env, stdio: 'ignore', detached: true });
  const way: Way = { kind: 'http', url, tool: 'echo' };
  const began = performance.now();
  for (;;) {
    try {
      const client = await connectEcho(way);
      await client.echo();
      await client.close();
      return { name, way, stop: () => stop(child) };
    } catch (error) {
      if (performance.now() - began > GIVE_UP_MS || child.exitCode !== null) throw error;
      await wait(50);
    }
  }
}

export function directStdio(): Target {
  const way: Way = { kind: 'stdio', command: process.execPath, args: [everything(), 'stdio'], tool: 'echo' };
  return { name: 'direct stdio', way, stop: async () => {} };
}

export async function directHttp(): Promise<Target> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  return overHttp('direct http', [everything(), 'streamableHttp'], env, `http://127.0.0.1:${port}/mcp`);
}

/** Not a peer: the floor below all of them. */
export async function bareBridge(): Promise<Target> {
  const port = await freePort();
  const program = join(import.meta.dirname, 'bare-bridge.ts');
  const args = [program, String(port), everything()];
  return overHttp('bare bridge', args, process.env, `http://127.0.0.1:${port}/`);
}

export async function mcpProxy(): Promise<Target> {
  const port = await freePort();
  const program = peerProgram('mcp-proxy', 'dist/bin/mcp-proxy.mjs');
  const args = [program, '--host', '127.0.0.1', '--port', String(port), '--server', 'stream', '--'];
  return overHttp(
    'mcp-proxy',
    [...args, process.execPath, everything(), 'stdio'],
    process.env,
    `http://127.0.0.1:${port}/mcp`,
  );
}

export async function supergateway(): Promise<Target> {
  const port = await freePort();
  const program = peerProgram('supergateway', 'dist/index.js');
  const command = `${process.execPath} ${everything()} stdio`;
  const output = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none'];
  return overHttp(
    'supergateway',
    [program, '--stdio', command, ...output, '--port', String(port)],
    process.env,
    `http://127.0.0.1:${port}/mcp`,
  );
}

const CONFIG = (program: string): string => `
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [member] } }
    mode: cautious
    exceptions: ["mcp:everything/*"]
roles:
  member: { allow: ["agent:*", "tool:*"] }
agents:
  dev:
    tools: ["mcp:everything/*", "fs.*"]
    permissions: ["deny:mcp:everything/get-env", "allow:mcp:everything/*"]
mcp_servers:
  - name: everything
    executable: ${JSON.stringify(process.execPath)}
    sandbox: none
    args: ${JSON.stringify([program, 'stdio'])}
    reads: [echo]
`;

/** The whole gateway in a process of its own, with a policy and the trail on. */
export async function sallyport(): Promise<Target> {
  const home = mkdtempSync(join(tmpdir(), 'sallyport-bench-mcp-'));
  writeFileSync(join(home, 'sallyport.yaml'), CONFIG(everything()), { mode: 0o600 });
  const ports = ['--api-port', '0', '--proxy-port', '0', '--ssh-port', '0', '--operator-port', '0'];
  const child = spawn(process.execPath, [join(root, 'packages/cli/bin/sallyport.js'), 'start', ...ports], {
    env: { ...process.env, SALLYPORT_HOME: home, HOME: home },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  const runtime = join(home, 'runtime.json');
  const began = performance.now();
  while (!existsSync(runtime)) {
    if (performance.now() - began > GIVE_UP_MS || child.exitCode !== null)
      throw new Error('no gateway came up');
    await wait(20);
  }
  const { ports: open } = JSON.parse(readFileSync(runtime, 'utf8')) as { ports: { api: number } };
  const base = `http://127.0.0.1:${open.api}`;
  const answer = await fetch(`${base}/session/new`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      tenant_id: 'default',
      enrollment_secret: readFileSync(join(home, 'enrollment.secret'), 'utf8').trim(),
    }),
  });
  const { session_token: token } = (await answer.json()) as { session_token: string };
  return {
    name: 'sallyport',
    way: { kind: 'http', url: `${base}/mcp`, token, tool: 'everything/echo' },
    async stop() {
      await stop(child);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
