import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit/needs';
import { git, observe } from '@sallyport/testkit/workspace-template';
import { describe, expect, onTestFinished, test } from 'vitest';
import { planReport } from '../../src/workspace/history/report.ts';
import { Workspace } from '../../src/workspace/history/workspace.ts';
import { fixture, IN_MEMORY, LIMITS, runIn, undo, type WorkspaceFixture } from './workspace-fixture.ts';

const needsGit = requireEngine('git');
const needsPython = requireEngine('python');
const needsRoot = requireEngine('root');
const needsOther = requireEngine('other-user');
const RUN = { id: 'sess_1', tenant: 'default', agent: 'dev', kind: 'run' } as const;

function begin(above?: string): WorkspaceFixture {
  const place = fixture(undefined, above);
  onTestFinished(() => place[Symbol.dispose]());
  return place;
}

function leftOut(workspace: Workspace): Record<string, string> {
  const tree = workspace.store.tree(workspace.take({ run: RUN, kind: 'start', isQuiet: true }));
  return Object.fromEntries(
    [...tree].flatMap(([path, entry]) => (entry.kind === 'left-out' ? [[path, entry.why]] : [])),
  );
}

/** Everything that was there is there again after an agent took it away. */
function expectExact(place: WorkspaceFixture, folder: string = place.work): void {
  const before = observe(folder);
  const workspace = place.open();
  runIn(workspace, () => {
    for (const name of readdirSync(place.work)) rmSync(place.at(name), { recursive: true });
  });
  undo(workspace);
  expect(observe(folder)).toEqual(before);
}

test('a workspace without git, and one on another file system than the store', () => {
  const place = begin();
  writeFileSync(place.at('file'), 'content');
  expectExact(place);
  const other = begin(IN_MEMORY);
  writeFileSync(other.at('file'), 'content');
  expectExact({ ...other, open: () => new Workspace(place.home, other.work, () => LIMITS) });
});

