import type { ExplainQuestion } from '@sallyport/protocol';
import { startTestGateway } from '@sallyport/testkit';
import { all, at, below, type Case, type Draft, type Group, type OpenWorld } from './cases.ts';

type Ask = Partial<ExplainQuestion> & Pick<ExplainQuestion, 'text'>;
type Cases = Record<string, Case<Ask> | readonly Case<Ask>[]>;

const LS: Ask = { text: 'Bash(ls)' };
const RM: Ask = { text: 'Bash(rm -rf build)' };
const GET: Ask = { form: 'http', text: 'GET https://a.example/x' };
const POST: Ask = { form: 'http', text: 'POST https://a.example/x' };
const PUSH: Ask = { form: 'cli', text: 'git push https://github.com/o/r.git topic' };
/** An exception without repositories of its own holds for those of the workspace. */
const OWN_PUSH: Ask = { ...PUSH, repositories: ['github.com/o/r'] };
const DEPLOY: Ask = { form: 'cli', text: 'kubectl apply -f x.yaml' };
const WRITE: Ask = { text: 'Write(/etc/x)', cwd: '/work' };
const POINTED: Ask = { text: 'mcp:x/open({"file":"/work/a","other":"/else"})' };
const READ: Ask = { text: 'fs.read(/work/a)' };

const exception = (value: unknown) => at('tenants.default.exceptions', [value]);
const allowed = at('agents.dev.permissions', ['allow:*']);

const BASE: Draft = {
  tenants: {
    default: {
      default_user: 'ana',
      default_agent: 'dev',
      users: { ana: { roles: ['owner'] }, bob: { roles: ['none'] } },
    },
  },
  roles: { owner: { allow: ['agent:*', 'tool:*', 'approve:*'] }, none: {} },
  agents: { dev: {} },
};

const dimensions = (path: string, given: Case<Ask>['given']): Cases => {
  const one = (key: string, value: unknown, see: Ask): Case<Ask> => ({
    ...(given === undefined ? {} : { given }),
    change: at(`${path}.${key}`, value),
    see,
  });
  return {
    '.categories[]': [one('categories', ['web'], LS), one('categories', [], GET)],
    '.file_system': one('file_system', 'workspace_only', WRITE),
    '.code_execution': one('code_execution', 'none', { text: 'Bash(python3 x.py)' }),
    '.network': one('network', 'none', GET),
    '.git': one('git', 'local_only', PUSH),
    '.terminal': one('terminal', 'none', LS),
    '.deployment': one('deployment', false, DEPLOY),
    '.requires_approval[]': {
      given: all(given ?? (() => {}), at(`${path}.deployment`, false)),
      change: at(`${path}.requires_approval`, ['deployment']),
      see: DEPLOY,
    },
  };
};

const autonomy = (path: string): Cases => {
  const open = at(path, { preset: 'full' });
  const override = (value: unknown) => at(`${path}.overrides`, { 'vcs:push': value });
  return {
    '': { given: at(path, 'full'), change: at(path, 'locked'), see: RM },
    '.preset': { given: open, change: at(`${path}.preset`, 'locked'), see: RM },
    '.overrides.*': [
      { given: open, change: override('deny'), see: PUSH },
      { given: all(open, override('deny')), change: override('human'), see: PUSH },
    ],
    '.overrides.*.read': {
      given: all(open, at(`${path}.overrides`, { 'vcs:read': { read: 'auto' } })),
      change: at(`${path}.overrides.vcs:read.read`, 'deny'),
      see: { form: 'cli', text: 'git fetch https://github.com/o/r.git' },
    },
    '.overrides.*.write': {
      given: all(open, override({ write: 'auto' })),
      change: at(`${path}.overrides.vcs:push.write`, 'deny'),
      see: PUSH,
    },
  };
};

