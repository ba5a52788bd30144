import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { requireEngine, startTestGateway, tempDir } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';

const bwrap = requireEngine('bubblewrap');

async function connect(volumes: (folder: string) => string) {
  const dir = await tempDir();
  onTestFinished(() => dir.remove());
  for (const name of ['work', 'docs', 'theirs']) {
    mkdirSync(join(dir.path, name));
    writeFileSync(join(dir.path, name, 'here'), name);
  }
  const gateway = await startTestGateway({
    config: `
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [member] } }
    mode: cautious
    exceptions: ["*"]
roles: { member: { allow: ["agent:*", "tool:*"] } }
agents: { dev: { permissions: ["allow:*"] } }
volumes: ${volumes(dir.path)}
`,
  });
  onTestFinished(() => gateway.close());
  const { session_token } = await gateway.openSession();
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${session_token}` };
  const url = new URL(`${gateway.urls.api}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  const run = async (script: string, over: Record<string, unknown> = {}) =>
    client.callTool({ name: 'cmd.run', arguments: { command: 'sh', args: ['-c', script], ...over } });
  return { client, run, folder: dir.path };
}

describe.skipIf(bwrap.missing)(
  `a command of an agent that has no worker (bubblewrap: ${bwrap.install})`,
  () => {
    test('runs in a sandbox of the gateway, with the volumes where the agent sees them and without a network', async () => {
      const { client, run, folder } = await connect(
        (path) => `
  - { name: work, mount: /workspace, path: ${path}/work }
  - { name: docs, mount: /docs, path: ${path}/docs, mode: ro }
  - { name: theirs, mount: /theirs, path: ${path}/theirs, tenants: [other] }`,
      );
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('cmd.run');
      await client.callTool({ name: 'fs.write', arguments: { path: '/workspace/a.txt', content: 'one' } });
      expect(await run('cat /workspace/a.txt /docs/here; echo two > /workspace/a.txt')).toMatchObject({
        structuredContent: { exit_code: 0, stdout: 'onedocs', truncated: false },
      });
      const read = { name: 'fs.read', arguments: { path: '/workspace/a.txt' } };
      expect(await client.callTool(read)).toMatchObject({ content: [{ text: 'two\n' }] });
      expect(await run('mkdir -p sub && pwd', { cwd: '/workspace' })).toMatchObject({
        structuredContent: { exit_code: 0 },
      });
      const hostile = ['echo x > /docs/here', 'cat /theirs/here', `cat ${folder}/theirs/here`, 'exit 4'];
      for (const script of hostile) expect(await run(script)).toMatchObject({ isError: true });
      // Loopback and nothing else.
      expect(await run('grep -c : /proc/net/dev')).toMatchObject({ structuredContent: { stdout: '1\n' } });
      expect(await run('pwd', { cwd: '/docs' })).toMatchObject({
        isError: true,
        structuredContent: { code: 'BadRequest' },
      });
      expect(await run('yes')).toMatchObject({
        isError: true,
        structuredContent: { truncated: true, violation: 'OutputSizeLimitExceeded' },
      });
      expect(await run('sleep 60', { timeout_secs: 1 })).toMatchObject({
        isError: true,
        structuredContent: { violation: 'CommandTimeout' },
      });
    });

    test('is refused where there is nothing to work on, and not listed', async () => {
      const { client, run } = await connect(
        (path) => `[{ name: docs, mount: /docs, path: ${path}/docs, mode: ro }]`,
      );
      expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('cmd.run');
      expect(await run('true')).toMatchObject({
        isError: true,
        structuredContent: { code: 'SandboxUnavailable' },
      });
    });
  },
);
