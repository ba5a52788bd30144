import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirePartner } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { openHookFixture, REAL_CLIENTS } from './hook-fixture.ts';

describe.each(['claude-code', 'codex', 'pi'] as const)('the real %s with our MCP endpoint', (client) => {
  const state = requirePartner(REAL_CLIENTS[client].partner);

  test.skipIf(state.missing)(
    `runs what is permitted, hears of a no, waits for a yes, and takes a change (${state.install})`,
    async () => {
      await using fixture = await openHookFixture(
        client,
        'volumes: [{ name: work, mount: /workspace, path: "$WORK", mode: rw }]\n',
      );
      const installed = await fixture.cli('install', client, '--yes');
      expect(installed.code, installed.stderr).toBe(0);
      const call = (tool: string, input: Record<string, unknown>) => ({
        ...(client === 'codex'
          ? { namespace: 'mcp__sallyport', name: `fs_${tool}` }
          : { name: `mcp__sallyport__fs_${tool}` }),
        input,
      });
      const working = fixture.work([
        call('write', { path: '/workspace/permitted.txt', content: 'permitted' }),
        call('delete', { path: '/workspace/permitted.txt' }),
        call('create', { path: '/workspace/asked.txt', content: 'asked' }),
        call('create', { path: '/workspace/before.txt', content: 'before' }),
      ]);
      const questions = (async () => {
        await fixture.answer({ code: '1' });
        await fixture.answer({ code: '5', text: '{"path":"/workspace/after.txt","content":"after"}' });
      })();
      const [ended] = await Promise.all([working, questions]);
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      const text = (name: string): string => readFileSync(join(fixture.workspace, name), 'utf8');
      expect(readdirSync(fixture.workspace), ended.seen.slice(-6000)).toContain('permitted.txt');
      expect(text('permitted.txt')).toBe('permitted');
      expect(ended.seen).toContain('RuleDenied');
      expect([text('asked.txt'), text('after.txt')]).toEqual(['asked', 'after']);
      expect(existsSync(join(fixture.workspace, 'before.txt'))).toBe(false);
    },
  );
});
