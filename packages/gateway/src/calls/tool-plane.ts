import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '@sallyport/protocol';
import type { AuditTrail, Logger } from '../audit/index.ts';
import type { Config, HomePaths, Variables } from '../config/index.ts';
import { type Broker, compileRoutes } from '../credentials/index.ts';
import type { Egress } from '../egress/index.ts';
import {
  CommandPath,
  createFilesPath,
  type FilesContext,
  McpServers,
  ServersPath,
  type ToolPath,
  ToolRouter,
} from '../executors/index.ts';
import type { Gate, PolicySet } from '../gate/index.ts';
import { BACKENDS, type SandboxBackend } from '../sandbox/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { Secret } from '../shared/secret.ts';
import { McpPinsRepository, type Store } from '../store/index.ts';
import { AccessRequests } from './access-requests.ts';
import { isShown } from './shown-names.ts';
import { isServerRead, ToolCalls, type ToolCallsParts, type ToolRoutes } from './tool-calls.ts';

export interface ToolPlaneParts {
  readonly paths: HomePaths;
  /** the config of this moment */
  readonly config: { readonly config: Config };
  readonly env: Variables;
  readonly store: Store;
  readonly trail: AuditTrail;
  readonly policies: () => PolicySet;
  /** Reads tool calls of a tenant as its policy of this moment says. */
  readonly builderFor: ToolCallsParts['builderFor'];
  readonly gate: Gate;
  readonly egress: Egress;
  readonly credentials: Pick<Broker, 'facts'>;
  readonly readSecret: (reference: string, signal: AbortSignal) => Promise<Secret>;
  /** told of every process of a server */
  readonly onProcess: (server: string, pid: number) => void;
  readonly systemTenant: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Tools that the gateway carries out itself, and the way to them. */
export interface ToolPlane {
  readonly calls: ToolCalls;
  /** what agents ask for beforehand */
  readonly access: AccessRequests;
  readonly servers: McpServers;
  readonly commands: CommandPath;
  knows(tool: string): boolean;
  /** Whether a client of this actor is shown a tool of that name, in either spelling. */
  shows(actor: Actor, name: string): boolean;
  /** Makes it what the config says now. */
  apply(): Promise<void>;
  close(): Promise<void>;
}

/** Puts the three paths, the router and the calls together. Servers start in the background. */
export function openToolPlane(parts: ToolPlaneParts): ToolPlane {
  const { config, store, trail, policies, clock, log, paths } = parts;
  const onProblem = (error: unknown, what: string): void => log.warn({ err: error }, what);
  const servers = new McpServers({
    config: () => config.config.mcp_servers,
    pins: new McpPinsRepository(store),
    ...{ trail, clock, log, tenant: parts.systemTenant },
    readSecret: parts.readSecret,
    egress: parts.egress,
    path: parts.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    gatewayHome: paths.home,
    userHome: parts.env.HOME ?? homedir(),
    homes: serverHomes(parts.env, paths.home),
    onProcess: parts.onProcess,
  });
  const files = createFilesPath({ volumes: config.config.volumes, trail, home: paths.home, clock });
  const userHome = parts.env.HOME ?? homedir();
  const host = { gatewayHome: paths.home, userHome, user: ownUser() };
  let opened: Promise<SandboxBackend> | undefined;
  const backend = (): Promise<SandboxBackend> => {
    opened ??= BACKENDS.bubblewrap.openCommands(host);
    return opened;
  };
  const commands = new CommandPath({
    trail,
    sandbox: { backend, volumes: () => config.config.volumes },
  });
  const router = new ToolRouter([files, commands, new ServersPath(servers)]);
  const routes = withoutReads(router, (tool) => servers.find(tool) !== undefined);
  const calls = new ToolCalls({
    gate: parts.gate,
    policyOf: (tenant) => policies().policyOf(tenant),
    rolesReach: (actor, tool) => policies().mayUseSomehow(actor, tool),
    builderFor: parts.builderFor,
    routes,
    worldOf: (tool, tenant) => worldOf(tool, files.context(tenant)),
    onlyReads: (tool, input) => servers.onlyReads(tool, input),
    onRefused: (action, violation) => files.refused(action, violation),
    trail,
    onProblem,
  });
  const access = new AccessRequests({
    ...{ gate: parts.gate, builderFor: parts.builderFor, trail, onProblem },
    credentialFor: lentBy(parts),
    onlyReads: (tool) => servers.onlyReads(tool, {}),
    visible: (actor) => calls.visible(actor),
  });
  return {
    calls,
    access,
    servers,
    commands,
    knows: (tool) => routes.knows(tool),
    shows: (actor, name) => isShown(name, calls.visible(actor)),
    async apply() {
      files.update(config.config.volumes);
      await servers.apply();
    },
    async close() {
      await Promise.all([servers.close(), opened?.then((sandboxes) => sandboxes.cleanup())]);
      files[Symbol.dispose]();
    },
  };
}

/**
 * What the proxy would lend with a plain request: its route's, else the only one of the session that may go there, whose
 * placeholder the agent holds. A wrong guess is asked about again, with the credential that it is then.
 */
function lentBy({
  config,
  credentials,
}: ToolPlaneParts): ConstructorParameters<typeof AccessRequests>[0]['credentialFor'] {
  return ({ tenant, credentials: names }, host, port, path) => {
    const { tenants, routes } = config.config;
    const own = Object.hasOwn(tenants, tenant) ? (tenants[tenant]?.routes ?? []) : [];
    const route = compileRoutes([...own, ...routes])(host, port, path);
    if (route !== undefined) return route.credential;
    const [only, ...more] = names.filter((name) => credentials.facts(tenant, name)?.mayGoTo(host) === true);
    return more.length === 0 ? only : undefined;
  };
}

/** Beside the gateway's home, never in it: it is what servers can write. */
function serverHomes({ HOME, XDG_CACHE_HOME }: Variables, home: string): string | undefined {
  const caches = XDG_CACHE_HOME ?? (HOME === undefined ? undefined : join(HOME, '.cache'));
  if (caches === undefined) return undefined;
  const own = createHash('sha256').update(home).digest('hex').slice(0, 12);
  return join(caches, 'sallyport', 'servers', own);
}

/** Whose files a command writes: the gateway's, whoever that is. */
function ownUser(): { readonly uid: number; readonly gid: number; readonly name: string } {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, name: 'agent' };
}

/** Files are named as they are in volumes; commands run where nothing of this host can be seen. */
function worldOf(tool: string, { cwd, links }: FilesContext): FilesContext {
  return { cwd, links: tool.startsWith('fs.') ? links : () => ({ kind: 'missing' }) };
}

/**
 * SECURITY: reading a resource is judged as `mcp:SERVER/resources/read`. A server that calls one of its tools so must not
 * have it run by what was allowed for reading.
 */
function withoutReads(router: ToolRouter, hasServer: (tool: string) => boolean): ToolRoutes {
  return {
    tools: (actor) => router.tools(actor).filter(({ tool }) => !isServerRead(tool)),
    knows: (tool) => (isServerRead(tool) ? hasServer(tool) : router.knows(tool)),
    run: (job) => (isServerRead(job.action.tool) ? NO_PATH.run(job) : router.run(job)),
  };
}

const NO_PATH: Pick<ToolPath, 'run'> = new ToolRouter([]);
