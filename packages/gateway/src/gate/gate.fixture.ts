import type {
  Action,
  CommandFact,
  CommandTarget,
  HttpTarget,
  Judgement,
  PathFact,
  Target,
} from '@sallyport/protocol';
import { ConfigSchema, type LoadedConfig } from '../config/index.ts';
import type { MachineFacts } from '../shared/closed-address.ts';
import { judge } from './judge.ts';
import { compilePolicy } from './policy/compile-policy.ts';
import type { CompiledPolicy } from './policy/compiled-policy.ts';
import type { PolicyOptions } from './policy/policy-options.ts';
import type { Snapshot } from './policy/snapshot.ts';

/** Actions, policies and snapshots for the tests and the bench of the gate. Everything is real but the facts. */

export const CWD = '/srv/root/project';

export const OPTIONS: PolicyOptions = {
  lists: new Map([['known', ['api.github.com', 'github.com', '*.docs.example']]]),
  root: '/srv/root',
  home: '/home/ana',
};

/** A machine with one address in a private network, and a gateway on its usual ports. */
export const MACHINE: MachineFacts = {
  ownPorts: new Set([7180, 7181, 7183]),
  machine: new Set(['127.0.0.1', '::1', '192.168.7.7']),
};

/** A config as if it had been read from a file; places are made from the path. */
export function load(config: object): LoadedConfig {
  const parsed = ConfigSchema.parse(config);
  return {
    config: parsed,
    revision: 'test',
    files: ['sallyport.yaml'],
    warnings: [],
    at: (path) => ({ file: `sallyport.yaml#${path.join('.')}`, line: 1, column: 1 }),
  };
}

/** Policy of tenant `default`; an agent `dev` without settings is there unless the config has its own. */
export function policyOf(config: object = {}, options: Partial<PolicyOptions> = {}): CompiledPolicy {
  const given = config as { agents?: object; tenants?: object };
  const full = {
    ...config,
    agents: { dev: {}, ...given.agents },
    tenants: { default: {}, ...given.tenants },
  };
  return compilePolicy(load(full), 'default', { ...OPTIONS, ...options });
}

export function snapshotOf(policy: CompiledPolicy, over: Partial<Snapshot> = {}): Snapshot {
  return {
    now: 1_000,
    policy,
    identity: {
      kind: 'session',
      alive: true,
      expiresAt: 2_000,
      rights: { permitted: true },
      workspace: CWD,
      project: '/srv/root',
      repositories: ['github.com/acme/app'],
    },
    counters: { executionCalls: 0, windows: new Map() },
    machine: MACHINE,
    toolKnown: true,
    comesAgain: false,
    ...over,
  };
}

type ActionParts = Partial<Omit<Action, 'actor'>> & { readonly actor?: Partial<Action['actor']> };

export function actionOf(tool: string, target: Target, over: ActionParts = {}): Action {
  return {
    id: 'act_1',
    door: 'hook',
    tool,
    type: 'custom:cli',
    effect: 'read',
    reach: 'workspace',
    risk: 'low',
    target,
    input: {},
    preview: tool,
    binding: 'b',
    fingerprint: 'f',
    ...over,
    actor: {
      tenant: 'default',
      user: 'ana',
      agent: 'dev',
      session: 'sess_1',
      chain: ['dev'],
      confinement: 'jailed',
      ...over.actor,
    },
  };
}

export const fact = (text: string, over: Partial<CommandFact> = {}): CommandFact => ({
  program: text.split(' ')[0] ?? '',
  argv: text.split(' '),
  text,
  effect: 'read',
  reach: 'workspace',
  type: 'custom:cli',
  risk: 'low',
  writes: [],
  ...over,
});

/** A shell line whose commands are separated by ` ; `; facts may stand in the place of text. */
export function bash(line: string | readonly (string | CommandFact)[], over: ActionParts = {}): Action {
  const parts = typeof line === 'string' ? line.split(' ; ') : line;
  const commands = parts.map((part) => (typeof part === 'string' ? fact(part) : part));
  const target: CommandTarget = { kind: 'command', form: 'shell', cwd: CWD, commands };
  return actionOf('Bash', target, over);
}

export const pathFact = (real: string, access: PathFact['access'] = 'write'): PathFact => ({
  given: real,
  real,
  access,
});

export function file(tool: string, real: string, over: ActionParts = {}): Action {
  const access = /^(Read|Glob|Grep|LS|fs\.read|fs\.list)$/.test(tool) ? 'read' : 'write';
  const type = access === 'read' ? 'code:read' : 'code:write';
  return actionOf(tool, { kind: 'path', cwd: CWD, paths: [pathFact(real, access)] }, { type, ...over });
}

/** `http('GET api.github.com/repos/a')`, as the proxy makes it. */
export function http(request: string, over: Partial<HttpTarget> = {}, parts: ActionParts = {}): Action {
  const [, method = '', host = '', path = '/'] = /^(\S+) ([^/]+)(\/.*)?$/.exec(request) ?? [];
  const target: HttpTarget = {
    kind: 'http',
    scheme: 'https',
    host,
    port: 443,
    method,
    path,
    queryKeys: [],
    ...over,
  };
  const effect = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? 'read' : 'write';
  return actionOf('http', target, { door: 'proxy', type: 'custom:http', reach: 'remote', effect, ...parts });
}

export const mcp = (server: string, tool: string, over: ActionParts = {}): Action =>
  actionOf(`mcp:${server}/${tool}`, { kind: 'mcp', server, tool }, { door: 'mcp', ...over });

/** `allow`, `ask review`, `deny RuleDenied`: a judgement in one line. */
export function short(judgement: Judgement): string {
  switch (judgement.outcome) {
    case 'allow':
      return 'allow';
    case 'ask':
      return `ask ${judgement.strength}`;
    case 'deny':
      return `deny ${judgement.violation}`;
  }
}

/** Judges under a config that says nothing else: no mode, network open, tenant `default`. */
export function judged(config: object, action: Action, over: Partial<Snapshot> = {}): string {
  return short(judge(action, snapshotOf(policyOf(config), over)));
}