describe.skipIf(needsGit.missing)(`repositories of every kind (${needsGit.install})`, () => {
  /** A repository with a commit, outside of the workspace. */
  function origin(place: WorkspaceFixture): string {
    const folder = join(place.folder, 'origin');
    mkdirSync(folder);
    git(folder, 'init', '-q', '-b', 'main');
    for (const path of ['a', 'b']) mkdirSync(join(folder, path));
    for (const path of ['a/1', 'b/2', 'top']) writeFileSync(join(folder, path), `${path}\n`);
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'first');
    return folder;
  }

  test('a bare one is put back whole', () => {
    const place = begin();
    place.git('clone', '-q', '--bare', origin(place), '.');
    expectExact(place);
    expect(place.git('fsck')).toBe('');
  });

  test('a work tree of a repository elsewhere: its files exactly, and what is not held is said', () => {
    const place = begin();
    rmSync(place.work, { recursive: true });
    git(origin(place), 'worktree', 'add', '-q', '-b', 'side', place.work);
    expectExact(place);
    const workspace = place.open();
    const said = workspace.plan(
      { force: false },
      (planned) => planReport(workspace, planned, false).git_elsewhere,
    );
    expect(said).toEqual(['.git']);
  });

  test('submodules, with their repositories in the one above', () => {
    const place = begin();
    place.git('init', '-q', '-b', 'main');
    place.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin(place), 'lib');
    place.git('commit', '-qm', 'with a submodule');
    expectExact(place);
    expect(place.git('submodule', 'status')).toContain('lib');
    const workspace = place.open();
    const said = workspace.plan(
      { force: false },
      (planned) => planReport(workspace, planned, false).git_elsewhere,
    );
    expect(said).toEqual([]);
  });

  test('a sparse checkout, and files that a filter would make of others', () => {
    const place = begin();
    place.git('clone', '-q', origin(place), '.');
    place.git('sparse-checkout', 'set', 'a');
    const lfs = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n';
    writeFileSync(place.at('large.bin'), lfs);
    writeFileSync(place.at('.gitattributes'), '*.bin filter=lfs\n*.txt filter=planted diff=planted\n');
    writeFileSync(place.at('file.txt'), 'as it is\n');
    expectExact(place);
    expect(readFileSync(place.at('large.bin'), 'utf8')).toBe(lfs);
  });

  test('nothing that a repository names is run while we look, plan and put back', () => {
    const place = begin();
    place.git('init', '-q', '-b', 'main');
    const marker = join(place.folder, 'ran');
    const program = place.at('planted.sh');
    writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\n`);
    chmodSync(program, 0o755);
    for (const hook of [
      'post-checkout',
      'pre-commit',
      'post-index-change',
      'reference-transaction',
      'fsmonitor-watchman',
    ])
      writeFileSync(place.at('.git/hooks', hook), readFileSync(program), { mode: 0o755 });
    writeFileSync(place.at('.gitattributes'), '* filter=planted diff=planted\n');
    const plant = `[core]\n\tfsmonitor = ${program}\n\tpager = ${program}\n\tsshCommand = ${program}\n[filter "planted"]\n\tclean = ${program}\n\tsmudge = ${program}\n\trequired\n[diff "planted"]\n\ttextconv = ${program}\n\tcommand = ${program}\n[include]\n\tpath = ${place.at('planted.config')}\n`;
    const workspace = place.open();
    runIn(workspace, () => {
      writeFileSync(place.at('.git/config'), plant);
      writeFileSync(place.at('planted.config'), plant);
    });
    workspace.plan({ force: false }, (planned) => planReport(workspace, planned, true));
    undo(workspace);
    expect(readdirSync(place.folder)).not.toContain('ran');
    // The same things do run when git looks.
    writeFileSync(place.at('.git/config'), plant);
    place.git('status');
    expect(readdirSync(place.folder)).toContain('ran');
  });

  test('ignored files count up to a size, unless git follows them', () => {
    const place = begin();
    place.git('init', '-q');
    mkdirSync(place.at('dist'));
    mkdirSync(place.at('build'));
    for (const path of ['big.log', 'followed.log', 'big.txt', 'dist/x', 'build/x'])
      writeFileSync(place.at(path), Buffer.alloc(200));
    writeFileSync(place.at('small.log'), '');
    writeFileSync(place.at('.gitignore'), '*.log\ndist/\nbuild/\n');
    place.git('add', '-f', 'followed.log', 'build/x');
    expect(leftOut(place.open({ maxFile: 100 }))).toEqual({ 'big.log': 'ignored', dist: 'rebuilt' });
    // With the paths that git follows in two files, which ones these are is not known: then everything counts.
    place.git('update-index', '--split-index');
    expect(leftOut(place.open({ maxFile: 100 }))).toEqual({});
  });
});

test('too many files, or too many bytes, are refused in one sentence, and nothing stays behind', () => {
  const place = begin();
  for (let n = 0; n < 20; n += 1) writeFileSync(place.at(`file-${n}`), 'x'.repeat(100));
  const many = place.open({ maxFiles: 10 });
  expect(() => many.take({ run: RUN, kind: 'start', isQuiet: true })).toThrow(
    'more than 10 files and folders',
  );
  const large = place.open({ maxBytes: 1_000 });
  expect(() => large.take({ run: RUN, kind: 'start', isQuiet: true })).toThrow('more than 1000 bytes');
  expect(readdirSync(join(large.store.folder, 'packs'))).toEqual([]);
  expect(large.store.snapshots).toEqual([]);
});

test('a file of 20 GB is left out and said, at once', () => {
  const place = begin();
  writeFileSync(place.at('huge'), '');
  truncateSync(place.at('huge'), 20 * 2 ** 30);
  writeFileSync(place.at('file'), 'small');
  expect(leftOut(place.open())).toEqual({ huge: 'large' });
});

test('sockets and devices are left out and said; one in the way of a file gives way to it', async () => {
  const place = begin();
  writeFileSync(place.at('file'), 'content');
  const server = createServer().listen(place.at('socket'));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const workspace = place.open();
  expect(leftOut(workspace)).toEqual({ socket: 'socket' });
  rmSync(place.at('file'));
  const second = createServer().listen(place.at('file'));
  onTestFinished(() => void second.close());
  await once(second, 'listening');
  undo(workspace, { force: true });
  expect(readFileSync(place.at('file'), 'utf8')).toBe('content');
});

test.skipIf(needsPython.missing)(
  `folders within each other beyond the limit are left out and said (${needsPython.install})`,
  () => {
    const place = begin();
    // Longer than any path that the system takes at once.
    const program = `import os\nos.chdir(${JSON.stringify(place.work)})\nfor n in range(700):\n os.mkdir('d')\n os.chdir('d')\n`;
    expect(spawnSync('python3', ['-c', program]).status).toBe(0);
    expect(Object.values(leftOut(place.open()))).toEqual(['deep']);
    spawnSync('rm', ['-rf', place.at('d')]);
  },
);

test.skipIf(needsOther.missing)(
  `files that cannot be read are left out and said (${needsOther.install})`,
  () => {
    const place = begin();
    chmodSync(place.folder, 0o755);
    for (const path of [place.home, place.work]) chownSync(path, 65_534, 65_534);
    writeFileSync(place.at('closed'), 'of somebody else', { mode: 0o600 });
    mkdirSync(place.at('folder'), { mode: 0o700 });
    writeFileSync(place.at('open'), 'for all', { mode: 0o644 });
    const program = `
    import { Workspace } from ${JSON.stringify(new URL('../../src/workspace/history/workspace.ts', import.meta.url).href)};
    const workspace = new Workspace(${JSON.stringify(place.home)}, ${JSON.stringify(place.work)}, () => (${JSON.stringify(LIMITS)}));
    const tree = workspace.store.tree(workspace.take({ run: ${JSON.stringify(RUN)}, kind: 'start', isQuiet: true }));
    console.log(JSON.stringify([...tree].map(([path, { kind, why }]) => [path, why ?? kind])));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      ...{ uid: 65_534, gid: 65_534, encoding: 'utf8', env: {} },
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([
      ...[
        ['', 'folder'],
        ['closed', 'unreadable'],
        ['folder', 'unreadable'],
        ['open', 'file'],
      ],
    ]);
  },
);

