import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { httpClient, requireEngine, type TempDir, tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Terminal } from './tmux.ts';

const tmux = requireEngine('tmux');
const BIN = fileURLToPath(new URL('../../bin/sallyport.js', import.meta.url));
const CONFIG = `
tenants: { default: { users: { ana: { roles: [owner] } } } }
roles: { owner: { allow: ["approve:*"] } }
`;

describe.skipIf(tmux.missing)(`the gateway's own terminal (${tmux.install})`, () => {
  let home: TempDir;
  beforeEach(async () => {
    home = await tempDir();
    await writeFile(join(home.path, 'sallyport.yaml'), CONFIG, { mode: 0o600 });
  });
  afterEach(() => home.remove());

  const open = (more = '') =>
    Terminal.open(
      `exec ${process.execPath} ${BIN} start --api-port 0 --proxy-port 0 --ssh-port 0 --operator-port 0 ${more}`,
      { SALLYPORT_HOME: home.path, NO_COLOR: '1' },
    );
  const ask = async (title: string) => {
    const runtime: { ports: { api: number } } = JSON.parse(
      await readFile(join(home.path, 'runtime.json'), 'utf8'),
    );
    const token = (await readFile(join(home.path, 'api.key'), 'utf8')).trim();
    const agent = httpClient({ url: `http://127.0.0.1:${runtime.ports.api}` });
    const json = { session_id: 'sess_1', action_type: 'exec_cmd', title, preview: `$ ${title}\n1` };
    const created = await agent('/v1/approvals', { token, json });
    const { approval_id: id } = created.json<{ approval_id: string }>();
    return { id, answer: () => agent(`/v1/approvals/${id}?wait=60`, { token }) };
  };

  test('asks right there, one question after the other, and Ctrl-C still stops the gateway', async () => {
    await using terminal = await open();
    await terminal.shows(/Sallyport is running/);
    const push = await ask('git push origin main');
    await terminal.shows(/git push origin main[\s\S]*1 Allow once/);
    const remove = await ask('rm -rf build');
    // A key that comes too early for what just appeared decides nothing, so it is pressed until it counts.
    await terminal.pressUntil('1', new RegExp(`${push.id} is approved`));
    await terminal.shows(/rm -rf build[\s\S]*1 Allow once/);
    await terminal.pressUntil('3', new RegExp(`${remove.id} is denied`));
    expect((await push.answer()).json()).toMatchObject({ status: 'approved', decision: { code: '1' } });
    expect((await remove.answer()).json()).toMatchObject({ status: 'denied', decision: { code: '3' } });
    await terminal.press('C-c');
    expect(await terminal.ended()).toBe(0);
  });

  test('stays quiet with `--no-prompt`', async () => {
    await using terminal = await open('--no-prompt');
    await terminal.shows(/Sallyport is running/);
    const { id } = await ask('git push origin main');
    await terminal.press('1');
    await terminal.press('C-c');
    expect(await terminal.ended()).toBe(0);
    expect(await terminal.screen()).not.toContain(id);
  });
});
