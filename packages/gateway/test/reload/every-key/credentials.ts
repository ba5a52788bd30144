import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestGateway } from '@sallyport/testkit';
import { all, at, type Case, type Draft, type Group, type OpenWorld } from './cases.ts';

/** The credential that is looked at. */
type Cases = Record<string, Case<string>>;

/** Nobody listens there: what would go out fails at once. */
const NOWHERE = 'http://127.0.0.1:1';
const ELSEWHERE = 'http://127.0.0.1:2';
const HOSTS = ['a.example'];
const FILE = 'file:value.txt';

/** An entry of each kind with all of its keys, and another value for each of those that not every kind has. */
const KINDS: Readonly<Record<string, { readonly entry: Draft; readonly others: Draft }>> = {
  bearer: { entry: { source: FILE, hosts: HOSTS }, others: {} },
  basic: { entry: { source: FILE, hosts: HOSTS }, others: { user: 'ana' } },
  header: {
    entry: { source: FILE, hosts: HOSTS, name: 'X-One' },
    others: { name: 'X-Two', format: 'key {value}' },
  },
  query: { entry: { source: FILE, hosts: HOSTS, param: 'one' }, others: { param: 'two' } },
  github_pat: { entry: { source: FILE, hosts: HOSTS }, others: {} },
  datadog: { entry: { source: FILE, hosts: HOSTS }, others: {} },
  linear: { entry: { source: FILE, hosts: HOSTS }, others: {} },
  slack: { entry: { source: FILE, hosts: HOSTS }, others: {} },
  hmac: {
    entry: { source: FILE, hosts: HOSTS, header: 'X-Signature', template: '{method}' },
    others: {
      algorithm: 'sha512',
      header: 'X-Other',
      format: 'v1={signature}',
      template: '{method}{path}',
      encoding: 'base64',
      'headers.*': { 'X-Time': '{timestamp}' },
    },
  },
  client_login: {
    entry: { client: 'codex', file: 'login.json', hosts: HOSTS, token_url: NOWHERE },
    others: { client: 'claude-code', file: 'other.json', token_url: ELSEWHERE },
  },
  aws_static: { entry: { source: FILE, hosts: HOSTS }, others: { region: 'eu-west-1' } },
  aws_assume_role: {
    entry: {
      ...{ source: FILE, hosts: HOSTS, region: 'eu-west-1', endpoint: NOWHERE },
      role_arn: 'arn:aws:iam::123456789012:role/one',
    },
    others: {
      role_arn: 'arn:aws:iam::123456789012:role/two',
      region: 'eu-west-2',
      session_name: 'other',
      external_id: 'outside',
      duration: 900,
      endpoint: ELSEWHERE,
    },
  },
  aws_sso: {
    entry: { source: FILE, hosts: HOSTS, account_id: '123456789012', role_name: 'one', endpoint: NOWHERE },
    others: {
      account_id: '210987654321',
      role_name: 'two',
      sso_region: 'eu-west-1',
      endpoint: ELSEWHERE,
      region: 'eu-west-1',
    },
  },
  gcp_static: {
    entry: { source: FILE, hosts: HOSTS, token_url: NOWHERE },
    others: { 'scopes[]': ['https://www.googleapis.com/auth/devstorage.read_only'], token_url: ELSEWHERE },
  },
  gcp_impersonate: {
    entry: { source: FILE, hosts: HOSTS, token_url: NOWHERE, endpoint: NOWHERE, account: 'a@p.example' },
    others: {
      account: 'b@p.example',
      lifetime: 600,
      endpoint: ELSEWHERE,
      'scopes[]': ['https://www.googleapis.com/auth/devstorage.read_only'],
      token_url: ELSEWHERE,
    },
  },
  gcp_adc: {
    entry: { hosts: HOSTS, token_url: NOWHERE },
    others: { 'scopes[]': ['https://www.googleapis.com/auth/devstorage.read_only'], token_url: ELSEWHERE },
  },
  github_app: {
    entry: { source: FILE, hosts: HOSTS, app_id: 1, installation_id: 2, api_url: NOWHERE },
    others: {
      app_id: 3,
      installation_id: 4,
      'repositories[]': ['one'],
      'permissions.*': { contents: 'read' },
      api_url: ELSEWHERE,
    },
  },
  oauth2: {
    entry: { source: FILE, hosts: HOSTS, token_url: NOWHERE, client_id: 'one' },
    others: {
      token_url: ELSEWHERE,
      client_id: 'two',
      client_auth: 'body',
      scope: 'read',
      rotates: false,
    },
  },
  ssh_key: {
    entry: { source: FILE, hosts: HOSTS, known_hosts: [`ssh-ed25519 ${'A'.repeat(68)}`] },
    others: { user: 'other', 'known_hosts[]': [`ssh-ed25519 ${'B'.repeat(68)}`] },
  },
  env: {
    entry: { source: FILE, variable: 'ONE_KEY', commands: ['aws'] },
    others: { variable: 'TWO_KEY', 'commands[]': ['gh'] },
  },
  file: {
    entry: { source: FILE, variable: 'KUBECONFIG', commands: ['kubectl'] },
    others: { variable: 'OTHER_FILE', 'commands[]': ['gh'] },
  },
};