describe('a store that was tampered with', () => {
  function damaged(damage: (folder: string) => void): {
    readonly place: WorkspaceFixture;
    readonly workspace: Workspace;
  } {
    const place = begin();
    writeFileSync(place.at('file'), 'what was there');
    const workspace = place.open();
    runIn(workspace, () => writeFileSync(place.at('file'), 'by the agent'));
    damage(workspace.store.folder);
    return { place, workspace: place.open() };
  }

  function overwrite(file: string, at: number, text: string): void {
    const fd = openSync(file, 'r+');
    writeSync(fd, text, at);
    closeSync(fd);
  }

  const oldest = (folder: string, part: string): string =>
    join(folder, part, readdirSync(join(folder, part)).sort()[0] ?? '');

  test.each([
    {
      why: 'a content of another length or other bytes',
      damage: (folder: string) => overwrite(oldest(folder, 'packs'), 0, 'WHAT'),
    },
    { why: 'a pack that is gone', damage: (folder: string) => rmSync(oldest(folder, 'packs')) },
    {
      why: 'an index that leads elsewhere',
      damage: (folder: string) => overwrite(oldest(folder, 'packs'), 50, '\xff\xff'),
    },
    {
      why: 'a pack that was cut off',
      damage: (folder: string) => {
        const fd = openSync(oldest(folder, 'packs'), 'r+');
        ftruncateSync(fd, 20);
        closeSync(fd);
      },
    },
  ])('[WO-1] $why is refused in one sentence, and nothing is touched', ({ damage }) => {
    const { place, workspace } = damaged(damage);
    expect(() => undo(workspace)).toThrow('the store of snapshots was damaged');
    expect(readFileSync(place.at('file'), 'utf8')).toBe('by the agent');
  });

  test('[WO-1] a list that was changed is refused; a snapshot whose facts were changed is none', () => {
    const lists = damaged((folder) => {
      for (const name of readdirSync(join(folder, 'trees'))) overwrite(join(folder, 'trees', name), 12, 'xx');
    });
    expect(() => undo(lists.workspace)).toThrow('the store of snapshots was damaged');
    const facts = damaged((folder) => {
      for (const name of readdirSync(join(folder, 'snapshots')))
        overwrite(join(folder, 'snapshots', name), 30, 'xx');
    });
    expect(() => undo(facts.workspace)).toThrow('no run in');
  });

  test('[WO-1] a list that names a way out of the workspace writes nothing there', () => {
    const place = begin();
    const workspace = place.open();
    const { store } = workspace;
    writeFileSync(place.at('file'), 'content');
    const { id: taken } = workspace.take({ run: RUN, kind: 'start', isQuiet: true });
    const entry = store.tree(store.get(taken)).get('file');
    const rights = { kind: 'folder', mode: 0o755, uid: 0, gid: 0 } as const;
    const tree = new Map([
      ['', rights],
      ['..', rights],
      ['../escaped', entry ?? rights],
    ]);
    const { tree: _, ...facts } = store.get(taken);
    const id = `snap_${'z'.repeat(26)}`;
    store.add({ ...facts, id, at: Date.now() + 1_000 }, tree);
    expect(() => undo(place.open(), { to: id, force: true })).toThrow('was damaged');
    expect(readdirSync(place.folder).sort()).toEqual(['home', 'work']);
  });
});

