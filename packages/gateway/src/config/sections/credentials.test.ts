import { describe, expect, test } from 'vitest';
import { load, reported } from '../load-config.fixture.ts';

const config = (tenant: string, rest = ''): string =>
  `agents: { dev: {} }\n${rest}\ntenants:\n  default:\n${tenant.replace(/^/gm, '    ')}\n`;
const one = (entry: string): string => config(`credentials: { api: ${entry} }`);

describe('the credentials section', () => {
  test('takes the entries of the documentation', () => {
    const { config: loaded } = load(
      config(`credentials:
  github:personal: { kind: github_pat, source: "op://dev/github/token", hosts: [api.github.com, github.com], risk: medium }
  aws:prod-readonly: { kind: aws_assume_role, role_arn: "arn:aws:iam::123456789012:role/ro", source: "vault:kv/aws/base", region: eu-west-1 }
  gcp:data: { kind: gcp_impersonate, account: x@y.iam.gserviceaccount.com, source: "file:gcp.json" }
  slack:bot: { kind: bearer, source: "env:SLACK_TOKEN", hosts: [slack.com] }
sources:
  op: { read: "op read op://{key}", cache_ttl: 300 }
  files: { read: "cat secrets/{key}" }`),
    );
    expect(Object.keys(loaded.tenants.default?.credentials ?? {})).toHaveLength(4);
    expect(loaded.tenants.default?.sources.files?.cache_ttl).toBe(300);
  });

  test.each([
    { entry: '{ kind: bearer, source: "env:X" }', says: /hosts/, why: 'a generic kind without hosts' },
    { entry: '{ kind: bearer, source: "env:X", hosts: [] }', says: /hosts|at least/, why: 'no hosts' },
    { entry: '{ kind: bearer, source: "env:X", hosts: ["*"] }', says: /not a host/, why: 'every host' },
    {
      entry: '{ kind: bearer, source: "env:X", hosts: ["a.example:443"] }',
      says: /not a host/,
      why: 'a port',
    },
    {
      entry: '{ kind: bearer, source: "env:X", hosts: ["https://a.example"] }',
      says: /not a host/,
      why: 'a URL',
    },
    { entry: '{ kind: bearer, hosts: [a.example] }', says: /source/, why: 'no source' },
    {
      entry: '{ kind: berer, source: "env:X", hosts: [a.example] }',
      says: /did you mean `bearer`/,
      why: 'a typo',
    },
    {
      entry: '{ kind: slack, source: "env:X", user: x }',
      says: /unknown key `user`/,
      why: 'a key of another kind',
    },
    {
      entry: '{ kind: env, source: "env:X" }',
      says: /`variable` is missing/,
      why: 'a variable without a name',
    },
    {
      entry: '{ kind: env, source: "env:X", variable: LD_PRELOAD, commands: [aws] }',
      says: /makes programs run/,
      why: 'a variable that loads a program',
    },
    {
      entry: '{ kind: env, source: "env:X", variable: GIT_SSH_COMMAND, commands: [gh] }',
      says: /makes programs run/,
      why: 'a variable that runs a program',
    },
    {
      entry: '{ kind: env, source: "env:X", variable: HTTPS_PROXY, commands: [aws] }',
      says: /makes programs run/,
      why: 'a variable that leads elsewhere',
    },
    {
      entry: '{ kind: env, source: "env:X", variable: "A B", commands: [aws] }',
      says: /named like/,
      why: 'a variable that is none',
    },
    {
      entry: '{ kind: env, source: "env:X", variable: A_KEY, commands: [bash] }',
      says: /bash|expected one of/,
      why: 'a command that has no wrapper',
    },
    {
      entry: '{ kind: env, source: "env:X", variable: A_KEY, commands: [] }',
      says: /at least 1/,
      why: 'a variable for no command',
    },
    {
      entry: '{ kind: file, source: "env:X", variable: PATH, commands: [kubectl] }',
      says: /makes programs run/,
      why: 'a file that PATH leads to',
    },
    {
      entry: '{ kind: ssh_key, source: "env:X", hosts: [github.com] }',
      says: /`known_hosts` is missing/,
      why: 'a key whose hosts nobody can tell from others',
    },
    {
      entry: '{ kind: ssh_key, source: "env:X", hosts: [github.com], known_hosts: ["x"] }',
      says: /ssh-ed25519 AAAA/,
      why: 'a host key that is none',
    },
    {
      entry: '{ kind: slack, source: "nope:X" }',
      says: /there is no source `nope`/,
      why: 'an unknown source',
    },
    {
      entry: '{ kind: slack, source: "secret:api" }',
      says: /read with itself: `api` → `api`/,
      why: 'itself',
    },
    {
      entry: '{ kind: slack, source: "secret:nope" }',
      says: /there is no credential `nope`/,
      why: 'no such name',
    },
    {
      entry: '{ kind: header, name: "a b", source: "env:X", hosts: [a.example] }',
      says: /header name/,
      why: 'no header',
    },
    {
      entry: '{ kind: header, name: a, format: x, source: "env:X", hosts: [a.example] }',
      says: /format/,
      why: 'a format without the value',
    },
    {
      entry: '{ kind: header, name: a, format: "{value}\\r\\nb: c", source: "env:X", hosts: [a.example] }',
      says: /format/,
      why: 'a format with a line end',
    },
    {
      entry: '{ kind: slack, source: "env:X", in: [body] }',
      says: /does not say in which bodies/,
      why: 'bodies without fields',
    },
    {
      entry: '{ kind: slack, source: "env:X", body: [{ content_type: application/json, fields: [a] }] }',
      says: /mean nothing without `in: \[body\]`/,
      why: 'fields without bodies',
    },
    {
      entry:
        '{ kind: slack, source: "env:X", in: [body], body: [{ content_type: text/plain, fields: [a] }] }',
      says: /a form or JSON/,
      why: 'bodies that have no fields',
    },
    {
      entry:
        '{ kind: slack, source: "env:X", in: [body], body: [{ content_type: application/json, fields: ["a..b"] }] }',
      says: /a field is named like/,
      why: 'a field that is none',
    },
    {
      entry:
        '{ kind: aws_static, source: "env:X", in: [body], body: [{ content_type: application/json, fields: [a] }] }',
      says: /unknown key/,
      why: 'bodies for a kind that signs',
    },
    {
      entry: '{ kind: client_login, client: claude-code, token_url: "http://a.example/" }',
      says: /https/,
      why: 'a login in the clear',
    },
  ])('refuses $why', ({ entry, says }) => {
    expect(reported(one(entry)).join('\n')).toMatch(says);
  });

  test('[CR-1] a pasted secret is refused and not repeated', () => {
    const found = reported(one('{ kind: slack, source: "canary-pasted-value" }')).join('\n');
    expect(found).toContain('a secret is not written in the config');
    expect(found).not.toContain('canary');
  });

  test('a ring through a source that logs in with a credential is found', () => {
    const found = reported(
      config(`credentials:
  api: { kind: slack, source: "v:kv/x" }
  login: { kind: slack, source: "v:kv/y" }
sources:
  v: { vault: { address: "https://vault.example.com", auth: { token: "secret:login" } } }`),
    );
    expect(found.join('\n')).toMatch(/read with itself: `login` → `login`/);
  });

  test("agents name credentials that exist: a tenant's agent those of its tenant", () => {
    expect(reported(`agents: { dev: { credentials: [nope] } }\ntenants: { default: {} }\n`).join()).toContain(
      'there is no credential `nope`',
    );
    const other = `tenants:
  one: { credentials: { api: { kind: slack, source: "env:X" } } }
  two: { agents: { dev: { credentials: [api] } } }
`;
    expect(reported(other).join()).toContain('there is no credential `api`');
  });

  test('a channel may name a credential of the tenant `default`, and only one that exists', () => {
    const telegram = 'channels: { telegram: { token: "secret:bot" } }';
    expect(reported(config('mode: cautious', telegram)).join()).toContain('there is no credential `bot`');
    load(
      config(
        'credentials: { bot: { kind: bearer, source: "env:BOT", hosts: [api.telegram.org] } }',
        telegram,
      ),
    );
  });
});

