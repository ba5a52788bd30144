import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startTestGateway, tempDir, waitFor } from '@sallyport/testkit';
import { expect, onTestFinished, test } from 'vitest';

test('an agent works with the files of a volume through the MCP door, and the trail remembers', async () => {
  const dir = await tempDir();
  onTestFinished(() => dir.remove());
  const work = join(dir.path, 'work');
  mkdirSync(work);
  writeFileSync(join(dir.path, 'secret'), 'SECRET');
  symlinkSync('../secret', join(work, 'out'));
  const gateway = await startTestGateway({
    config: `
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [member] } }
roles: { member: { allow: ["agent:*", "tool:*"] } }
agents: { dev: { permissions: ["allow:*"] } }
volumes:
  - { name: work, mount: /workspace, path: ${JSON.stringify(work)}, quota_bytes: 1000 }
`,
  });
  onTestFinished(() => gateway.close());
  const { session_token } = await gateway.openSession();
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${gateway.urls.api}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${session_token}` } },
    }),
  );
  onTestFinished(() => client.close());

  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['fs.read', 'fs.write', 'fs.create', 'fs.delete', 'fs.list']));
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

  const path = '/workspace/notes.md';
  expect(await call('fs.write', { path, content: 'hello' })).toMatchObject({
    structuredContent: { success: true, bytes_written: 5 },
  });
  expect(readFileSync(join(work, 'notes.md'), 'utf8')).toBe('hello');
  expect(await call('fs.read', { path })).toMatchObject({ content: [{ type: 'text', text: 'hello' }] });
  const refused: readonly [string, Record<string, unknown>, string][] = [
    ['fs.read', { path: '/workspace/../secret' }, 'PathTraversalAttempt'],
    ['fs.read', { path: '/workspace/out' }, 'PathOutsideBoundary'],
    ['fs.read', { path: join(dir.path, 'secret') }, 'PathOutsideBoundary'],
    ['fs.write', { path, content: 'x'.repeat(1001) }, 'QuotaExceeded'],
    ['fs.read', { path: '/workspace/none' }, 'NotFound'],
  ];
  for (const [name, args, code] of refused) {
    const answer = await call(name, args);
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer)).toContain(code);
    expect(JSON.stringify(answer)).not.toContain('SECRET');
  }
  const eventsOf = async (type: string): Promise<string> =>
    (await gateway.operator(`/v1/audit/events?type=StorageEvent::${type}`)).text;
  // Events that nobody waits for are written within 50 ms.
  for (const type of ['FileWritten', 'FileRead', 'PathTraversalBlocked'])
    await waitFor(`the event ${type}`, async () =>
      expect(await eventsOf(type)).toContain(`StorageEvent::${type}`),
    );
  expect(await eventsOf('FileWritten')).toContain('"path":"/notes.md"');
  expect(await eventsOf('FileWritten')).not.toContain(work);
});
