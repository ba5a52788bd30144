import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PeerOptions, RunningProxy } from './peers.ts';

const CLI = resolve(import.meta.dirname, '../../../packages/cli/bin/sallyport.js');
const TOKEN = 'bench-token-of-forty-letters-0123456789';

/** A gateway that opens more sessions: each has its own share of connections. */
interface RunningSallyport extends RunningProxy {
  anotherSession(): Promise<string>;
}

/** A whole gateway as users start it: session auth, 100 rules, an injected credential, scrubbing and the trail. */
export async function startSallyport(
  options: Pick<PeerOptions, 'folder' | 'upstreamCaFile'>,
  upstreamPort: number,
): Promise<RunningSallyport> {
  const home = join(options.folder, 'sallyport');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'token'), TOKEN, { mode: 0o600 });
  writeFileSync(join(home, 'sallyport.yaml'), configOf(options.upstreamCaFile, upstreamPort), {
    mode: 0o600,
  });
  const child = spawn(
    process.execPath,
    [
      CLI,
      'start',
      '--json',
      '--home',
      home,
      ...['api', 'proxy', 'operator'].flatMap((name) => [`--${name}-port`, '0']),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, USER: 'bench' } },
  );
  const { pid, ports } = await firstLine(child);
  const anotherSession = async (): Promise<string> => `Bearer ${await openSession(home, ports.operator)}`;
  const authorization = await anotherSession();
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  return {
    name: 'sallyport',
    port: ports.proxy,
    pid,
    authorization,
    anotherSession,
    ca: readFileSync(join(home, 'ca.pem'), 'utf8'),
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function configOf(upstreamCaFile: string, port: number): string {
  // None of them matches: every request is compared with what a policy of this size holds.
  const rules = Array.from(
    { length: 99 },
    (_, index) => `  - "deny:http(POST service-${index}.example/v1/**)"`,
  );
  return `
tenants:
  default:
    mode: cautious
    default_user: bench
    default_agent: bench
    users:
      bench: { roles: [owner] }
    credentials:
      bench:main: { kind: bearer, source: "file:token", hosts: [localhost] }
    exceptions: ["http(localhost)"]
roles:
  owner: { allow: ["agent:*", "tool:*", "approve:*"] }
agents:
  bench: { credentials: ["bench:main"] }
permissions:
${rules.join('\n')}
  - "allow:*"
routes:
  - { host: localhost, credential: "bench:main" }
sessions: { ttl: 12h }
network:
  # One session makes hundreds of thousands of reads here, which would ask.
  read_budget: { request: 1048576, session: 1073741824 }
  default: allow
  allow_private: ["localhost:${port}"]
  ca_files: ["${upstreamCaFile}"]
`;
}

interface Started {
  readonly pid: number;
  readonly ports: { readonly proxy: number; readonly operator: number };
}

async function firstLine(child: ChildProcess): Promise<Started> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    // The gateway's own shape, printed by `start --json`.
    if (text.includes('\n')) return JSON.parse(text.slice(0, text.indexOf('\n'))) as Started;
  }
  throw new Error('the gateway did not start');
}

async function openSession(home: string, port: number): Promise<string> {
  const operator = readFileSync(join(home, 'operator.token'), 'utf8').trim();
  const answer = await fetch(`http://127.0.0.1:${port}/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tenant: 'default', agent: 'bench', user: 'bench' }),
  });
  const body: unknown = await answer.json();
  if (typeof body !== 'object' || body === null || !('session_token' in body))
    throw new Error(`no session: ${JSON.stringify(body)}`);
  return String(body.session_token);
}
