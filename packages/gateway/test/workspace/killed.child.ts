import { writeFileSync } from 'node:fs';
import { Workspace } from '../../src/workspace/history/workspace.ts';
import { LIMITS, undo } from './workspace-fixture.ts';

/** Takes snapshots, or undoes and undoes that, until somebody kills it. */
const [home = '', work = '', what = ''] = process.argv.slice(2);
const workspace = new Workspace(home, work, () => LIMITS);
const run = { id: `sess_${'9'.repeat(26)}`, tenant: 'default', agent: 'dev', kind: 'run' } as const;
process.stdout.write('ready\n');
for (let n = 0, last: string | undefined; ; n += 1) {
  if (what === 'undo') last = undo(workspace, last === undefined ? {} : { run: last }).id;
  else {
    for (let file = 0; file < 20; file += 1)
      writeFileSync(`${work}/file-${file}`, `${n} ${file}`.repeat(1_000));
    workspace.take({ run, kind: 'start', isQuiet: true });
  }
}
