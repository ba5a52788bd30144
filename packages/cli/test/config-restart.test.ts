import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestGateway, type TestGateway, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ config: 'tenants: { default: {} }\n' });
});
afterAll(() => gateway.close());

const changed = 'tenants: { default: {} }\napi: { ports: { proxy: 9181 } }\n';

test('[CF-1] `config check` names what the gateway that runs here would need a restart for', async () => {
  const other = join(gateway.home, 'other.yaml');
  await writeFile(other, changed);
  const text = await runCommand(gateway.home, 'config', 'check', other);
  expect(text).toMatchObject({ code: 0 });
  expect(text.stdout).toMatch(/needs a restart {2}api\.ports\.proxy\n/);
  const json = (await runCommand(gateway.home, 'config', 'check', other, '--json')).json();
  expect(json).toMatchObject({ ok: true, needs_restart: ['api.ports.proxy'] });
  const own = (await runCommand(gateway.home, 'config', 'check', '--json')).json();
  expect(own).toMatchObject({ ok: true, needs_restart: [] });
});

test('[CF-1] log, `status` and `config` name a key that waits, until it is changed back', async () => {
  await gateway.writeConfig(changed);
  const reloaded = await runCommand(gateway.home, 'config', 'reload');
  expect(reloaded.stdout).toContain('needs a restart  api.ports.proxy');
  for (const command of [['status'], ['config', 'show'], ['config', 'check']]) {
    const { stdout } = await runCommand(gateway.home, ...command);
    expect(stdout).toContain('needs a restart  api.ports.proxy');
  }
  await waitFor('the log to say what needs a restart', () =>
    expect(gateway.log.join('')).toContain('in force from the next start on: api.ports.proxy'),
  );
  await gateway.writeConfig('tenants: { default: {} }\n');
  await runCommand(gateway.home, 'config', 'reload');
  for (const command of [['status'], ['config', 'show'], ['config', 'check']]) {
    const { stdout } = await runCommand(gateway.home, ...command);
    expect(stdout).not.toContain('needs a restart');
  }
});
