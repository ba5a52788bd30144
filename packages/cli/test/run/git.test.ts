import { requireEngine } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { startGitServer } from './git-server.ts';
import { OUTSIDE, openRunFixture } from './run-fixture.ts';

const needs = requireEngine('bubblewrap', 'git');

describe.skipIf(needs.missing)(`git in a jail (${needs.install})`, () => {
  test('a push asks, shows what would change, and arrives after a yes', async () => {
    await using fixture = await openRunFixture({
      config: `providers: [{ host: "${OUTSIDE}", provider: git }]`,
      network: `  rules: [{ host: "${OUTSIDE}", action: allow }]`,
    });
    await using server = await startGitServer(fixture.ca, OUTSIDE);
    const running = fixture.start([
      '--json',
      '--',
      'bash',
      '-ec',
      `git init -q -b feature; git remote add origin ${server.url}; git ls-remote origin
       echo text > file; git add file; git commit -qm first; git push -q origin feature; git rev-parse HEAD`,
    ]);
    const question = await Promise.race([fixture.answer('1'), running.ended]);
    if ('code' in question) throw new Error(`it never asked: ${question.stderr}`);
    expect(question.preview).toContain('feature');
    const ended = await running.ended;
    expect(ended.code, ended.stderr).toBe(0);
    expect(server.head('feature')).toBe(ended.stdout.trim());
    expect(ended.summary()).toMatchObject({ asked: 1, approved: 1 });
  });
});
