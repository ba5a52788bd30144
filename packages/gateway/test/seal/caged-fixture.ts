import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type RunningGateway, startGateway } from '@sallyport/gateway';
import type { CreatedWorkload, JsonObject, SessionToken } from '@sallyport/protocol';
import { type HttpAnswer, type HttpCall, httpClient, MCP_FIXTURE_PROGRAM, tempDir } from '@sallyport/testkit';
import { type JailSpec, prepareJail, spawnJail } from '../../src/sandbox/jail/index.ts';

const REPO = join(import.meta.dirname, '../../../..');
const WORKER = join(REPO, 'packages/worker/src');

const config = (workspace: string): string => `
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [member] } }
    mode: cautious
    exceptions: ["*"]
roles: { member: { allow: ["agent:*", "tool:*"] } }
security_contexts:
  build:
    capabilities:
      - { tool: "fs.*", path_allowlist: [${JSON.stringify(workspace)}] }
      - { tool: "mcp:*" }
      - { tool: cmd.run, subcommand_allowlist: { git: [status] } }
agents:
  dev: { permissions: ["allow:*"] }
  strict: { permissions: ["allow:*"], security_context: build }
volumes: [{ name: work, mount: ${JSON.stringify(workspace)}, path: ${JSON.stringify(workspace)} }]
mcp_servers:
  - name: fix
    executable: ${JSON.stringify(process.execPath)}
    sandbox: none
    args: ${JSON.stringify([MCP_FIXTURE_PROGRAM])}
`;

/** A whole gateway that can be restarted in its home, and jails with our worker that reach its agent side alone. */
export class Cage implements AsyncDisposable {
  readonly workspace: string;
  readonly #home: string;
  readonly #socket: string;
  readonly #remove: () => Promise<void>;
  readonly #workers: CagedWorker[] = [];
  #gateway: RunningGateway | undefined;
  #relay: Server | undefined;

  static async open(): Promise<Cage> {
    const dir = await tempDir();
    const cage = new Cage(dir.path, dir.remove);
    await cage.startGateway();
    return cage;
  }