/** `agents.*`, at the top and of a tenant. */
const agent = (path: string): Cases => {
  const allow = at(`${path}.permissions`, ['allow:*']);
  const elevated = all(allow, at(`${path}.level`, { base: 'elevated' }));
  const validation = at(`${path}.execution.tool_validation`, { Bash: { criteria: 'harmless' } });
  return {
    '': [
      { change: at(path.replace(/dev$/, 'more'), {}), see: { ...LS, agent: 'more' } },
      {
        given: at(path.replace(/dev$/, 'more'), {}),
        change: at(path.replace(/dev$/, 'more'), undefined),
        see: { ...LS, agent: 'more' },
      },
    ],
    '.description': { change: at(`${path}.description`, 'writes code'), see: LS },
    '.tools[]': [
      { change: at(`${path}.tools`, []), see: LS },
      { given: at(`${path}.tools`, ['Bash']), change: at(`${path}.tools`, ['Read']), see: LS },
    ],
    '.disallowed_tools[]': { change: at(`${path}.disallowed_tools`, ['Bash']), see: LS },
    '.permissions[]': [
      { given: allow, change: at(`${path}.permissions`, []), see: LS },
      { given: allow, change: at(`${path}.permissions`, ['deny:Bash(ls)', 'allow:*']), see: LS },
    ],
    '.level': { given: allow, change: at(`${path}.level`, 'sandboxed'), see: GET },
    '.level.base': { given: elevated, change: at(`${path}.level.base`, 'sandboxed'), see: GET },
    ...prefixed('.level', dimensions(`${path}.level`, elevated)),
    '.security_context': {
      given: all(allow, at('security_contexts', { closed: { deny_list: ['Bash'] } })),
      change: at(`${path}.security_context`, 'closed'),
      see: LS,
    },
    ...prefixed('.autonomy', autonomy(`${path}.autonomy`)),
    '.limits.max_calls_per_execution': { change: at(`${path}.limits.max_calls_per_execution`, 0), see: LS },
    '.execution.tool_validation.*': {
      given: all(at('gatekeeper', GATEKEEPER), at('tenants.default.gatekeeper', undefined)),
      change: validation,
      see: LS,
    },
  };
};

const GATEKEEPER = { model: 'openai-compatible:m', base_url: 'http://127.0.0.1:1/v1' };

function prefixed(prefix: string, cases: Cases): Cases {
  return Object.fromEntries(Object.entries(cases).map(([key, value]) => [`${prefix}${key}`, value]));
}

const rules = (path: string, role: string): Cases => ({
  '': [
    // A role of the tenant goes before one of the top level.
    { change: at(`${path}.${role}`, { allow: ['agent:*', 'tool:*'] }), see: { ...LS, user: 'bob' } },
  ],
  '.allow[]': {
    given: at(`${path}.none`, { allow: ['agent:*'] }),
    change: at(`${path}.none.allow`, ['agent:*', 'tool:*']),
    see: { ...LS, user: 'bob' },
  },
  '.deny[]': {
    given: at(`${path}.owner`, { allow: ['agent:*', 'tool:*'] }),
    change: at(`${path}.owner.deny`, ['tool:Bash']),
    see: LS,
  },
});

const network = (path: string): Cases => {
  const rule = (more: object) => at(`${path}.rules`, [{ host: 'a.example', action: 'deny', ...more }]);
  const change = (key: string, value: unknown) => at(`${path}.rules.0.${key}`, value);
  return {
    '.default': { given: at(`${path}.default`, 'allow'), change: at(`${path}.default`, 'deny'), see: GET },
    '.rules[]': [
      { given: at(path, {}), change: rule({}), see: GET },
      { given: rule({}), change: at(`${path}.rules`, []), see: GET },
    ],
    '.rules[].host': { given: rule({}), change: change('host', 'b.example'), see: GET },
    '.rules[].port': { given: rule({ port: 443 }), change: change('port', 8443), see: GET },
    '.rules[].port[]': { given: rule({ port: [443] }), change: change('port', [8443]), see: GET },
    '.rules[].method': { given: rule({ method: 'GET' }), change: change('method', 'POST'), see: GET },
    '.rules[].method[]': { given: rule({ method: ['GET'] }), change: change('method', ['POST']), see: GET },
    '.rules[].path': { given: rule({ path: '/x' }), change: change('path', '/y'), see: GET },
    '.rules[].action': { given: rule({}), change: change('action', 'ask'), see: GET },
  };
};

