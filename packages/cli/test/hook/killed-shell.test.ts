import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine, requirePartner } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { WITNESS_PATH } from '../../src/hook/client-hooks.ts';
import { HOOK_FILE } from '../../src/hook/hook-place.ts';
import { codex } from '../../src/install/codex.ts';
import { configFolder, enrollmentFile } from '../../src/install/enrollment.ts';
import { writeAll } from '../../src/install/write-files.ts';
import { type HookFixture, openHookFixture } from './hook-fixture.ts';

const state = requirePartner('codex');
const ps = requireEngine('ps');

/** Everything that Codex started for its hook: the hook itself last, and what guards it. */
const KILL_ALL = `
const { execFileSync } = require('node:child_process');
const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\\n');
const family = all.map((line) => line.trim().split(/ +/).map(Number)).filter(([, of]) => of === process.ppid);
const others = family.map(([pid]) => pid).filter((pid) => pid !== process.pid);
for (const pid of [process.ppid, ...others, process.pid]) process.kill(pid, 'SIGKILL');
`;
// It dies a moment later: a hook that looks before that finds it alive, asks, and is told what holds.
const KILL_SHELL =
  "{ const shell = process.ppid; process.kill(shell, 'SIGKILL'); while (process.ppid === shell); }";
const GO_ON = `require(${JSON.stringify(HOOK_FILE)});`;

/** The hook that `install` writes, in a program that does this to the processes around it. */
async function installWith(fixture: HookFixture, script: string, ask = 2): Promise<void> {
  const { env, userHome, gateway } = fixture;
  const installed = await fixture.cli('install', 'codex', '--yes');
  expect(installed.code, installed.stderr).toBe(0);
  mkdirSync(join(userHome, 'bin'), { recursive: true });
  const hook = join(userHome, 'bin/sallyport-hook.cjs');
  writeFileSync(hook, script);
  const enrollment = enrollmentFile(configFolder(env, userHome), gateway);
  const place = { node: process.execPath, hook, enrollment, times: { ask, wait: 40, kill: 50, client: 60 } };
  const witness = { url: `${gateway.urls.api}${WITNESS_PATH}` };
  const mcp = { command: process.execPath, args: ['-e', ''] };
  writeAll(codex.changes({ env, userHome, hook: place, mcp, witness }, 'install'));
}

const has = (fixture: HookFixture, name: string): boolean => existsSync(join(fixture.workspace, name));

describe.skipIf(state.missing || ps.missing)(
  `Codex, when the shell around its hook is killed (${state.install}, ${ps.install})`,
  () => {
    test('[TO-8] runs nothing, not even what would be permitted', async () => {
      await using fixture = await openHookFixture('codex');
      for (const [what, script] of [
        ['all of them', KILL_ALL],
        ['the shell, and the hook goes on', `${KILL_SHELL} ${GO_ON}`],
        ['the shell, before the hook reads', `${KILL_SHELL} setTimeout(() => { ${GO_ON} }, 300);`],
      ] as const) {
        await installWith(fixture, script);
        const ended = await fixture.work(['echo ran > ran.txt']);
        expect(has(fixture, 'ran.txt'), what).toBe(false);
        // The model hears why.
        expect(ended.seen, what).toContain('the hook did not ask about this call');
      }
    });

    test('[TO-8] runs nothing while a person thinks, and the question is withdrawn', async () => {
      await using fixture = await openHookFixture('codex');
      await installWith(fixture, `${GO_ON} setTimeout(() => { ${KILL_SHELL} }, 2000);`, 20);
      const ended = await fixture.work(['touch asked.txt']);
      expect(has(fixture, 'asked.txt')).toBe(false);
      expect(ended.seen).toContain('ApprovalCancelled');
      const { items } = (await fixture.gateway.operator('/v1/approvals?status=pending')).json<{
        items: unknown[];
      }>();
      expect(items).toEqual([]);
    });

    test('[TO-8] holds to what the hook was told, when it is killed with the answer in its hands', async () => {
      await using fixture = await openHookFixture('codex');
      await installWith(fixture, `process.once('exit', () => { ${KILL_SHELL} }); ${GO_ON}`, 20);
      writeFileSync(join(fixture.workspace, 'kept.txt'), 'kept');
      const working = fixture.work(['echo permitted > permitted.txt', 'rm kept.txt', 'touch before.txt']);
      await fixture.answer({ code: '5', text: 'touch after.txt' });
      const ended = await working;
      expect(readFileSync(join(fixture.workspace, 'permitted.txt'), 'utf8')).toBe('permitted\n');
      expect(has(fixture, 'kept.txt')).toBe(true);
      expect(ended.seen).toContain('RuleDenied');
      expect([has(fixture, 'before.txt'), has(fixture, 'after.txt')]).toEqual([false, true]);
    });
  },
);
