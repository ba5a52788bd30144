import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import type { Verdict } from '@sallyport/protocol';
import { expect, test } from 'vitest';
import { commandAction, type ReadCommand, readCommandLine } from '../../src/commands/index.ts';
import { commandPrefix } from '../../src/executors/command/command-executor.ts';
import { CommandExecutor } from '../../src/executors/index.ts';

const PLACE = { cwd: '/work', home: '/tmp/home' };
const ACTOR = {
  tenant: 'default',
  agent: 'dev',
  session: 'sess_1',
  chain: ['dev'],
  confinement: 'jailed',
} as const;

function actionOf(line: string) {
  // `as`: it is one
  const read = readCommandLine(line, PLACE, ['gh']) as ReadCommand;
  return commandAction(read, { ...PLACE, door: 'ssh', actor: ACTOR });
}

test('[GA-1] runs nothing for a verdict that the gate did not give', async () => {
  const started: number[] = [];
  const executor = new CommandExecutor({
    egress: {
      connect: () => Promise.reject(new Error('nobody dials')),
      bundle: () => undefined,
    },
    path: '/usr/bin:/bin',
    gatewayHome: '/nowhere',
    userHome: '/nowhere',
    onStarted: (pid) => void started.push(pid),
  });
  const action = actionOf('gh version');
  const madeUp: Verdict & { kind: 'allow' } = { kind: 'allow', by: 'policy', opinions: [] } as never;
  const job = {
    ...{ action, verdict: madeUp, hosts: [], signal: new AbortController().signal },
    material: { env: {}, files: [], secrets: [] },
    caller: { stdin: Readable.from([]), write: () => undefined, onSignal: () => undefined },
  };
  await expect(executor.run(job)).rejects.toMatchObject({ code: 'NotAdmitted' });
  expect(started).toEqual([]);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(commandPrefix('/nowhere')))).toEqual([]);
});