describe('the sources section', () => {
  const source = (entry: string): string => config(`sources: { mine: ${entry} }`);
  test.each([
    { entry: '{ read: "pass show" }', says: /no `\{key\}`/, why: 'a command without a key' },
    { entry: '{ read: "pass show {key} | head -1" }', says: /means something to a shell/, why: 'a pipe' },
    { entry: '{ read: "pass show $HOME/{key}" }', says: /means something to a shell/, why: 'a variable' },
    { entry: '{ read: "{key} x" }', says: /program itself/, why: 'a program that is the key' },
    { entry: '{ read: "cat {file} {key}" }', says: /`\{file\}` is not known/, why: 'another place' },
    { entry: '{ read: "cat \'a {key}" }', says: /not closed/, why: 'an open quote' },
    { entry: '{ cache_ttl: 5 }', says: /name one way/, why: 'no way to read' },
    {
      entry: '{ vault: { address: "https://v.example", auth: {} } }',
      says: /one way to log in/,
      why: 'no login',
    },
    {
      entry: '{ vault: { address: "http://v.example", auth: { token: "env:T" } } }',
      says: /https/,
      why: 'Vault in the clear',
    },
    {
      entry: '{ vault: { address: "https://v.example", auth: { token: "env:T" } }, env: [A] }',
      says: /belong to a `read`/,
      why: 'variables without a command',
    },
    { entry: '{ read: "cat {key}", cache_ttl: -1 }', says: /cache_ttl|least|0/, why: 'a negative time' },
  ])('refuses $why', ({ entry, says }) => {
    expect(reported(source(entry)).join('\n')).toMatch(says);
  });

  test('has no second meaning for what is built in', () => {
    expect(reported(config('sources: { env: { read: "cat {key}" } }')).join()).toContain(
      'always mean the same',
    );
  });
});