/** No request carries them; of these a command alone says where they go. */
const FOR_COMMANDS = new Set(['ssh_key', 'env', 'file']);

/** Kinds whose placeholders may stand in a body, and those that are read from a source. */
const IN_BODY = new Set(
  'bearer basic header query github_pat linear slack client_login gcp_static gcp_impersonate gcp_adc github_app oauth2'.split(
    ' ',
  ),
);
const PLACE = { content_type: 'application/json', fields: ['one'] };

const entryAt = 'tenants.default.credentials.c';

function ofKind(kind: string, { entry, others }: { readonly entry: Draft; readonly others: Draft }): Cases {
  const given = at(entryAt, { kind, ...entry });
  const change = (key: string, value: unknown, more = given): Case<string> => ({
    given: more,
    change: at(`${entryAt}.${key}`, value),
    see: 'c',
  });
  const prefix = `tenants.*.credentials.*(${kind})`;
  const inBody = all(given, at(`${entryAt}.body`, [PLACE]), at(`${entryAt}.in`, ['body']));
  const bodies: Cases = IN_BODY.has(kind)
    ? {
        [`${prefix}.in[]`]: {
          given: inBody,
          change: all(at(`${entryAt}.in`, undefined), at(`${entryAt}.body`, undefined)),
          see: 'c',
          also: [`${prefix}.body[]`],
        },
        [`${prefix}.body[]`]: change('body', [PLACE, { ...PLACE, fields: ['two'] }], inBody),
        [`${prefix}.body[].content_type`]: change(
          'body.0.content_type',
          'application/x-www-form-urlencoded',
          all(
            given,
            at(`${entryAt}.body`, [{ content_type: 'application/json', fields: ['one'] }]),
            at(`${entryAt}.in`, ['body']),
          ),
        ),
        [`${prefix}.body[].fields[]`]: change('body.0.fields', ['two'], inBody),
      }
    : {};
  return {
    [`${prefix}.kind`]: {
      given,
      // Another kind has other keys: all of the entry is another one.
      change: at(
        entryAt,
        kind === 'bearer' ? { kind: 'linear', ...entry } : { kind: 'bearer', source: FILE, hosts: HOSTS },
      ),
      see: 'c',
    },
    [`${prefix}.risk`]: change('risk', 'high'),
    ...(FOR_COMMANDS.has(kind) ? {} : { [`${prefix}.plain_http`]: change('plain_http', true) }),
    ...('hosts' in entry || !FOR_COMMANDS.has(kind)
      ? { [`${prefix}.hosts[]`]: change('hosts', ['b.example']) }
      : {}),
    ...('source' in entry ? { [`${prefix}.source`]: change('source', 'file:other.txt') } : {}),
    ...bodies,
    ...Object.fromEntries(
      Object.entries(others).map(([key, value]) => [
        `${prefix}.${key}`,
        change(key.replace(/(?:\[\]|\.\*)$/, ''), value),
      ]),
    ),
  };
}

const sourceAt = 'tenants.default.sources.mine';

/** A change of a source drops whatever was read from the tenant's sources. */
function ofSource(source: Draft, key: string, value: unknown): Case<string> {
  return {
    given: all(at(sourceAt, source), at(entryAt, { kind: 'bearer', source: 'mine:key', hosts: HOSTS })),
    change: at(`${sourceAt}.${key}`, value),
    see: 'c',
  };
}

