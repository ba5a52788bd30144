const NETWORK = {
  default: 'default answers for what no rule names',
  'rules[].host': 'host is one host, all below it, a list, or any',
  'rules[].port': 'port narrows a rule',
  'rules[].port[]': 'port narrows a rule',
  'rules[].method': 'method narrows a rule',
  'rules[].method[]': 'method narrows a rule',
  'rules[].path': 'path narrows a rule',
  'rules[].action': 'action is allow, ask or deny, and the first rule that matches counts',
  'allow_private[]': 'allow_private opens for the tenant that names it, and from the top level for all',
  'ca_files[]': 'ca_files are trusted for the tenant that names them, and from the top level for all',
  'tunnel[]': 'tunnel passes TLS through unopened, judged as a write, and lends nothing',
  'pass_auth[]': 'pass_auth lets the auth of the agent through to that host alone',
  'strip_headers[]': 'strip_headers takes more headers out',
  'read_budget.request': 'read_budget.request is what one read may carry out without a question',
  'read_budget.session': 'read_budget.session is what the reads of a session may carry to one host',
  preview_body_bytes: 'preview_body_bytes is how much of a body is judged and shown',
  max_spool_bytes: 'max_spool_bytes bounds what is kept while people are asked',
};

const ROUTES = {
  '[].host': 'a route lends its credential on its host',
  '[].port': 'a route may name a port',
  '[].path': 'a route may name a path, and the first match counts',
  '[].credential': 'a route lends its credential on its host',
  '[].inject.header': 'inject says how the value is put in',
  '[].inject.format': 'inject says how the value is put in',
};

const SECURITY_CONTEXTS = {
  '*.deny_list[]': 'the deny_list of a security context is refused',
  '*.capabilities[].tool': 'the tool of a capability opens that tool and no other',
  '*.capabilities[].target.arg': 'target.arg is the argument that the allowlists look at',
  '*.capabilities[].target.kind': 'target.kind says what the argument is',
  '*.capabilities[].path_allowlist[]': 'path_allowlist holds every path on component borders',
  '*.capabilities[].domain_allowlist[]': 'domain_allowlist holds hosts and the domains of addresses',
  '*.capabilities[].account_allowlist[]': 'account_allowlist holds the account that is acted as',
  '*.capabilities[].subcommand_allowlist.*[]':
    'subcommand_allowlist holds the program and its first positional argument',
  '*.capabilities[].max_output_bytes': 'max_output_bytes refuses a result that is larger',
  '*.capabilities[].timeout_seconds': 'timeout_seconds breaks a call off that takes longer',
  '*.capabilities[].rate.calls': 'rate.calls is the most calls of that tool in the window',
  '*.capabilities[].rate.per_seconds': 'rate.per_seconds is the length of the window that admit counts in',
};

const TENANT_CONTEXT = 'a security context of the tenant goes before one of the top level';
const PROVIDERS = 'providers give a host another provider, for exceptions and for the classifiers';
const PERMISSIONS =
  'permissions at the top, of the tenant and of the agent are judged apart, and the strictest counts';

const AUTONOMY = {
  '': '$preset, $why: $expected',
  preset: '$preset, $why: $expected',
  'overrides.*': 'overrides answer for a type, which goes before its category',
  'overrides.*.read': 'overrides may differ for reads and writes',
  'overrides.*.write': 'overrides may differ for reads and writes',
};
const TENANT_AUTONOMY = 'the autonomy of the agent goes before that of the tenant';

const DIMENSIONS = {
  'categories[]': 'tool_access changes the categories of a level',
  file_system: 'file_system limits paths to the workspace, the project, or not at all',
  code_execution: 'code_execution runs code nowhere, in a jail, or anywhere',
  network: 'network is closed, open to named hosts, or open',
  git: 'git stays local, reads and branches, or does all',
  terminal: 'terminal runs nothing, the restricted commands, or all',
  deployment: 'deployment is within reach, or not',
  'requires_approval[]': 'requires_approval puts a person before deployments and database writes',
};
const LEVELS = 'tool_access changes every dimension of a built-in level';