describe.skipIf(needsRoot.missing)(`a disk that is full (${needsRoot.install})`, () => {
  function mounted(path: string, megabytes: number): void {
    expect(
      spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', path]).status,
    ).toBe(0);
    onTestFinished(() => void spawnSync('umount', ['-l', path]));
  }

  test('that of the store: refused in one sentence, before and in the middle', () => {
    const place = begin();
    mounted(place.home, 80);
    writeFileSync(place.at('file'), Buffer.alloc(100 * 2 ** 20, 'x'));
    const full = 'no space is left for a snapshot';
    expect(() => place.open().take({ run: RUN, kind: 'start', isQuiet: true })).toThrow(full);
    rmSync(place.at('file'));
    writeFileSync(join(place.home, 'others'), Buffer.alloc(30 * 2 ** 20, 'x'));
    expect(() => place.open().take({ run: RUN, kind: 'start', isQuiet: true })).toThrow(full);
    rmSync(join(place.home, 'others'));
    expect(place.open().take({ run: RUN, kind: 'start', isQuiet: true }).files).toBe(0);
  });

  test('that of the workspace: everything is as it was before the undo', () => {
    const place = begin();
    mounted(place.work, 40);
    for (const name of ['a', 'b', 'c']) writeFileSync(place.at(name), Buffer.alloc(10 * 2 ** 20, name));
    const workspace = place.open();
    runIn(workspace, () => {
      for (const name of ['a', 'b', 'c']) rmSync(place.at(name));
    });
    // Of the person, and so not taken away.
    writeFileSync(place.at('mine'), Buffer.alloc(25 * 2 ** 20, 'm'));
    const before = observe(place.work);
    const { isDone, error } = undo(workspace);
    expect({ isDone, error: String(error) }).toMatchObject({
      isDone: false,
      error: expect.stringContaining('ENOSPC'),
    });
    expect(observe(place.work)).toEqual(before);
  });
});