const contexts = (path: string): Cases => {
  const own = `${path}.c`;
  const first = `${own}.capabilities.0`;
  const use = (...changes: readonly Case<Ask>['change'][]) =>
    all(at('agents.dev.security_context', 'c'), at('agents.dev.permissions', ['allow:*']), ...changes);
  const capability = (more: object) => use(at(own, { capabilities: [{ tool: 'fs.*', ...more }] }));
  const pointed = (target: object) =>
    use(at(own, { capabilities: [{ tool: 'mcp:*', target, path_allowlist: ['/work'] }] }));
  const command = (more: object) => use(at(own, { capabilities: [{ tool: 'Bash', ...more }] }));
  return {
    '': { given: use(at(own, {})), change: at(own, { deny_list: ['Bash'] }), see: LS },
    '.deny_list[]': { given: use(at(own, {})), change: at(`${own}.deny_list`, ['Bash']), see: LS },
    '.capabilities[]': [
      { given: use(at(own, {})), change: at(`${own}.capabilities`, []), see: LS },
      {
        given: capability({}),
        change: at(`${own}.capabilities`, [{ tool: 'fs.*' }, { tool: 'Bash' }]),
        see: LS,
      },
    ],
    '.capabilities[].tool': { given: capability({}), change: at(`${first}.tool`, 'Bash'), see: LS },
    '.capabilities[].target.arg': {
      given: pointed({ arg: 'file', kind: 'path' }),
      change: at(`${first}.target.arg`, 'other'),
      see: POINTED,
    },
    '.capabilities[].target.kind': {
      given: use(
        at(own, {
          capabilities: [
            { tool: 'mcp:*', target: { arg: 'at', kind: 'url' }, domain_allowlist: ['a.example'] },
          ],
        }),
      ),
      change: at(`${first}.target.kind`, 'domain'),
      see: { text: 'mcp:x/open({"at":"https://a.example/x"})' },
    },
    '.capabilities[].path_allowlist[]': {
      given: capability({ path_allowlist: ['/work'] }),
      change: at(`${first}.path_allowlist`, ['/else']),
      see: READ,
    },
    '.capabilities[].domain_allowlist[]': {
      given: use(at(own, { capabilities: [{ tool: 'web.*', domain_allowlist: ['a.example'] }] })),
      change: at(`${first}.domain_allowlist`, ['b.example']),
      see: { text: 'web.fetch(https://a.example/)' },
    },
    '.capabilities[].account_allowlist[]': {
      given: use(at(own, { capabilities: [{ tool: 'email.*', account_allowlist: ['bot@example.com'] }] })),
      change: at(`${first}.account_allowlist`, ['ceo@example.com']),
      see: { text: 'email.read({"account":"bot@example.com"})' },
    },
    '.capabilities[].subcommand_allowlist.*': {
      given: command({ subcommand_allowlist: { cat: ['*'] } }),
      change: at(`${first}.subcommand_allowlist.ls`, ['*']),
      see: LS,
    },
    '.capabilities[].subcommand_allowlist.*[]': {
      given: command({ subcommand_allowlist: { git: ['status'] } }),
      change: at(`${first}.subcommand_allowlist.git`, ['log']),
      see: { text: 'Bash(git status)' },
    },
    '.capabilities[].rate.calls': {
      given: command({ rate: { calls: 10, per_seconds: 60 } }),
      change: at(`${first}.rate.calls`, 0),
      see: LS,
    },
  };
};

