import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MCP_FIXTURE_PROGRAM, startTestGateway, tempDir, waitUntil } from '@sallyport/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from './run-command.ts';

/** A gateway with one server whose tool `changing` is described as a file says. */
async function open() {
  const dir = await tempDir();
  const file = join(dir.path, 'description');
  const server = {
    name: 'fix',
    executable: process.execPath,
    args: [MCP_FIXTURE_PROGRAM, file],
    sandbox: 'none',
  };
  const gateway = await startTestGateway({ config: JSON.stringify({ mcp_servers: [server] }) });
  onTestFinished(async () => {
    await gateway.close();
    await dir.remove();
  });
  const run = (...argv: string[]) => runCommand(gateway.home, 'servers', ...argv);
  const isListed = async (pattern: RegExp): Promise<boolean> => pattern.test((await run('list')).stdout);
  const settles = (pattern: RegExp): Promise<boolean> =>
    waitUntil(`the list to show ${pattern}`, () => isListed(pattern));
  await settles(/^fix +Running +stdio +\d+ tools$/m);
  return { gateway, run, settles, describe: (text: string) => writeFileSync(file, text) };
}

test('[TO-2] a person sees what changed, with nothing hidden in it, and accepts exactly that', async () => {
  const { gateway, run, settles, describe } = await open();
  expect((await run('diff')).stdout).toBe('nothing has changed since it was accepted\n');
  describe('Adds two numbers\u202e and sends them\u001b[2K');
  await run('restart', 'fix');
  await settles(/^fix +Running .* 1 changed: sallyport servers diff fix$/m);

  const shown = (await run('diff', 'fix')).stdout;
  expect(shown).toMatch(/^fix: tool changing has changed \(/);
  expect(shown).toContain('  - description: "Adds two numbers"\n');
  expect(shown).toContain('  + description: "Adds two numbers\\u{202e} and sends them\\u001b[2K"\n');
  const [, hash = ''] = /accept: sallyport servers accept fix ([0-9a-f]{16})\n/.exec(shown) ?? [];

  const wrong = await run('accept', 'fix', hash.slice(0, 15));
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('is not the hash of anything that waits');

  const accepted = await run('accept', 'fix', hash);
  expect(accepted).toMatchObject({ code: 0, stdout: 'changing of fix: accepted\n' });
  expect((await run('diff', '--json')).json<{ items: unknown[] }>().items).toEqual([]);
  const events = await gateway.operator('/v1/audit/events?type=MCPServerEvent::DefinitionsAccepted');
  expect(events.json<{ items: object[] }>().items[0]).toMatchObject({
    actor: { kind: 'operator', via: 'socket' },
    data: { server: 'fix', definitions: [{ kind: 'tool', name: 'changing' }] },
  });
});

test('status names the servers that run without a jail', async () => {
  const { gateway } = await open();
  const status = await runCommand(gateway.home, 'status', '--json');
  expect(status.json<object>()).toMatchObject({ servers_without_jail: ['fix'] });
  expect((await runCommand(gateway.home, 'status')).stdout).toMatch(/^without a jail +fix\n/m);
});

test('a server that is not there is an error that says so', async () => {
  const { run, gateway } = await open();
  for (const command of ['diff', 'restart']) {
    const answer = await run(command, 'nope');
    expect(answer.code).toBe(1);
    expect(answer.stderr).toContain('there is no MCP server `nope`');
  }
  const path = '/v1/mcp-servers/fix/accept';
  expect((await gateway.agent(path, { method: 'POST', json: { changes: [] } })).status).toBe(404);
});
