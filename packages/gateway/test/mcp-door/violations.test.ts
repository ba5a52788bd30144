import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestGateway, tempDir, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf } from './decide.ts';
import { startDoor } from './door-fixture.ts';
import { McpTestClient } from './mcp-client.ts';

const RAW = join(import.meta.dirname, '../mcp-servers/fixtures/raw-server.mjs');

/** Every violation that a policy can find in a tool call, each provoked at the door by the narrowest setting for it. */
const ROWS: readonly { code: string; tool: string; input: object; why: string }[] = [
  { code: 'ToolNotAllowed', tool: 'fix/whoami', input: {}, why: 'not among the tools of the agent' },
  { code: 'ToolExplicitlyDenied', tool: 'fix/add', input: {}, why: 'on the deny list of its context' },
  { code: 'PathOutsideBoundary', tool: 'fs.read', input: { path: '/workspace/key' }, why: 'not below `src`' },
  { code: 'PathTraversalAttempt', tool: 'fs.read', input: { path: '/workspace/src/../key' }, why: 'dots' },
  {
    code: 'DomainNotAllowed',
    tool: 'web.fetch',
    input: { url: 'https://evil.example/' },
    why: 'a host that is not listed',
  },
  { code: 'DomainNotAllowed', tool: 'web.fetch', input: {}, why: 'no URL: what is missing is not inside' },
  {
    code: 'DomainNotAllowed',
    tool: 'raw/echo',
    input: { from: 'https://api.example.com@evil.example/' },
    why: 'an argument that the config names',
  },
  { code: 'DomainNotAllowed', tool: 'raw/echo', input: {}, why: 'a named argument that is absent' },
  { code: 'CommandNotAllowed', tool: 'cmd.run', input: { command: 'curl' }, why: 'a program not listed' },
  {
    code: 'SubcommandNotAllowed',
    tool: 'cmd.run',
    input: { command: 'git', args: ['push'] },
    why: 'a subcommand not listed',
  },
];

let gateway: TestGateway;
let client: McpTestClient;
beforeAll(async () => {
  const folder = await tempDir();
  await mkdir(join(folder.path, 'src'));
  gateway = await startDoor({
    agent: `    tools: ["fs.*", "cmd.run", "web.fetch", "mcp:fix/add", "mcp:fix/echo", "mcp:raw/echo"]
    security_context: narrow`,
    more: `  - name: raw
    executable: ${JSON.stringify(process.execPath)}
    sandbox: none
    args: [${JSON.stringify(RAW)}, plain]
    capabilities: [web.fetch]
network: { rules: [{ host: api.example.com, action: allow }] }
volumes: [{ name: work, mount: /workspace, path: ${JSON.stringify(folder.path)} }]
security_contexts:
  narrow:
    deny_list: ["mcp:fix/add"]
    capabilities:
      - { tool: "fs.*", path_allowlist: [/workspace/src] }
      - { tool: cmd.run, subcommand_allowlist: { git: [status] } }
      - { tool: web.fetch, domain_allowlist: [api.example.com] }
      - { tool: "mcp:raw/echo", target: { arg: from, kind: url }, domain_allowlist: [api.example.com] }
      - { tool: "mcp:fix/echo", rate: { calls: 2, per_seconds: 3600 } }`,
  });
  client = await McpTestClient.open(gateway);
  return () => folder.remove();
});
afterAll(() => gateway.close());

/** The events about one tool that a refusal leaves, by their type. */
async function refusalsOf(tool: string): Promise<readonly string[]> {
  const found = await eventsOf(gateway, tool);
  return found.map(({ type }) => type).filter((type) => type.endsWith('Violation'));
}

describe('[TO-1] [GA-4] each violation is refused by its own name, recorded, and nothing runs', () => {
  test.each(ROWS)('$code: $why', async ({ code, tool, input }) => {
    const named = /^(fix|raw)\//.test(tool) ? `mcp:${tool}` : tool;
    const before = (await refusalsOf(named)).length;
    const { isError, structuredContent } = await client.call(tool, input);
    expect({ isError, structuredContent }).toMatchObject({ isError: true, structuredContent: { code } });
    const type =
      tool === 'cmd.run'
        ? 'CommandExecutionEvent::CommandPolicyViolation'
        : 'MCPToolEvent::ToolPolicyViolation';
    await waitFor(`one more ${type}`, async () => {
      const after = await refusalsOf(named);
      expect(after).toHaveLength(before + 1);
      expect(after).toContain(type);
    });
  });

  test('RateLimitExceeded: the third call of two', async () => {
    for (const _ of [1, 2]) expect((await client.call('fix/echo', { message: 'a' })).isError).not.toBe(true);
    const third = await client.call('fix/echo', { message: 'a' });
    expect(third).toMatchObject({ isError: true, structuredContent: { code: 'RateLimitExceeded' } });
  });

  test('what is inside every limit runs', async () => {
    const answer = await client.call('fs.list', { path: '/workspace/src' });
    expect(answer).toMatchObject({ structuredContent: { success: true, entries: [] } });
    const named = await client.call('raw/echo', { from: 'https://api.example.com/' });
    expect(named.isError).not.toBe(true);
  });
});
