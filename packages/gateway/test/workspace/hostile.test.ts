import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit/needs';
import { soakRounds } from '@sallyport/testkit/rounds';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ScanOptions, scanTree } from '../../src/workspace/taking/scan.ts';
import type { Tree } from '../../src/workspace/tree/entry.ts';
import { HeldFolder } from '../../src/workspace/tree/held-folder.ts';
import { fixture, IN_MEMORY, LIMITS, runIn, undo, type WorkspaceFixture } from './workspace-fixture.ts';

const RUN = { id: 'sess_1', tenant: 'default', agent: 'dev', kind: 'run' } as const;
const needs = requireEngine('python');

function begin(): WorkspaceFixture {
  const place = fixture(undefined, IN_MEMORY);
  onTestFinished(() => place[Symbol.dispose]());
  return place;
}

/** Makes a link to the outside of a folder, and the folder of the link, as fast as it can. */
async function flipper(place: WorkspaceFixture, outside: string): Promise<ChildProcess> {
  const program = `
import os, sys
os.chdir(${JSON.stringify(place.work)})
print('ready', flush=True)
while True:
  try:
    os.rename('d', 'real'); os.symlink(${JSON.stringify(outside)}, 'd')
    os.unlink('d'); os.rename('real', 'd')
    os.rename('d/f', 'd/g'); os.symlink(${JSON.stringify(join(outside, 'secret'))}, 'd/f')
    os.unlink('d/f'); os.rename('d/g', 'd/f')
  except OSError:
    os.path.isdir('d') or os.path.isdir('real') or os.mkdir('d')
    os.path.exists('d/f') or open('d/f', 'w').close()
`;
  const child = spawn('python3', ['-c', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

describe.skipIf(needs.missing)(`links that come and go (${needs.install})`, () => {
  test('[WO-1] no snapshot reads through one', async () => {
    const place = begin();
    const outside = join(place.folder, 'outside');
    mkdirSync(outside);
    const secret = 'nothing of this may be held';
    for (const name of ['secret', 'f']) writeFileSync(join(outside, name), secret);
    mkdirSync(place.at('d'));
    writeFileSync(place.at('d/f'), 'inside');
    const workspace = place.open();
    await flipper(place, outside);
    for (let n = 0; n < soakRounds(2_000); n += 1)
      workspace.take({ run: RUN, kind: 'timed', isQuiet: false });
    expect(workspace.store.objects.has(hash('sha256', secret))).toBe(false);
  });

  test('[WO-1] no undo writes through one', async () => {
    const place = begin();
    const outside = join(place.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret'), 'as it was');
    mkdirSync(place.at('d'));
    writeFileSync(place.at('d/f'), 'inside');
    const workspace = place.open();
    workspace.take({ run: RUN, kind: 'start', isQuiet: true });
    await flipper(place, outside);
    for (let n = 0; n < soakRounds(1_000); n += 1) {
      try {
        undo(workspace, { run: RUN.id, force: true });
      } catch {
        // What changes all the time was not what was shown.
      }
    }
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('as it was');
  });
});

test('[WO-1] a link to the outside is a link, and is put back as one', () => {
  const place = begin();
  symlinkSync('/etc', place.at('etc'));
  const workspace = place.open();
  runIn(workspace, () => {
    rmSync(place.at('etc'));
    mkdirSync(place.at('etc'));
    writeFileSync(place.at('etc/passwd'), 'planted');
  });
  const before = statSync('/etc/passwd').mtimeMs;
  undo(workspace);
  expect(readdirSync(place.at('etc')).length).toBeGreaterThan(1);
  expect(statSync('/etc/passwd').mtimeMs).toBe(before);
});

test('[WO-1] a clock that was set back changes nothing about what came first', () => {
  const place = begin();
  writeFileSync(place.at('f'), 'before');
  const workspace = place.open();
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
  onTestFinished(() => clock.mockRestore());
  runIn(workspace, () => {
    writeFileSync(place.at('f'), 'after');
    clock.mockReturnValue(now - 3_600_000);
  });
  undo(workspace);
  expect(readFileSync(place.at('f'), 'utf8')).toBe('before');
});

describe('what is not read again', () => {
  function scan(place: WorkspaceFixture, before: Tree | undefined, options: Partial<ScanOptions> = {}) {
    let reads = 0;
    using root = HeldFolder.open(place.work);
    const { tree } = scanTree(root, {
      ...LIMITS,
      ...{ before, isQuiet: true, whole: new Set<string>() },
      // Much later: whatever was written has been for a long time.
      now: () => Date.now() + 60_000,
      read(file) {
        reads += 1;
        const room = Buffer.alloc(100);
        const bytes = room.subarray(0, file.read(room, 0));
        return { hash: hash('sha256', bytes), size: bytes.length };
      },
      ...options,
    });
    return { tree, reads };
  }

  function file(): WorkspaceFixture {
    const place = begin();
    writeFileSync(place.at('file'), 'before');
    return place;
  }

  test('is a file that nobody can have written to', () => {
    const place = file();
    const first = scan(place, undefined);
    expect(scan(place, first.tree)).toEqual({ tree: first.tree, reads: 0 });
  });

  test('[WO-1] a file of the same length and time is read: the kernel’s own time of it is another', () => {
    const place = file();
    const { tree } = scan(place, undefined);
    const { atime, mtime } = statSync(place.at('file'));
    writeFileSync(place.at('file'), 'after.');
    utimesSync(place.at('file'), atime, mtime);
    expect(scan(place, tree).reads).toBe(1);
  });

  test('[WO-1] a file that was read as soon as it was written is read again', () => {
    const place = file();
    const { tree } = scan(place, undefined, { now: Date.now });
    expect(scan(place, tree).reads).toBe(1);
  });

  test('[WO-1] a file that was read beside an agent is read again when the agent is gone', () => {
    const place = file();
    const { tree } = scan(place, undefined, { isQuiet: false });
    expect(scan(place, tree, { isQuiet: false }).reads).toBe(0);
    expect(scan(place, tree).reads).toBe(1);
  });

  test('a file that grows all the time is read no further than it was, and said', () => {
    const place = file();
    const fd = openSync(place.at('file'), 'a');
    onTestFinished(() => closeSync(fd));
    using root = HeldFolder.open(place.work);
    const { unsettled } = scanTree(root, {
      ...LIMITS,
      ...{ before: undefined, isQuiet: true, whole: new Set<string>(), now: Date.now },
      read(source) {
        const room = Buffer.alloc(4);
        let size = 0;
        for (let got = source.read(room, 0); got > 0; got = source.read(room, size)) {
          size += got;
          writeSync(fd, 'more and more');
        }
        return { hash: 'x', size };
      },
    });
    expect(unsettled).toEqual(['file']);
  });
});

test('[WO-1] paths of a workspace reach the system in one file alone, which starts nothing but two programs of the system', () => {
  const folder = new URL('../../src/workspace/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const using = (pattern: RegExp): readonly string[] =>
    sources.filter((name) => pattern.test(readFileSync(new URL(name, folder), 'utf8'))).sort();
  expect(using(/from 'node:child_process'/).filter((name) => !name.startsWith('worker/'))).toEqual([
    'tree/held-folder.ts',
  ]);
  expect(
    using(/from 'node:fs'/).filter(
      (name) =>
        /^(?:tree|ignore|undo)\//.test(name) && !using(/import type [^;]* from 'node:fs'/).includes(name),
    ),
  ).toEqual([...['tree/held-folder.ts', 'undo/journal.ts']]);
  const text = readFileSync(new URL('tree/held-folder.ts', folder), 'utf8');
  expect([...text.matchAll(/'(\/[a-z/]+)'/g)].map(([, path]) => path).sort()).toEqual([
    ...['/bin/mkfifo', '/bin/sync', '/usr/bin/mkfifo', '/usr/bin/sync'],
  ]);
});
