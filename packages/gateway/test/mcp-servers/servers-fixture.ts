import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Action, JsonObject, NewEvent, Verdict } from '@sallyport/protocol';
import { FakeClock, type TempDir, tempDir, waitUntil } from '@sallyport/testkit';
import { finishAction } from '../../src/actions/index.ts';
import { createLogger, Redactor } from '../../src/audit/index.ts';
import { ConfigSchema } from '../../src/config/index.ts';
import { createEnvSource, resolveSecretReference } from '../../src/credentials/index.ts';
import {
  type McpPeer,
  McpServers,
  type McpToolJob,
  ServersPath,
  type ToolResult,
} from '../../src/executors/index.ts';
import type { McpLimits } from '../../src/executors/mcp/index.ts';
import { issuePermit } from '../../src/shared/permit.ts';
import { McpPinsRepository, openStore, type Store } from '../../src/store/index.ts';
import { openEgress } from '../egress/egress-fixture.ts';

export const RAW = join(import.meta.dirname, 'fixtures/raw-server.mjs');

/** An entry of `mcp_servers` that starts the server that misbehaves as it is told. */
export function raw(
  how: string,
  more: { readonly file?: string } & Record<string, unknown> = {},
): JsonObject {
  const { file, ...rest } = more;
  const args = [RAW, how, ...(file === undefined ? [] : [file])];
  // `as`: whatever a test adds goes through the schema.
  return { name: 'raw', executable: process.execPath, args, sandbox: 'none', ...rest } as JsonObject;
}

export interface FixtureOptions {
  readonly limits?: Partial<McpLimits>;
  /** read with each start of a server */
  readonly env?: Record<string, string>;
  /** where pins are kept, to be opened again */
  readonly dir?: TempDir;
  /** rejects what the trail is to take */
  readonly failing?: () => boolean;
}

/** The servers of a config over a real store, with everything that they said. */
export class ServersFixture implements AsyncDisposable {
  readonly events: NewEvent[] = [];
  readonly logged: string[] = [];
  readonly servers: McpServers;
  readonly path: ServersPath;
  readonly dir: TempDir;
  readonly redactor = new Redactor();
  readonly #egress = openEgress();
  readonly #store: Store;
  readonly #options: FixtureOptions;
  #config: readonly JsonObject[];

  private constructor(config: readonly JsonObject[], dir: TempDir, store: Store, options: FixtureOptions) {
    this.#config = config;
    this.#store = store;
    this.#options = options;
    this.dir = dir;
    const sources = [createEnvSource(options.env ?? {})];
    this.servers = new McpServers({
      config: () => ConfigSchema.parse({ mcp_servers: this.#config }).mcp_servers,
      pins: new McpPinsRepository(store),
      trail: {
        append: async (event) => {
          if (options.failing?.() === true) throw new Error('the disk is full');
          this.events.push(event);
          return { id: 'evt_1', seq: this.events.length };
        },
      },
      tenant: 'default',
      clock: new FakeClock(),
      log: createLogger({ level: 'info', redactor: this.redactor, destination: sink(this.logged) }),
      readSecret: async (reference, signal) => {
        const secret = await resolveSecretReference(reference, sources, signal);
        this.redactor.learn(secret);
        return secret;
      },
      egress: this.#egress,
      path: process.env.PATH ?? '',
      gatewayHome: dir.path,
      userHome: '/home/nobody',
      limits: { backoffMs: 20, longestBackoffMs: 100, graceMs: 1_000, lookGapMs: 20, ...options.limits },
    });
    this.path = new ServersPath(this.servers);
  }

  /** Starts them; `open` waits until none of them is starting. */
  static async open(config: readonly JsonObject[], options: FixtureOptions = {}): Promise<ServersFixture> {
    const dir = options.dir ?? (await tempDir());
    const store = await openStore({ sqliteFile: `${dir.path}/sallyport.db` });
    const fixture = new ServersFixture(config, dir, store, options);
    await fixture.apply(config);
    return fixture;
  }

  async apply(config: readonly JsonObject[]): Promise<void> {
    this.#config = config;
    await this.servers.apply();
    await waitUntil('every server to have started or failed', () =>
      this.servers.states().every(({ status }) => status !== 'Starting'),
    );
  }

  async status(name: string, wanted: string): Promise<void> {
    await waitUntil(`${name} to be ${wanted}`, () => this.servers.get(name)?.status === wanted);
  }

  async calls(tool: string, input: JsonObject = {}, over: Partial<McpToolJob> = {}): Promise<ToolResult> {
    return this.path.run(admitted(jobOf(tool, input, over)));
  }

  /** Text of the first block. */
  async says(tool: string, input: JsonObject = {}, over: Partial<McpToolJob> = {}): Promise<unknown> {
    return (await this.calls(tool, input, over)).content[0]?.text;
  }

  typesOf(): readonly string[] {
    return this.events.map(({ type }) => type);
  }

  /** Stops, and leaves the folder for another one to open. */
  async close(): Promise<void> {
    await this.servers.close();
    await this.#egress.close();
    await this.#store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    if (this.#options.dir === undefined) await this.dir.remove();
  }
}

export function jobOf(tool: string, input: JsonObject = {}, over: Partial<McpToolJob> = {}): McpToolJob {
  const verdict: Verdict = { kind: 'allow', by: 'policy', opinions: [] };
  return { action: actionOf(tool, input), verdict, signal: new AbortController().signal, ...over };
}

/** What the gate does to a verdict of its own. */
export function admitted(job: McpToolJob): McpToolJob {
  issuePermit(job.verdict, job.action);
  return job;
}

export function actionOf(tool: string, input: JsonObject = {}, tenant = 'default'): Action {
  const [, server = '', name = ''] = /^mcp:([^/]+)\/(.+)$/.exec(tool) ?? [];
  return finishAction({
    actor: {
      tenant,
      user: 'ana',
      agent: 'dev',
      session: 'sess_1',
      chain: ['dev'],
      confinement: 'unconfined',
    },
    door: 'mcp',
    tool,
    type: 'custom:tool',
    effect: 'write',
    reach: 'remote',
    risk: 'high',
    target: server === '' ? { kind: 'plain' } : { kind: 'mcp', server, tool: name },
    input,
    preview: tool,
  });
}

/** A client that answers nothing and keeps what it is told. */
export function quietPeer(
  id: string,
  over: Partial<McpPeer> = {},
): McpPeer & { readonly told: JsonObject[] } {
  const told: JsonObject[] = [];
  return {
    id,
    capabilities: {},
    onRequest: async () => ({}),
    onNotification: ({ method, params = {} }) => void told.push({ method, params }),
    told,
    ...over,
  };
}

/** The code of what it rejects with; undefined when it does not. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

function sink(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
}
