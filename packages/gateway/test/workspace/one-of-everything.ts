import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { observe } from '@sallyport/testkit/workspace-template';
import { fixture, IN_MEMORY, runIn, undo, type WorkspaceFixture } from './workspace-fixture.ts';

/** What is rebuilt is not held. */
export const REBUILT = ['/node_modules', '/out'];

/** One of everything that an agent can do to the workspace of the template. */
export function work(place: WorkspaceFixture): void {
  place.git('commit', '-q', '--allow-empty', '-m', 'work');
  place.git('reset', '-q', '--hard', 'HEAD~2');
  place.git('branch', '-D', 'other');
  place.git('stash', 'clear');
  place.git('reflog', 'expire', '--expire=now', '--all');
  place.git('gc', '-q', '--prune=now');
  rmSync(place.at('src'), { recursive: true });
  writeFileSync(place.at('src'), 'a file where a folder was');
  rmSync(place.at('README.md'));
  mkdirSync(place.at('README.md/deep'), { recursive: true });
  writeFileSync(place.at('README.md/deep/file'), 'a folder where a file was');
  for (const name of ['link', 'dangling', 'pipe', 'untracked.txt', 'trio-3']) rmSync(place.at(name));
  symlinkSync('/etc/passwd', place.at('link'));
  chmodSync(place.at('run.sh'), 0o600);
  chmodSync(place.at('empty'), 0o711);
  chmodSync(place.work, 0o711);
  chmodSync(place.at('closed'), 0o644);
  writeFileSync(place.at('closed'), 'written over');
  renameSync(place.at('Case'), place.at('renamed'));
  mkdirSync(place.at('new/deep'), { recursive: true });
  writeFileSync(place.at('new/deep/file'), 'new');
  rmSync(place.at('nested/.git'), { recursive: true });
}

/** Files with several names, all of one file, of which one goes and the others stay. */
export function addTrio(place: WorkspaceFixture): void {
  writeFileSync(place.at('trio-1'), 'three names');
  linkSync(place.at('trio-1'), place.at('trio-2'));
  linkSync(place.at('trio-1'), place.at('trio-3'));
}

/** Does all of it, undoes it, and undoes that. What is not as it was; nothing when undo is right. */
export function differences(template: string): readonly string[] {
  using place = fixture(template, IN_MEMORY);
  addTrio(place);
  chmodSync(place.work, 0o750);
  chmodSync(place.at('pipe'), 0o640);
  const [before, index] = [observe(place.work, REBUILT), statSync(place.at('.git/index')).mtimeMs];
  const workspace = place.open();
  runIn(workspace, () => work(place));
  const after = observe(place.work, REBUILT);
  const { id, isDone } = undo(workspace);
  if (!isDone) return ['it was not carried out'];
  const found = [...between(before, observe(place.work, REBUILT))];
  // By it git tells which files it must read again.
  if (Math.floor(statSync(place.at('.git/index')).mtimeMs) !== Math.floor(index))
    found.push('/.git/index: time');
  undo(workspace, { run: id });
  return [...found, ...between(after, observe(place.work, REBUILT))];
}

function* between(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): Generator<string> {
  for (const path of new Set([...a.keys(), ...b.keys()])) if (a.get(path) !== b.get(path)) yield path;
}