const providers = (path: string): Cases => {
  const mine = all(
    allowed,
    exception({ github: 'contents' }),
    at('tenants.default.branches.owned', ['topic']),
  );
  const given = all(mine, at(path, [{ host: 'git.corp.example', provider: 'github' }]));
  const see: Ask = {
    form: 'cli',
    text: 'git push https://git.corp.example/o/r.git topic',
    repositories: ['git.corp.example/o/r'],
  };
  return {
    '[]': [
      { given: mine, change: at(path, [{ host: 'git.corp.example', provider: 'github' }]), see },
      { given, change: at(path, []), see },
    ],
    '[].host': { given, change: at(`${path}.0.host`, 'other.corp.example'), see },
    '[].provider': { given, change: at(`${path}.0.provider`, 'slack'), see },
  };
};

/** A push to an owned branch of the workspace's own repository, and an exception of its host that goes away. */
const pushedTo = (host: string, provider: string, other?: string): Case<Ask> => ({
  given: all(allowed, exception({ [provider]: 'contents' }), at('tenants.default.branches.owned', ['topic'])),
  change: at(
    'tenants.default.exceptions.0',
    other === undefined ? { github: 'contents' } : { [provider]: other },
  ),
  // Most of these have one value: naming another provider's is what changes.
  ...(other === undefined ? { also: ['tenants.*.exceptions[].github'] } : {}),
  see: { form: 'cli', text: `git push https://${host}/o/r.git topic`, repositories: [`${host}/o/r`] },
});

const permissions = (path: string): Cases => ({
  '[]': [
    { change: at(path, ['deny:Bash(ls)']), see: LS },
    { given: at(path, ['deny:Bash(ls)']), change: at(path, ['allow:*']), see: LS },
  ],
});

const provider = { provider: 'github', methods: ['POST'], paths: ['/gists'], when: undefined };
const GIST: Ask = { form: 'http', text: 'POST https://api.github.com/gists' };
const excepted = (key: string, value: unknown): Case<Ask> => ({
  given: all(allowed, exception(JSON.parse(JSON.stringify(provider)))),
  change: at(`tenants.default.exceptions.0.${key}`, value),
  see: GIST,
});

