import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir, waitUntil } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { DesktopChannel } from '../../src/approvals/channels/desktop/desktop-channel.ts';
import { push } from './actions.ts';
import { CONFIG, openFixture } from './approvals-fixture.ts';
import { FakeChannel } from './fake-channel.ts';

/** Adds its arguments to a file, each ended by a zero byte. */
const FAKE_PROGRAM = '#!/bin/sh\nfor argument in "$@"; do printf \'%s\\0\' "$argument"; done >> "$CAPTURE"\n';

test('[AP-3] the desktop tells that a question waits, and nothing that runs there can answer it', async () => {
  const dir = await tempDir();
  const capture = join(dir.path, 'argv');
  await writeFile(join(dir.path, 'notify-send'), FAKE_PROGRAM);
  await chmod(join(dir.path, 'notify-send'), 0o755);
  const desktop = new DesktopChannel({ platform: 'linux', env: { PATH: dir.path, CAPTURE: capture } });
  const elsewhere = new FakeChannel('elsewhere');
  const ana = { roles: ['owner'], identities: { desktop: 'ana', elsewhere: 'ana' } };
  const core = await openFixture({
    config: { tenants: { default: { ...CONFIG.tenants.default, users: { ana } } } },
    channels: [desktop, elsewhere],
  });
  const verdict = core.gate.admit(push());
  const { id } = await core.question();
  await waitUntil('the question in the other channel', () => elsewhere.messages.size === 1);
  await core.open.delivered();
  const [, , , , text] = (await readFile(capture, 'utf8')).split('\0');
  expect(text).toMatch(new RegExp(`answer: sallyport watch\\n${id}$`));
  // No action, no button, no callback: the program is asked to show, and its answer is not read.
  expect(await readFile(capture, 'utf8')).not.toMatch(/--action|-A/);
  expect(await core.open.approvals.find(id)).toMatchObject({ status: 'pending' });
  await elsewhere.press(id, 'ana', { code: '3' });
  expect(await verdict).toMatchObject({ kind: 'deny' });
  await core.open.delivered();
  expect(core.errors).toEqual([]);
  await core[Symbol.asyncDispose]();
  await dir.remove();
});
