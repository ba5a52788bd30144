import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MCP_FIXTURE_PROGRAM, requireEngine, startTestGateway, tempDir, waitFor } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

const CONFIG = `# ours
tenants: { default: {} } # one
mcp_servers:
  # first
  - { name: web, url: "https://x.example/mcp" }
`;

test('a server is written behind the others and taken out again, and the file is as it was', async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'sallyport.yaml');
  await writeFile(file, CONFIG, { mode: 0o600 });
  const added = await runCommand(
    dir.path,
    ...[
      'servers',
      'add',
      'notes',
      '--env',
      'LOG=quiet',
      '--egress',
      'n.example',
      '--',
      'npx',
      '-y',
      'notes-mcp',
    ],
  );
  expect(added).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(
    `${CONFIG}  - { name: notes, executable: npx, args: ["-y", notes-mcp], env: { LOG: quiet }, egress: [n.example] }\n`,
  );
  expect(await runCommand(dir.path, 'servers', 'remove', 'notes')).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(CONFIG);
});

test.each([
  [['add', 'web', 'https://y.example/mcp'], 'there is an MCP server `web` already'],
  [['add', 'none'], 'neither an address nor a command was given'],
  [['add', 'x', '--env', 'PATH=/tmp', '--', 'run'], 'this variable is not yours to set'],
  [['add', 'x', '--env', 'LD_PRELOAD=/tmp/x.so', '--', 'run'], 'this variable is not yours to set'],
  [['add', 'x', 'http://y.example/mcp'], ''],
  [['remove', 'none'], 'there is no MCP server `none` in this file'],
])('%j is refused in one sentence, and nothing is changed', async (argv, sentence) => {
  await using dir = await tempDir();
  const file = join(dir.path, 'sallyport.yaml');
  await writeFile(file, CONFIG, { mode: 0o600 });
  const ran = await runCommand(dir.path, 'servers', ...argv);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain(sentence);
  expect(readFileSync(file, 'utf8')).toBe(CONFIG);
});

const bwrap = requireEngine('bubblewrap');
describe.skipIf(bwrap.missing)(`with a gateway (${bwrap.install})`, () => {
  test('one that is added runs at once, and one that is removed is gone', async () => {
    await using gateway = await startTestGateway({ config: 'tenants: { default: {} }\n' });
    const add = ['servers', 'add', 'fix', '--env', 'ONE=two', '--', process.execPath, MCP_FIXTURE_PROGRAM];
    expect(await runCommand(gateway.home, ...add)).toMatchObject({ code: 0 });
    await gateway.operator('/v1/config/reload', { method: 'POST' });
    await waitFor('the server to run', async () =>
      expect((await runCommand(gateway.home, 'servers', 'list')).stdout).toMatch(/fix +Running/),
    );
    expect(await runCommand(gateway.home, 'servers', 'remove', 'fix')).toMatchObject({ code: 0 });
    await gateway.operator('/v1/config/reload', { method: 'POST' });
    await waitFor('the server to be gone', async () =>
      expect((await runCommand(gateway.home, 'servers', 'list')).stdout).toContain('no MCP servers'),
    );
  });
});
