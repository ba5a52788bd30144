import { describe, expect, test } from 'vitest';
import { createPolicyChecks } from '../../gate/index.ts';
import { load, reported } from '../load-config.fixture.ts';

const servers = (...entries: readonly string[]): string => `mcp_servers: [${entries.join(', ')}]\n`;

describe('MCP servers in a config', () => {
  test('are none unless they are named; then every other key has its default', () => {
    expect(load('tenants: { t: {} }\n').config.mcp_servers).toEqual([]);
    expect(load(servers('{ name: web, executable: node }')).config.mcp_servers).toEqual([
      {
        name: 'web',
        executable: 'node',
        args: [],
        tenants: ['default'],
        capabilities: [],
        credentials: {},
        env: {},
        health_check: { interval_seconds: 60, method: 'tools/list' },
        timeout_seconds: 300,
        egress: [],
        reads: [],
        skip_judge: false,
      },
    ]);
  });

  test('are written as the design describes them', () => {
    const { config } = load(`
mcp_servers:
  - name: web-search
    executable: "node"
    args: ["/opt/tools/web-search/index.js"]
    capabilities: [web.search, web.fetch]
    credentials: { SEARCH_API_KEY: "secret:search" }
    health_check: { interval_seconds: 60, method: "tools/list" }
  - { name: remote, url: "https://mcp.example.com/mcp", credentials: { Authorization: "env:TOKEN" } }
`);
    expect(config.mcp_servers.map(({ name }) => name)).toEqual(['web-search', 'remote']);
  });

  test.each([
    { why: 'neither program nor address', text: '{ name: a }', says: 'either an `executable` or a `url`' },
    { why: 'both', text: '{ name: a, executable: x, url: "https://x.example/" }', says: 'either an' },
    {
      why: 'arguments of an address',
      text: '{ name: a, args: [x], url: "https://x.example/" }',
      says: '`args`',
    },
    {
      why: 'an address in the clear',
      text: '{ name: a, url: "http://x.example/" }',
      says: 'only `https://`',
    },
    {
      why: 'a pasted secret',
      text: '{ name: a, executable: x, credentials: { K: hunter2 } }',
      says: 'not written',
    },
    {
      why: 'no name of a variable',
      text: '{ name: a, executable: x, credentials: { "a b": "env:K" } }',
      says: 'variable',
    },
    {
      why: 'a variable that loads code',
      text: '{ name: a, executable: x, credentials: { LD_PRELOAD: "env:K" } }',
      says: 'not for credentials',
    },
    {
      why: 'a variable that is ours',
      text: '{ name: a, executable: x, credentials: { PATH: "env:K" } }',
      says: 'not for credentials',
    },
    {
      why: 'a plain variable that loads code',
      text: '{ name: a, executable: x, env: { NODE_OPTIONS: "--require=/x" } }',
      says: 'not yours to set',
    },
    {
      why: 'a plain variable that is a credential too',
      text: '{ name: a, executable: x, env: { K: v }, credentials: { K: "env:K" } }',
      says: 'has it already',
    },
    {
      why: 'variables of an address',
      text: '{ name: a, url: "https://x.example/", env: { K: v } }',
      says: 'no process that has variables',
    },
    {
      why: 'a header that frames',
      text: '{ name: a, url: "https://x.example/", credentials: { Host: "env:K" } }',
      says: 'not the name of a header',
    },
    {
      why: 'a tool of ours',
      text: '{ name: a, executable: x, capabilities: [fs.read] }',
      says: 'tools of the gateway itself',
    },
    {
      why: 'all tools of ours',
      text: '{ name: a, executable: x, capabilities: ["cmd.*"] }',
      says: 'tools of the gateway itself',
    },
    {
      why: 'a name without a dot',
      text: '{ name: a, executable: x, capabilities: [Bash] }',
      says: 'a dotted name',
    },
    { why: 'everything', text: '{ name: a, executable: x, capabilities: ["*"] }', says: 'a dotted name' },
    {
      why: 'a name of an MCP tool',
      text: '{ name: a, executable: x, capabilities: ["mcp:b/c.d"] }',
      says: 'a dotted name',
    },
    { why: 'a slash in the name', text: '{ name: a/b, executable: x }', says: 'a name has letters' },
    {
      why: 'an unknown check',
      text: '{ name: a, executable: x, health_check: { method: tools/call } }',
      says: '`tools/call` is not known here',
    },
    { why: 'a key that is not there', text: '{ name: a, executable: x, command: y }', says: 'command' },
    {
      why: 'hosts for a server that no jail keeps',
      text: '{ name: a, executable: x, sandbox: none, egress: [b.example] }',
      says: 'only a server in a `sandbox`',
    },
    {
      why: 'a jail for an address',
      text: '{ name: a, url: "https://x.example/", sandbox: {} }',
      says: 'no process',
    },
    {
      why: 'a relative path',
      text: '{ name: a, executable: x, sandbox: { read: [x] } }',
      says: 'an absolute path',
    },
    { why: 'every host', text: '{ name: a, executable: x, sandbox: {}, egress: ["*"] }', says: 'not a host' },
    {
      why: 'no port',
      text: '{ name: a, executable: x, sandbox: {}, egress: ["b.example:99999"] }',
      says: 'not a host',
    },
    {
      why: 'a preset that is not there',
      text: `{ name: a, executable: x, reads: ["@filesistem/${'0'.repeat(32)}"] }`,
      says: 'there is no such preset',
    },
    {
      why: 'a preset that names no definitions',
      text: '{ name: a, executable: x, reads: ["@filesystem"] }',
      says: 'expected the name of a tool',
    },
    {
      why: 'a tenant list that is empty',
      text: '{ name: a, executable: x, tenants: [] }',
      says: 'at least 1',
    },
  ])('are refused with $why', ({ text, says }) => {
    expect(reported(servers(text)).join('\n')).toContain(says);
  });

  test('are for tenants that exist', () => {
    const text = servers('{ name: a, executable: x, tenants: [default, acme, acne] }');
    expect(reported(`${text}tenants: { acme: {} }\n`)).toEqual([
      'sallyport.yaml:1:66 there is no tenant `acne` | did you mean `acme`?',
    ]);
  });

  test('their capabilities are names that rules may use, and typos of them are errors', () => {
    const text = servers('{ name: a, executable: x, capabilities: [jira.read, "wiki.*"] }');
    const rules = (list: string): string => `${text}permissions: [${list}]\n`;
    const checks = [createPolicyChecks({ lists: [] })];
    const good = '"allow:jira.read", "deny:wiki.page", "deny:wiki.*", "ask:jira.*"';
    expect(load(rules(good), { checks }).config.permissions).toHaveLength(4);
    for (const rule of ['allow:jira.raed', 'allow:wikis.page', 'allow:wiki'])
      expect(reported(rules(rule), { checks }).join('\n')).toContain('there is no tool');
  });

  test('have names and capabilities of their own', () => {
    const twice = servers(
      '{ name: a, executable: x, capabilities: [web.*] }',
      '{ name: a, executable: y, capabilities: [web.*] }',
    );
    expect(reported(twice).join('\n')).toContain('there are two servers `a`');
    expect(reported(twice).join('\n')).toContain('`a` has `web.*` already');
  });
});
