import { isDeepStrictEqual } from 'node:util';
import type { EventActor, EventType, JsonObject } from '@sallyport/protocol';
import { SallyportError } from '@sallyport/protocol';
import type { AuditTrail, Logger } from '../../audit/index.ts';
import type { McpServerConfig } from '../../config/index.ts';
import type { Egress } from '../../egress/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Secret } from '../../shared/secret.ts';
import type { McpPinsRepository } from '../../store/index.ts';
import { CapabilityIndex } from './capability-index.ts';
import { Catalogue, type PendingChange } from './catalogue.ts';
import type { Definition } from './definition.ts';
import { createLauncher, type Launcher } from './launch.ts';
import { MCP_LIMITS, type McpLimits } from './limits.ts';
import { McpServer } from './mcp-server.ts';
import { offeredReads, type PresetReads, ServerReads } from './server-reads.ts';
import type { ServerDirectory, ServerTool } from './servers-path.ts';
import type { ServerStatus } from './supervisor.ts';

export interface McpServersParts {
  /** `mcp_servers` of the config in force */
  readonly config: () => readonly McpServerConfig[];
  readonly pins: Pick<McpPinsRepository, 'ofServer' | 'put' | 'remove'>;
  readonly trail: Pick<AuditTrail, 'append'>;
  /** tenant of the events */
  readonly tenant: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Reads a reference of the config, and teaches it to whatever redacts. */
  readonly readSecret: (reference: string, signal: AbortSignal) => Promise<Secret>;
  readonly egress: Pick<Egress, 'exchange' | 'connect'>;
  /** where programs are looked for */
  readonly path: string;
  /** `$SALLYPORT_HOME` and the home of the gateway's user: never visible to a server in a sandbox */
  readonly gatewayHome: string;
  readonly userHome: string;
  /** where servers keep what they need again; absent: nowhere */
  readonly homes?: string | undefined;
  /** told of each process that was started, whose family is no person's */
  readonly onProcess?: (server: string, pid: number) => void;
  readonly limits?: Partial<McpLimits>;
}

/** A server as people see it. */
export interface ServerState {
  readonly name: string;
  readonly status: ServerStatus;
  readonly transport: 'stdio' | 'http';
  /** names by which policies call its accepted tools */
  readonly tools: readonly string[];
  /** definitions that wait for a person */
  readonly pending: number;
  readonly restarts: number;
  /** connections of clients */
  readonly clients: number;
  readonly pid: number | undefined;
  /** why it ended the last time */
  readonly lastError: string | undefined;
  /** accepted tools that are judged as reads, by the server's own names */
  readonly reads: readonly string[];
  /** a preset for a server of this name; in force where the config has its entry */
  readonly offered: PresetReads | undefined;
  /** presets of the config whose definitions are others by now: they hold for nothing */
  readonly outdated: readonly string[];
}

interface Kept {
  readonly config: McpServerConfig;
  readonly server: McpServer;
  /** what it is called by without its own name */
  readonly capabilities: CapabilityIndex;
  readonly launcher: Launcher;
}

/** Names that are remembered; agents make them up, so there is an end. */
const NAMES_AT_MOST = 1_000;

/** The MCP servers that the config names: started, looked after, and found by the names of their tools. */
export class McpServers implements ServerDirectory {
  readonly #parts: McpServersParts;
  readonly #limits: McpLimits;
  // process-local: servers that this process runs
  readonly #kept = new Map<string, Kept>();
  // process-local: callbacks of this process
  readonly #listeners = new Set<() => void>();
  /** what names stand for, and whose servers are whose: asked several times for each call */
  // process-local: a cache of the servers that this process runs
  readonly #found = new Map<string, ServerTool | undefined>();
  // process-local: a cache of the servers that this process runs
  readonly #byTenant = new Map<string, readonly McpServer[]>();
  /** made anew when the config or a definition is another */
  #reads = new WeakMap<McpServer, ServerReads>();
  #index = new CapabilityIndex([]);
  #turn: Promise<void> = Promise.resolve();

  constructor(parts: McpServersParts) {
    this.#parts = parts;
    this.#limits = { ...MCP_LIMITS, ...parts.limits };
  }