  constructor(folder: string, remove: () => Promise<void>) {
    this.workspace = join(folder, 'work');
    this.#home = join(folder, 'home');
    this.#socket = join(folder, 'agent.sock');
    this.#remove = remove;
    for (const path of [this.workspace, this.#home]) mkdirSync(path, { mode: 0o700 });
    writeFileSync(join(this.#home, 'sallyport.yaml'), config(this.workspace), { mode: 0o600 });
  }

  async startGateway(): Promise<void> {
    this.#gateway = await startGateway({
      home: this.#home,
      ports: { api: 0, proxy: 0, ssh: 0, operator: 0 },
      ownsProcess: false,
      env: { USER: 'tester', PATH: '/usr/bin:/bin' },
      log: { write: () => undefined },
    });
    if (this.#relay !== undefined) return;
    // Whatever port the gateway of this moment has: the jail knows one address only.
    this.#relay = createServer((socket) => {
      const gateway = connect(this.#gateway?.ports.api ?? 0, '127.0.0.1');
      for (const [from, to] of [
        [socket, gateway],
        [gateway, socket],
      ] as const)
        from
          .on('error', () => to.destroy())
          .on('close', () => to.end())
          .pipe(to);
    }).listen(this.#socket);
    await once(this.#relay, 'listening');
  }

  async stopGateway(): Promise<void> {
    await this.#gateway?.close();
  }

  async operator<Body>(path: string, json?: JsonObject): Promise<Body> {
    return (await this.#call(path, json === undefined ? {} : { json })).json<Body>();
  }

  async openSession(agent = 'dev'): Promise<string> {
    const request = { agent, confinement: 'jailed' };
    const { session_id } = await this.operator<SessionToken>('/v1/sessions', request);
    return session_id;
  }

  async end(session: string): Promise<void> {
    await this.#call(`/v1/sessions/${session}`, { method: 'DELETE' });
  }

  /** Starts our worker in a jail for a session; with `execution` in the place of one that is gone. */
  async worker(session: string, execution?: string): Promise<CagedWorker> {
    const workload = await this.operator<CreatedWorkload>('/v1/seal/workloads', {
      session_id: session,
      ...(execution === undefined ? {} : { execution_id: execution }),
    });
    const worker = new CagedWorker(spawnJail(prepareJail(this.#spec()), ['pipe', 'pipe', 'pipe']), workload);
    this.#workers.push(worker);
    await worker.ready;
    return worker;
  }

  async events(type: string): Promise<readonly { readonly data: JsonObject }[]> {
    const path = `/v1/audit/events?type=${encodeURIComponent(type)}&limit=200`;
    return (await this.operator<{ items: { data: JsonObject }[] }>(path)).items;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.#workers) await worker.end();
    await this.stopGateway();
    this.#relay?.close();
    await this.#remove();
  }

  async #call(path: string, call: HttpCall): Promise<HttpAnswer> {
    const url = this.#gateway?.urls.operator;
    if (url === undefined) throw new Error('no gateway');
    const token = readFileSync(join(this.#home, 'operator.token'), 'utf8').trim();
    const answer = await httpClient({ url })(path, { token, ...call });
    if (answer.status >= 300) throw new Error(answer.text);
    return answer;
  }

  #spec(): JailSpec {
    const node = dirname(process.execPath);
    return {
      ...{ workspace: this.workspace, cwd: this.workspace, writable: [], readOnly: [], hidden: [] },
      programs: [
        WORKER,
        join(REPO, 'packages/worker/package.json'),
        join(REPO, 'node_modules/canonicalize'),
        node,
      ],
      home: { path: '/tmp/home', files: [] },
      ...{
        userHome: join(this.#home, 'none'),
        gatewayHome: this.#home,
        envFiles: 'masked',
        allowHome: false,
      },
      ...{ limits: {}, tty: false, hostname: 'cage', nests: true },
      env: { PATH: `${node}:/usr/bin:/bin`, HOME: '/tmp/home' },
      command: [process.execPath, join(WORKER, 'bootstrap.ts')],
      sockets: [{ port: 7180, path: this.#socket }],
      user: { uid: 0, gid: 0, name: 'agent' },
    };
  }
}

/** The worker as whoever started it sees it: lines in, lines out. */
export class CagedWorker {
  readonly workload: CreatedWorkload;
  readonly ready: Promise<JsonObject>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<string, (line: JsonObject) => void>();
  #errors = '';
  #next = 1;

  constructor(child: ChildProcess, workload: CreatedWorkload) {
    this.#child = child;
    this.workload = workload;
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    this.ready = promise;
    const { stdin, stdout, stderr } = child;
    if (stdin === null || stdout === null || stderr === null) throw new Error('no pipes');
    stdin.on('error', () => undefined);
    stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    createInterface({ input: stdout }).on('line', (text) => {
      const line = JSON.parse(text) as JsonObject;
      if (line.type === 'ready') resolve(line);
      else if (line.id === null) reject(new Error(text));
      else this.#waiting.get(String(line.id))?.(line);
    });
    child.once('close', (code, signal) => {
      reject(new Error(`the worker ended: ${code ?? signal} ${this.#errors}`));
      for (const tell of this.#waiting.values()) tell({ type: 'gone', code: code ?? signal });
    });
    const start = { gateway: 'http://127.0.0.1:7180', ...workload };
    stdin.write(`${JSON.stringify(start)}\n`);
  }

  call(tool: string, input: JsonObject): Promise<JsonObject> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null)
      return Promise.resolve({ type: 'gone' });
    const id = this.#next;
    this.#next += 1;
    const { promise, resolve } = Promise.withResolvers<JsonObject>();
    this.#waiting.set(String(id), (line) => {
      this.#waiting.delete(String(id));
      resolve(line);
    });
    this.#child.stdin?.write(`${JSON.stringify({ id, tool, arguments: input })}\n`);
    return promise;
  }

  run(script: string, over: JsonObject = {}): Promise<JsonObject> {
    return this.call('cmd.run', { command: 'sh', args: ['-c', script], ...over });
  }

  /** What an operating system does to a worker that is in the way. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
    await closed;
  }

  end(): Promise<void> {
    return this.kill();
  }
}
