import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOOK_CLIENTS, type HookClient } from '@sallyport/protocol';
import { requirePartner } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { WITNESS_PATH } from '../../src/hook/client-hooks.ts';
import type { HookPlace } from '../../src/hook/hook-place.ts';
import { INSTALLERS } from '../../src/install/run-install.ts';
import { writeAll } from '../../src/install/write-files.ts';
import { type HookFixture, openHookFixture, REAL_CLIENTS } from './hook-fixture.ts';

interface Misfortune {
  readonly what: string;
  readonly why: string;
  /** what takes the place of the hook */
  readonly script?: string;
  readonly place?: Partial<HookPlace>;
  readonly isLate?: true;
  /** the shell is gone too, which Codex alone needs somebody else for */
  readonly isWitnessed?: true;
}

/** Whoever guards the hook comes soon, and the client's own deadline later; Claude Code has nobody but its deadline. */
const soon = (client: HookClient) => ({
  ask: 1,
  wait: 0,
  kill: 1,
  client: client === 'claude-code' ? 2 : 20,
});

/** Pi starts its hook without a shell: there nobody stands in between. */
const KILL_SHELL = "process.argv[2] === 'pi' ? process.exit(1) : process.kill(process.ppid, 'SIGKILL');";

const MISFORTUNES: readonly Misfortune[] = [
  {
    what: 'is killed',
    why: 'out of memory, or somebody who would like the tool to run',
    script: "process.kill(process.pid, 'SIGKILL');",
  },
  { what: 'crashes', why: 'an exit code that clients do not take for a no', script: 'process.exit(1);' },
  {
    what: 'hangs, stopped',
    why: 'a late answer counts as consent for some, and a stopped process ends no timer of its own',
    script: "process.kill(process.pid, 'SIGSTOP');",
    isLate: true,
  },
  {
    what: 'loses the shell around it',
    why: 'nobody is left to make a no of it but the client',
    script: KILL_SHELL,
    isWitnessed: true,
  },
  {
    what: 'is killed with the shell around it',
    why: 'not even an exit code is left',
    script: `${KILL_SHELL} process.kill(process.pid, 'SIGKILL');`,
    isWitnessed: true,
  },
  { what: 'has lost its Node', why: 'an update moved it', place: { node: '/nowhere/bin/node' } },
  { what: 'is gone', why: 'the checkout was moved', place: { hook: '/nowhere/sallyport-hook.cjs' } },
];

describe.each(HOOK_CLIENTS)('the real %s', (client) => {
  const state = requirePartner(REAL_CLIENTS[client].partner);

  test.skipIf(state.missing)(
    `[TO-8] runs no tool when its hook is killed, crashes, hangs or is missing (${state.install})`,
    async () => {
      await using fixture = await openHookFixture(client);
      for (const { what, why, script, place, isLate, isWitnessed } of MISFORTUNES) {
        const late = isLate === undefined ? {} : { times: soon(client) };
        installAs(fixture, client, { ...hookOf(fixture, script), ...place, ...late }, isWitnessed);
        const ended = await fixture.work([`echo ran > ran.txt`]);
        // The call was made and answered: the model heard of it.
        expect(ended.seen, `${what}: ${ended.stdout}${ended.stderr}`).toContain('ran.txt');
        expect(existsSync(join(fixture.workspace, 'ran.txt')), `a hook that ${what} (${why})`).toBe(false);
      }
      // The same call runs with a hook that agrees, so it was the hook that kept it.
      installAs(fixture, client, hookOf(fixture, agrees(client)));
      await fixture.work([`echo ran > ran.txt`]);
      expect(existsSync(join(fixture.workspace, 'ran.txt'))).toBe(true);
    },
  );

  test.skipIf(state.missing)(
    `[TO-8] runs no tool while the gateway is down, and says how to start it (${state.install})`,
    async () => {
      await using fixture = await openHookFixture(client);
      const installed = await fixture.cli('install', client, '--yes');
      expect(installed.code, installed.stderr).toBe(0);
      await fixture.gateway.killNow();
      const ended = await fixture.work([`echo ran > ran.txt`]);
      expect(existsSync(join(fixture.workspace, 'ran.txt'))).toBe(false);
      expect(ended.seen).toContain('sallyport start');
    },
  );
});

function hookOf({ userHome }: HookFixture, script = ''): HookPlace {
  mkdirSync(join(userHome, 'bin'), { recursive: true });
  const hook = join(userHome, 'bin/sallyport-hook.cjs');
  writeFileSync(hook, script);
  return { node: process.execPath, hook, times: { ask: 1, wait: 0, kill: 20, client: 30 } };
}

function agrees(client: HookClient): string {
  return client === 'pi' ? 'console.log(\'{"block":false}\');' : 'process.exitCode = 0;';
}

function installAs(
  { env, userHome, gateway }: HookFixture,
  client: HookClient,
  hook: HookPlace,
  isWitnessed = false,
): void {
  const mcp = { command: process.execPath, args: ['-e', ''] };
  const witness = isWitnessed ? { witness: { url: `${gateway.urls.api}${WITNESS_PATH}` } } : {};
  writeAll(INSTALLERS[client].changes({ env, userHome, hook, mcp, ...witness }, 'install'));
}