  /** Makes what runs what the config says: also the first time. Servers whose entry did not change run on. */
  async apply(): Promise<void> {
    const done = this.#turn.then(() => this.#apply());
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    await this.#turn;
    await Promise.all([...this.#kept.keys()].map((name) => this.#stop(name)));
  }

  get(name: string): McpServer | undefined {
    return this.#kept.get(name)?.server;
  }

  ofTenant(tenant: string): readonly McpServer[] {
    const known = this.#byTenant.get(tenant);
    if (known !== undefined) return known;
    const servers = [...this.#kept.values()].flatMap(({ config, server }) =>
      config.tenants.includes(tenant) ? [server] : [],
    );
    this.#byTenant.set(tenant, servers);
    return servers;
  }

  find(tool: string): ServerTool | undefined {
    const known = this.#found.get(tool);
    if (known !== undefined || this.#found.has(tool)) return known;
    const found = this.#find(tool);
    if (this.#found.size >= NAMES_AT_MOST) this.#found.clear();
    this.#found.set(tool, found);
    return found;
  }

  #find(tool: string): ServerTool | undefined {
    const [, name, own] = /^mcp:([^/]+)\/(.+)$/.exec(tool) ?? [];
    const server = this.get(name ?? this.#index.ownerOf(tool) ?? '');
    if (server === undefined) return undefined;
    const found = { server, tool: own ?? tool };
    // SECURITY: each tool has one name. Under a second one the rules for the first would not hold.
    return this.nameOf(server.name, found.tool) === tool ? found : undefined;
  }

  nameOf(server: string, tool: string): string | undefined {
    if (this.#kept.get(server)?.capabilities.ownerOf(tool) === undefined) return `mcp:${server}/${tool}`;
    return this.#index.ownerOf(tool) === server ? tool : undefined;
  }

  /** Whether the semantic judge is not asked about this tool. */
  skipsJudge(tool: string): boolean {
    const found = this.find(tool);
    return found !== undefined && this.#kept.get(found.server.name)?.config.skip_judge === true;
  }

  /** Whether the operator says of a call of this tool that it only reads. */
  onlyReads(tool: string, input?: JsonObject): boolean {
    const found = this.find(tool);
    return found !== undefined && this.#readsOf(found.server).has(found.tool, input);
  }

  #readsOf(server: McpServer): ServerReads {
    const known = this.#reads.get(server);
    if (known !== undefined) return known;
    const { reads = [] } = this.#kept.get(server.name)?.config ?? {};
    const made = new ServerReads(reads, reads.length === 0 ? new Map() : server.catalogue.accepted());
    this.#reads.set(server, made);
    return made;
  }

  /** Told when tools or states may be others than before. Returns how to stop listening. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A client is gone: its connections to all servers are closed. */
  async dropPeer(peer: string): Promise<void> {
    await Promise.all([...this.#kept.values()].map(({ server }) => server.dropPeer(peer)));
  }

  states(): readonly ServerState[] {
    return [...this.#kept.values()].map(({ config, server }) => ({
      name: server.name,
      status: server.status,
      transport: config.url === undefined ? 'stdio' : 'http',
      tools: [...server.catalogue.tools.keys()].flatMap((tool) => this.nameOf(server.name, tool) ?? []),
      pending: server.catalogue.pending().length,
      restarts: server.restarts,
      clients: server.clients,
      pid: server.pid,
      lastError: server.lastError,
      ...this.#readsState(server),
    }));
  }

  #readsState(server: McpServer): Pick<ServerState, 'reads' | 'offered' | 'outdated'> {
    const accepted = server.catalogue.accepted();
    const now = this.#readsOf(server);
    return {
      reads: [...accepted.keys()].filter((tool) => now.has(tool)),
      offered: offeredReads(String(server.hello?.serverInfo.name ?? ''), accepted),
      outdated: now.outdated,
    };
  }

  /** What a person must look at before it is shown. Throws `NotFound`. */
  pending(name: string): readonly PendingChange[] {
    return this.#known(name).catalogue.pending();
  }

  /** A person accepts what they saw. For the operator side only. */
  async accept(
    name: string,
    changes: readonly { readonly kind: string; readonly name: string; readonly hash: string }[],
    actor: EventActor,
  ): Promise<readonly PendingChange[]> {
    const by = actor.kind === 'person' ? actor.user : actor.kind;
    return this.#known(name).catalogue.accept(changes, by, (accepted) =>
      this.#record('MCPServerEvent::DefinitionsAccepted', actor, {
        server: name,
        definitions: accepted.map(({ kind, name: of, hash }) => ({ kind, name: of, hash })),
      }),
    );
  }

  async restart(name: string): Promise<void> {
    await this.#known(name).restart();
  }

