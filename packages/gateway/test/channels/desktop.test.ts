import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DesktopChannel } from '../../src/approvals/channels/desktop/desktop-channel.ts';
import { approvalFixture } from './answers.fixture.ts';

const ana = { user: 'ana', identity: 'ana' };
const never = new AbortController().signal;
/** Writes its arguments, each ended by a zero byte, as no argument can hold one. */
const FAKE_PROGRAM = '#!/bin/sh\nfor argument in "$@"; do printf \'%s\\0\' "$argument"; done > "$CAPTURE"\n';

describe.each([
  { platform: 'linux', program: 'notify-send', texts: 3 },
  { platform: 'darwin', program: 'osascript', texts: 7 },
])('the desktop channel on $platform', ({ platform, program, texts }) => {
  let dir: TempDir;
  let channel: DesktopChannel;
  const capture = () => join(dir.path, 'argv');
  const argv = async () => (await readFile(capture(), 'utf8')).split('\0').slice(0, -1);

  beforeEach(async () => {
    dir = await tempDir();
    await writeFile(join(dir.path, program), FAKE_PROGRAM);
    await chmod(join(dir.path, program), 0o755);
    channel = new DesktopChannel({ platform, env: { PATH: dir.path, CAPTURE: capture() } });
    await channel.start();
  });
  afterEach(async () => {
    await channel.stop();
    await dir.remove();
  });

  test('shows what waits and where to answer', async () => {
    await channel.deliver(approvalFixture(), ana, never);
    expect(await argv()).toMatchSnapshot();
  });

  test.each([
    { why: 'an option', text: '--action=default=x' },
    { why: 'another option', text: '-e' },
    { why: 'a script', text: '" & (do shell script "id") & "' },
    { why: 'a shell', text: '$(id) `id`; id' },
    { why: 'a zero byte', text: 'a\0b' },
    { why: 'line breaks', text: 'a\n-e\ndo shell script "id"' },
    { why: 'markup', text: '<a href="https://evil.test">Allow</a>' },
    { why: 'a lot of it', text: 'x'.repeat(1_000_000) },
  ])('[AP-6] $why in the texts stays text', async ({ text }) => {
    const actor = { ...approvalFixture().actor, agent: text };
    await channel.deliver(approvalFixture({ title: text, preview: text, tool: text, actor }), ana, never);
    const given = await argv();
    expect(given).toHaveLength(texts + 2);
    expect(given[texts - 1]).toBe('--');
    expect(given[texts]).toMatch(/^Sallyport asks \(risk: high\): /);
    expect(given.at(-1)).toMatch(/\nSee all of it and answer: sallyport watch\nappr_[0-9a-z]{26}$/);
    if (platform === 'linux') expect(given.at(-1)).not.toMatch(/<a /);
    expect(given.join('').length).toBeLessThan(1_000);
  });

  test('a program that is missing or fails rejects the delivery', async () => {
    const missing = new DesktopChannel({ platform, env: { PATH: join(dir.path, 'nothing') } });
    await expect(missing.deliver(approvalFixture(), ana, never)).rejects.toMatchObject({
      code: 'ToolMissing',
    });
    await writeFile(join(dir.path, program), '#!/bin/sh\nexit 3\n');
    await expect(channel.deliver(approvalFixture(), ana, never)).rejects.toMatchObject({
      code: 'Unavailable',
    });
  });
});

test('where there are no notifications, delivery rejects', async () => {
  const channel = new DesktopChannel({ platform: 'aix', env: {} });
  await expect(channel.deliver(approvalFixture(), ana, never)).rejects.toThrow(/no desktop notifications/);
});