export const policyGroup: Group<Ask> = {
  name: 'the policy, as `explain` tells it',
  cases: {
    ...below('agents.*', agent, 'agents.dev'),
    ...below('tenants.*.agents.*', agent, 'tenants.default.agents.dev'),
    ...below('roles.*', (path) => rules(path, 'none'), 'roles'),
    ...below('tenants.*.roles.*', (path) => rules(path, 'none'), 'tenants.default.roles'),
    ...below('network', network, 'network'),
    ...below('tenants.*.network', network, 'tenants.default.network'),
    ...below('security_contexts.*', contexts, 'security_contexts'),
    ...below('tenants.*.security_contexts.*', contexts, 'tenants.default.security_contexts'),
    ...below('providers', providers, 'providers'),
    ...below('tenants.*.providers', providers, 'tenants.default.providers'),
    ...below('permissions', permissions, 'permissions'),
    ...below('tenants.*.permissions', permissions, 'tenants.default.permissions'),
    ...below('tenants.*.autonomy', autonomy, 'tenants.default.autonomy'),
    'builtin_dispatchers.cmd.subcommand_allowlist.*': {
      given: all(allowed, at('builtin_dispatchers', { cmd: { subcommand_allowlist: { cat: ['*'] } } })),
      change: at('builtin_dispatchers.cmd.subcommand_allowlist.ls', ['*']),
      see: { text: 'cmd.run(ls)' },
    },
    'builtin_dispatchers.cmd.subcommand_allowlist.*[]': {
      given: all(allowed, at('builtin_dispatchers', { cmd: { subcommand_allowlist: { git: ['log'] } } })),
      change: at('builtin_dispatchers.cmd.subcommand_allowlist.git', ['status']),
      see: { text: 'cmd.run(git log)' },
    },
    platform_root: {
      given: at('permissions', ['deny:Read(/x)', 'allow:*']),
      change: at('platform_root', '/srv'),
      see: { text: 'Read(/x)' },
    },
    'tool_access.levels.*': {
      given: all(allowed, at('agents.dev.level', 'elevated')),
      change: at('tool_access.levels', { elevated: { terminal: 'none' } }),
      see: LS,
    },
    'tool_access.levels.*.description': {
      given: all(
        allowed,
        at('agents.dev.level', 'elevated'),
        at('tool_access.levels', { elevated: { terminal: 'none' } }),
      ),
      change: at('tool_access.levels.elevated.description', 'for interns'),
      see: LS,
    },
    ...prefixed(
      'tool_access.levels.*',
      dimensions(
        'tool_access.levels.elevated',
        all(allowed, at('agents.dev.level', 'elevated'), at('tool_access.levels', { elevated: {} })),
      ),
    ),
    'tenants.*.mode': {
      given: all(allowed, exception('http')),
      change: at('tenants.default.mode', 'strict'),
      see: POST,
    },
    'tenants.*.branches.owned[]': {
      given: all(allowed, exception({ github: 'contents' })),
      change: at('tenants.default.branches.owned', ['topic']),
      see: OWN_PUSH,
    },
    'tenants.*.branches.protected[]': {
      given: allowed,
      change: at('tenants.default.branches.protected', ['topic']),
      see: PUSH,
    },
    'tenants.*.exceptions[]': [
      { given: allowed, change: exception('http'), see: POST },
      { given: all(allowed, exception('http')), change: at('tenants.default.exceptions', []), see: POST },
    ],
    'tenants.*.exceptions[].github': {
      given: all(allowed, exception({ github: 'contents' }), at('tenants.default.branches.owned', ['topic'])),
      change: at('tenants.default.exceptions.0.github', 'actions'),
      see: OWN_PUSH,
    },
    'tenants.*.exceptions[].gitlab': pushedTo('gitlab.com', 'gitlab', 'collaboration'),
    'tenants.*.exceptions[].bitbucket': pushedTo('bitbucket.org', 'bitbucket'),
    'tenants.*.exceptions[].git': {
      ...pushedTo('git.corp.example', 'git'),
      given: all(
        pushedTo('git.corp.example', 'git').given ?? (() => {}),
        at('providers', [{ host: 'git.corp.example', provider: 'git' }]),
      ),
    },
    'tenants.*.exceptions[].repositories[]': {
      given: all(
        allowed,
        exception({ github: 'contents', repositories: ['o/r'] }),
        at('tenants.default.branches.owned', ['topic']),
      ),
      change: at('tenants.default.exceptions.0.repositories', ['o/else']),
      see: PUSH,
    },
    'tenants.*.exceptions[].provider': excepted('provider', 'gitlab'),
    'tenants.*.exceptions[].methods[]': excepted('methods', ['PUT']),
    'tenants.*.exceptions[].paths[]': excepted('paths', ['/else']),
    'tenants.*.exceptions[].when': excepted('when', 'mutation x'),
    'tenants.*': [
      {
        change: at('tenants.more', { users: { ana: {} } }),
        see: { ...LS, tenant: 'more', user: 'ana', agent: 'dev' },
      },
    ],
  },
  open: async (): Promise<OpenWorld> => {
    const gateway = await startTestGateway({ config: JSON.stringify(BASE) });
    return { gateway, base: BASE, [Symbol.asyncDispose]: () => gateway.close() };
  },
  async look({ gateway }, see) {
    const answer = await gateway.operator('/v1/explain', { json: { confinement: 'jailed', ...see } });
    // Where a rule stands moves with every change of the file, and what to change is advice.
    return JSON.parse(answer.text, (key, value: unknown) =>
      key === 'at' || key === 'change' ? undefined : value,
    );
  },
};