  async #apply(): Promise<void> {
    const wanted = new Map(this.#parts.config().map((config) => [config.name, config]));
    const stale = [...this.#kept].filter(
      ([name, { config }]) => !isDeepStrictEqual(runAs(wanted.get(name)), runAs(config)),
    );
    await Promise.all(stale.map(([name]) => this.#stop(name)));
    for (const config of wanted.values()) {
      const running = this.#kept.get(config.name);
      if (running !== undefined) {
        // How it runs is the same: calls that are under way go on.
        this.#kept.set(config.name, { ...running, config, capabilities: new CapabilityIndex([config]) });
        continue;
      }
      try {
        await this.#start(config);
      } catch (error) {
        // One that cannot be set up (no room for its folder, pins that cannot be read) does not stop the others.
        this.#parts.log.error({ err: error, server: config.name }, 'a tool server could not be set up');
        this.#recordLater('MCPServerEvent::Failed', {
          server: config.name,
          reason: 'it could not be set up',
        });
      }
    }
    this.#index = new CapabilityIndex(wanted.values());
    this.#forget();
    this.#changed();
  }

  async #start(config: McpServerConfig): Promise<void> {
    const { name } = config;
    const { log, clock, pins } = this.#parts;
    const catalogue = new Catalogue({
      server: name,
      pins,
      clock,
      record: (what, definitions) =>
        this.#record(
          `MCPServerEvent::Definitions${what}`,
          { kind: 'gateway' },
          { server: name, definitions: shown(definitions) },
        ),
      onChange: () => this.#changed(),
    });
    await catalogue.load();
    const { tenant, path, gatewayHome, userHome, homes, egress, readSecret } = this.#parts;
    const launcher = await createLauncher(config, {
      ...{ tenant, path, gatewayHome, userHome, homes, egress, readSecret },
      limits: this.#limits,
      onStderr: (line) => log.info({ server: name, line }, 'a tool server said'),
      onStarted: (pid) => this.#parts.onProcess?.(name, pid),
    });
    const server = new McpServer({
      name,
      catalogue,
      launch: () => launcher.launch(),
      limits: this.#limits,
      timeoutMs: config.timeout_seconds * 1000,
      health: { intervalMs: config.health_check.interval_seconds * 1000, method: config.health_check.method },
      onStarted: () => {
        this.#recordLater('MCPServerEvent::Started', { server: name });
        this.#changed();
      },
      onFailed: (reason, pauseMs) => {
        log.warn({ server: name, reason, pauseMs }, 'a tool server is not running');
        this.#recordLater('MCPServerEvent::Failed', { server: name, reason, pause_ms: pauseMs });
        this.#changed();
      },
    });
    this.#kept.set(name, { config, server, capabilities: new CapabilityIndex([config]), launcher });
    this.#forget();
    server.start();
  }

  async #stop(name: string): Promise<void> {
    const kept = this.#kept.get(name);
    if (kept === undefined) return;
    this.#kept.delete(name);
    this.#forget();
    await kept.server.stop();
    await kept.launcher.close();
    this.#recordLater('MCPServerEvent::Stopped', { server: name });
    this.#changed();
  }

  /** SECURITY: whenever there are other servers or names: what is remembered must not outlive them. */
  #forget(): void {
    this.#found.clear();
    this.#byTenant.clear();
    this.#reads = new WeakMap();
  }

  #known(name: string): McpServer {
    const server = this.get(name);
    if (server !== undefined) return server;
    throw new SallyportError('NotFound', { message: `there is no MCP server \`${name}\`` });
  }

  #changed(): void {
    this.#reads = new WeakMap();
    for (const listener of this.#listeners) listener();
  }

  async #record(type: EventType, actor: EventActor, data: JsonObject): Promise<void> {
    await this.#parts.trail.append({ tenant: this.#parts.tenant, type, actor, data });
  }

  #recordLater(type: EventType, data: JsonObject): void {
    this.#record(type, { kind: 'gateway' }, data).catch((error: unknown) =>
      this.#parts.log.error({ err: error, type }, 'what a tool server did could not be recorded'),
    );
  }
}

/** What its process or connection is made of; the rest says who may use it, and how it is judged. */
function runAs(config: McpServerConfig | undefined): object | undefined {
  if (config === undefined) return undefined;
  const { tenants, capabilities, reads, skip_judge, ...rest } = config;
  return rest;
}

function shown(definitions: readonly Definition[]): readonly JsonObject[] {
  return definitions.map(({ kind, name, hash }) => ({ kind, name, hash }));
}
