import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Takes a snapshot or undoes the last run, and kills itself right before the n-th call that writes to a disk. Prints how
 * many there were when n is 0.
 */
const [home = '', work = '', what = '', moment = '0'] = process.argv.slice(2);
const WRITING = [
  ...['renameSync', 'unlinkSync', 'rmdirSync', 'rmSync', 'mkdirSync', 'symlinkSync', 'linkSync', 'writeSync'],
  ...['writeFileSync', 'chmodSync', 'fchmodSync', 'chownSync', 'fchownSync', 'futimesSync', 'fsyncSync'],
] as const;
let calls = 0;
// As: by name, whatever each of them takes and gives.
const table = fs as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
for (const name of [...WRITING, 'openSync']) {
  const call = table[name] as (...args: readonly unknown[]) => unknown;
  table[name] = (...args) => {
    const isWriting =
      name !== 'openSync' || (Number(args[1]) & fs.constants.O_CREAT) !== 0 || args[1] === 'wx';
    if (isWriting) calls += 1;
    if (isWriting && calls === Number(moment)) process.kill(process.pid, 'SIGKILL');
    return call(...args);
  };
}
syncBuiltinESMExports();

const { Workspace } = await import('../../src/workspace/history/workspace.ts');
const { LIMITS, undo } = await import('./workspace-fixture.ts');
const workspace = new Workspace(home, work, () => LIMITS);
const run = { id: `sess_${'9'.repeat(26)}`, tenant: 'default', agent: 'dev', kind: 'run' } as const;
if (what === 'undo') undo(workspace);
else workspace.take({ run, kind: 'start', isQuiet: true });
process.stdout.write(String(calls));
