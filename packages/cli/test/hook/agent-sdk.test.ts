import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requirePartner, requireTools } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { openHookFixture } from './hook-fixture.ts';

const MAIN = join(import.meta.dirname, 'agent-sdk-main.mjs');
const claude = requirePartner('claude');
const sdk = requireTools('agent-sdk');

test.skipIf(claude.missing || sdk.missing)(
  `a loop on the Agent SDK runs what is permitted, hears of a no, waits for a yes, and takes a change (${sdk.install})`,
  async () => {
    const entry = join(sdk.folder, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs');
    const start = (program: string) => [process.execPath, MAIN, entry, program] as const;
    await using fixture = await openHookFixture('claude-code', '', start);
    const installed = await fixture.cli('install', 'claude-code', '--yes');
    expect(installed.code, installed.stderr).toBe(0);
    const working = fixture.work([
      'echo permitted > permitted.txt',
      'rm permitted.txt',
      'touch asked.txt',
      'touch before.txt',
    ]);
    const answering = (async () => {
      await fixture.answer({ code: '1' });
      await fixture.answer({ code: '5', text: 'touch after.txt' });
    })();
    const [ended] = await Promise.all([working, answering]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.seen).toContain('RuleDenied');
    const there = ['permitted.txt', 'asked.txt', 'before.txt', 'after.txt'].map((name) =>
      existsSync(join(fixture.workspace, name)),
    );
    expect(there).toEqual([true, true, false, true]);
  },
);
