import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveHome } from '@sallyport/gateway/home';
import { tempDir } from '@sallyport/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { planInstall } from '../../src/install/run-install.ts';

/** A person's home with a gateway that runs, and a Codex that says this of itself. */
async function openHome(version: string | undefined, port: number | undefined) {
  const dir = await tempDir();
  onTestFinished(() => dir.remove());
  const home = dir.path;
  const runtime = join(home, 'runtime.json');
  writeFileSync(join(home, 'enrollment.secret'), 'spe_canary\n', { mode: 0o600 });
  if (port !== undefined) writeFileSync(runtime, JSON.stringify({ ports: { api: port } }));
  mkdirSync(join(home, 'bin'));
  if (version !== undefined) {
    writeFileSync(join(home, 'bin/codex'), `#!/bin/sh\necho '${version}'\n`);
    chmodSync(join(home, 'bin/codex'), 0o755);
  }
  const env = { HOME: home, SALLYPORT_HOME: home, PATH: join(home, 'bin') };
  const plan = (how: 'install' | 'uninstall') =>
    planInstall({ client: 'codex', how, paths: resolveHome(env), env });
  const hooks = () => JSON.parse(readFileSync(join(home, '.codex/hooks.json'), 'utf8')).hooks;
  return { home, runtime, plan, hooks };
}

test('Codex asks the running gateway itself, before a call and never at its own question', async () => {
  const { home, runtime, plan, hooks } = await openHome('codex-cli 0.166.0', 7999);
  const installing = plan('install');
  expect(installing.notes).toEqual([]);
  installing.apply();
  const config = readFileSync(join(home, '.codex/config.toml'), 'utf8');
  expect(config).toContain(
    '[mcp_servers.sallyport_hook]\nurl = "http://127.0.0.1:7999/v1/hooks/codex/mcp"\n',
  );
  expect(hooks().PreToolUse[0].hooks.map(({ type }: { type: string }) => type)).toEqual([
    'command',
    'mcp_tool',
  ]);
  expect(hooks().PermissionRequest[0].hooks).toHaveLength(1);
  expect(config.match(/^trusted_hash/gm)).toHaveLength(3);
  // Once more changes nothing, also while the gateway is stopped.
  rmSync(runtime);
  expect(plan('install').changes).toEqual([]);
  plan('uninstall').apply();
  expect(existsSync(join(home, '.codex/config.toml'))).toBe(false);
  expect(existsSync(join(home, '.codex/hooks.json'))).toBe(false);
});

test.each([
  ['codex-cli 0.151.9', 7999, 'older than 0.152', 'it would take the whole file of hooks for none'],
  [undefined, 7999, 'not in the path', 'nobody knows how old it is'],
  ['oh no', 7999, 'not in the path', 'it does not say how old it is'],
  ['codex-cli 0.166.0', undefined, 'not running', 'nobody knows where to ask'],
])('[TO-8] Codex %j, gateway at %j: the hook alone, and that is said', async (version, port, note, _why) => {
  const { plan, hooks } = await openHome(version, port);
  const installing = plan('install');
  expect(installing.notes).toEqual([expect.stringContaining(note)]);
  installing.apply();
  expect(hooks().PreToolUse[0].hooks).toMatchObject([{ type: 'command' }]);
});