const command = { read: 'echo {key}' };
const vault = (auth: object) => ({ vault: { address: NOWHERE, auth } });
const byToken = vault({ token: 'env:ONE' });
const byRole = vault({ approle: { role_id: 'one', secret_id: 'env:ONE' } });
const byPod = vault({ kubernetes: { role: 'one', token_file: '/nowhere/one' } });
const awsSm = { aws_sm: { region: 'eu-west-1', keys: 'env:ONE', endpoint: NOWHERE } };

export const credentialsGroup: Group<string> = {
  name: 'credentials and their sources, as the broker has them',
  cases: {
    ...Object.assign({}, ...Object.entries(KINDS).map(([kind, sample]) => ofKind(kind, sample))),
    'tenants.*.credentials.*': [
      { change: at(entryAt, { kind: 'bearer', source: FILE, hosts: HOSTS }), see: 'c' },
      {
        given: at(entryAt, { kind: 'bearer', source: FILE, hosts: HOSTS }),
        change: at(entryAt, undefined),
        see: 'c',
      },
    ],
    'tenants.*.sources.*': ofSource(command, 'cache_ttl', 1),
    'tenants.*.sources.*.read': ofSource(command, 'read', 'printf %s {key}'),
    'tenants.*.sources.*.write': ofSource(command, 'write', 'tee {key}'),
    'tenants.*.sources.*.env[]': ofSource(command, 'env', ['ONE']),
    'tenants.*.sources.*.cache_ttl': ofSource(command, 'cache_ttl', 1),
    'tenants.*.sources.*.vault.address': ofSource(byToken, 'vault.address', ELSEWHERE),
    'tenants.*.sources.*.vault.auth.token': ofSource(byToken, 'vault.auth.token', 'env:TWO'),
    'tenants.*.sources.*.vault.auth.approle.role_id': ofSource(byRole, 'vault.auth.approle.role_id', 'two'),
    'tenants.*.sources.*.vault.auth.approle.secret_id': ofSource(
      byRole,
      'vault.auth.approle.secret_id',
      'env:TWO',
    ),
    'tenants.*.sources.*.vault.auth.approle.mount': ofSource(byRole, 'vault.auth.approle.mount', 'team'),
    'tenants.*.sources.*.vault.auth.kubernetes.role': ofSource(byPod, 'vault.auth.kubernetes.role', 'two'),
    'tenants.*.sources.*.vault.auth.kubernetes.mount': ofSource(byPod, 'vault.auth.kubernetes.mount', 'team'),
    'tenants.*.sources.*.vault.auth.kubernetes.token_file': ofSource(
      byPod,
      'vault.auth.kubernetes.token_file',
      '/nowhere/two',
    ),
    'tenants.*.sources.*.vault.mount': ofSource(byToken, 'vault.mount', 'kv'),
    'tenants.*.sources.*.vault.namespace': ofSource(byToken, 'vault.namespace', 'team'),
    'tenants.*.sources.*.vault.ca': ofSource(byToken, 'vault.ca', 'ca.pem'),
    'tenants.*.sources.*.aws_sm.region': ofSource(awsSm, 'aws_sm.region', 'eu-west-2'),
    'tenants.*.sources.*.aws_sm.keys': ofSource(awsSm, 'aws_sm.keys', 'env:TWO'),
    'tenants.*.sources.*.aws_sm.endpoint': ofSource(awsSm, 'aws_sm.endpoint', ELSEWHERE),
  },
  open: async (): Promise<OpenWorld> => {
    const base: Draft = { tenants: { default: {} } };
    const env = { ONE: 'one', TWO: 'two', PATH: '/usr/bin:/bin', GOOGLE_APPLICATION_CREDENTIALS: '/nowhere' };
    const gateway = await startTestGateway({ config: JSON.stringify(base), env });
    for (const name of ['value.txt', 'other.txt'])
      await writeFile(join(gateway.home, name), `value of ${name}`, { mode: 0o600 });
    return { gateway, base, [Symbol.asyncDispose]: () => gateway.close() };
  },
  // Read once, or failed: whatever comes of it, it is of the config of this moment.
  async settle({ gateway }, name) {
    await gateway.operator('/v1/credentials/check', { json: { name } });
  },
  /** What was read of it is dropped with the settings that it was read with. */
  async look({ gateway }, name) {
    const answer = await gateway.operator('/v1/credentials');
    return answer.json<{ items: { name: string }[] }>().items.find((item) => item.name === name) ?? 'none';
  },
};