const below = (prefix: string, table: Readonly<Record<string, string>>, title?: string) =>
  Object.fromEntries(
    Object.entries(table).map(([path, own]) => [path === '' ? prefix : `${prefix}.${path}`, title ?? own]),
  );

const beside = (prefix: string, table: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(table).map(([path, title]) => [`${prefix}${path}`, title]));

const EACH_PROVIDER = 'an exception for repositories is for the hosts of its provider';

/**
 * Every policy setting that the schema accepts, and the title of the test that shows its effect.
 *
 * A setting without an entry, and an entry whose test is gone, fail the build: configured means enforced.
 */
export const SETTING_TESTS: Readonly<Record<string, string>> = {
  'permissions[]': PERMISSIONS,
  ...below('network', NETWORK),
  ...beside('routes', ROUTES),
  ...below('security_contexts', SECURITY_CONTEXTS),
  'builtin_dispatchers.cmd.subcommand_allowlist.*[]':
    'builtin_dispatchers is the ceiling of cmd.run, whatever a context allows',
  'providers[].host': PROVIDERS,
  'providers[].provider': PROVIDERS,
  'custom_types[]': 'custom_types makes an own type known to rules',
  platform_root: 'platform_root is what a path that begins with / means in a rule',
  'tool_access.levels.*.description': 'the description of a level is in the reason that people read',
  ...below('tool_access.levels.*', DIMENSIONS, LEVELS),
  'tool_access.levels.*.categories[]': 'tool_access changes the categories of a level',

  'tenants.*.mode': 'mode strict asks for every remote write, cautious for all but the exceptions',
  'tenants.*.branches.owned[]':
    'branches.owned are what github contents covers, with the user and the agent filled in',
  'tenants.*.branches.protected[]': 'branches.protected ask each time, exception or not',
  'tenants.*.exceptions[]': 'an exception may be any selector of a rule',
  'tenants.*.exceptions[].github':
    'exceptions github contents and actions each cover their own area, on GitHub only',
  'tenants.*.exceptions[].gitlab': EACH_PROVIDER,
  'tenants.*.exceptions[].bitbucket': EACH_PROVIDER,
  'tenants.*.exceptions[].git': EACH_PROVIDER,
  'tenants.*.exceptions[].provider': 'a provider exception is narrowed by methods, paths and when',
  'tenants.*.exceptions[].methods[]': 'a provider exception is narrowed by methods, paths and when',
  'tenants.*.exceptions[].paths[]': 'a provider exception is narrowed by methods, paths and when',
  'tenants.*.exceptions[].repositories[]': 'those that it names, in place of the workspace',
  'tenants.*.exceptions[].when': 'a provider exception is narrowed by methods, paths and when',
  'tenants.*.permissions[]': PERMISSIONS,
  ...below('tenants.*.network', NETWORK),
  ...beside('tenants.*.routes', ROUTES),
  ...below('tenants.*.security_contexts', SECURITY_CONTEXTS, TENANT_CONTEXT),
  'tenants.*.providers[].host': PROVIDERS,
  'tenants.*.providers[].provider': PROVIDERS,
  ...below('tenants.*.autonomy', AUTONOMY, TENANT_AUTONOMY),
  'tenants.*.grants.allow_always': 'grants.allow_always says whether people may give permanent grants',

  'agents.*.tools[]': 'tools is the list of what the agent sees: absent all, empty none',
  'agents.*.disallowed_tools[]': 'disallowed_tools are refused, also through delegation',
  'agents.*.permissions[]': PERMISSIONS,
  'agents.*.level': 'a level gates tools by category',
  'agents.*.level.base': 'tool_access changes the categories of a level',
  ...below('agents.*.level', DIMENSIONS),
  'agents.*.security_context': 'one capability that holds is enough, and security_context names the context',
  ...below('agents.*.autonomy', AUTONOMY),
  'agents.*.limits.max_calls_per_execution': 'max_calls_per_execution ends an execution',
};
