import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOOK_CLIENTS } from '@sallyport/protocol';
import { requirePartner } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { openHookFixture, REAL_CLIENTS } from './hook-fixture.ts';

describe.each(HOOK_CLIENTS)('the real %s with our hook', (client) => {
  const state = requirePartner(REAL_CLIENTS[client].partner);

  test.skipIf(state.missing)(
    `runs what is permitted, hears of a no, waits for a yes, and takes a change (${state.install})`,
    async () => {
      await using fixture = await openHookFixture(client);
      const installed = await fixture.cli('install', client, '--yes');
      expect(installed.code, installed.stderr).toBe(0);
      const working = fixture.work([
        'echo permitted > permitted.txt',
        'rm permitted.txt',
        'touch asked.txt',
        'touch before.txt',
      ]);
      const questions = (async () => {
        const first = await fixture.answer({ code: '1' });
        return [first, await fixture.answer({ code: '5', text: 'touch after.txt' })];
      })();
      const [ended, asked] = await Promise.all([working, questions]);
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      // Codex says so of a hook that did not answer.
      expect(ended.stdout + ended.stderr).not.toContain('PreToolUse Failed');
      const has = (name: string): boolean => existsSync(join(fixture.workspace, name));
      expect(readFileSync(join(fixture.workspace, 'permitted.txt'), 'utf8')).toBe('permitted\n');
      expect(ended.seen).toContain('RuleDenied');
      expect(asked.map(({ preview }) => preview)).toEqual([
        expect.stringContaining('touch asked.txt'),
        expect.stringContaining('touch before.txt'),
      ]);
      expect([has('asked.txt'), has('before.txt'), has('after.txt')]).toEqual([true, false, true]);
    },
  );
});
