import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit/needs';
import { waitFor } from '@sallyport/testkit/wait';
import { git } from '@sallyport/testkit/workspace-template';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuditTrail } from '../../src/audit/index.ts';
import { type Destruction, type HeldBefore, Snapshots } from '../../src/workspace/index.ts';
import { storeFolder } from '../../src/workspace/store/snapshot-store.ts';
import { fixture, type WorkspaceFixture } from './workspace-fixture.ts';

const needs = requireEngine('git');
const SESSION = { id: 'sess_1', tenant: 'default', agent: 'dev' };
const CONFIG = {
  keep_runs: 20,
  keep_days: 7,
  every: '10m',
  max_file: 1_000,
  max_files: 1_000,
  max_bytes: 2 ** 30,
};

let place: WorkspaceFixture;
let snapshots: Snapshots;
let config: typeof CONFIG;
let events: string[];
let end: () => void;

beforeEach(() => {
  place = fixture();
  [config, events] = [CONFIG, []];
  snapshots = open();
});
afterEach(() => {
  snapshots.close();
  place[Symbol.dispose]();
});

function open(more: { readonly home?: string; readonly holdMs?: number } = {}): Snapshots {
  const note = ({ type, data }: { type: string; data: Record<string, unknown> }) =>
    void events.push(`${type} ${data['kind']}`);
  return new Snapshots({
    ...{ home: place.home, config: () => config, systemTenant: 'system' },
    // As: nothing else of the trail is used here.
    trail: { note } as unknown as AuditTrail,
    onSessionEnded: (_, listener) => {
      end = listener;
    },
    // A test that ends cuts off what is removed after it.
    onFailed: () => undefined,
    ...more,
  });
}

function hold(destroys: Partial<Destruction>): Promise<HeldBefore> {
  return snapshots.sessions.holdBefore(
    { ...SESSION, workspace: place.work },
    { paths: [], repositories: [], ...destroys },
  );
}

const HELD = { kind: 'held', snapshot: expect.stringMatching(/^snap_/) };
const not = (why: string) => ({ kind: 'not-held', why: expect.stringContaining(why) });

test('a session is held from its first look on, before each command that destroys, and until its end', async () => {
  writeFileSync(place.at('file'), 'one');
  await snapshots.sessions.follow({ ...SESSION, workspace: place.work });
  await snapshots.sessions.follow({ ...SESSION, workspace: place.work });
  writeFileSync(place.at('file'), 'two');
  expect(await hold({ paths: [place.at('file')] })).toEqual(HELD);
  // Nothing changed: the one that is there holds it.
  expect(await hold({ paths: [place.at('file')] })).toEqual(HELD);
  end();
  await waitFor('the end', () => expect(events).toHaveLength(3));
  const taken = 'WorkspaceEvent::SnapshotTaken';
  expect(events).toEqual([`${taken} start`, `${taken} before`, `${taken} end`]);
});

test('what no snapshot holds is named, and asked about', async () => {
  mkdirSync(place.at('.git'));
  writeFileSync(place.at('.gitignore'), '*.bin\n');
  mkdirSync(place.at('data'));
  writeFileSync(place.at('data/large.bin'), 'x'.repeat(2_000));
  writeFileSync(place.at('small'), 'x');
  const large = not('`data/large.bin` is in no snapshot: ignored by git, and larger');
  expect(await hold({ paths: [place.at('data')] })).toEqual(large);
  expect(await hold({ paths: [place.work] })).toEqual(large);
  expect(await hold({ paths: [place.at('small'), place.at('data/large.bin')] })).toEqual(large);
  expect(await hold({ paths: [place.at('small')] })).toEqual(HELD);
  expect(await hold({ paths: [place.at('data/not-there')] })).toEqual(HELD);
});

test('folders that are rebuilt count as held', async () => {
  mkdirSync(place.at('node_modules/x'), { recursive: true });
  writeFileSync(place.at('node_modules/x/index.js'), '');
  expect(await hold({ paths: [place.at('node_modules')] })).toEqual(HELD);
  expect(await hold({ paths: [place.at('node_modules/x/index.js')] })).toEqual(HELD);
});

test('what lies outside, or is led to by a link, is not held', async () => {
  const outside = join(place.folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'file'), '');
  symlinkSync(outside, place.at('way-out'));
  for (const path of [
    outside,
    place.folder,
    '/',
    place.at('..'),
    place.at('way-out/file'),
    place.at('way-out'),
  ])
    expect(await hold({ paths: [path] }), path).toEqual(not('outside of the workspace'));
});

test('nothing is held where no snapshot can be, or should be', async () => {
  config = { ...CONFIG, keep_runs: 0 };
  expect(await hold({ paths: [place.work] })).toEqual(not('no snapshots are taken'));
  config = { ...CONFIG, max_files: 1 };
  for (const name of ['a', 'b', 'c']) writeFileSync(place.at(name), '');
  expect(await hold({ paths: [place.work] })).toEqual(not('more than 1 files'));
  config = { ...CONFIG, max_bytes: 1_000 };
  writeFileSync(place.at('sparse'), '');
  truncateSync(place.at('sparse'), 2_000);
  expect(await hold({ paths: [place.work] })).toEqual(
    not('`sparse` is in no snapshot: larger than a snapshot'),
  );
});

test('a snapshot that takes too long is none', async () => {
  snapshots.close();
  snapshots = open({ holdMs: 300 });
  // Another process works on the store, for as long as this one lives.
  const folder = storeFolder(place.home, place.work);
  mkdirSync(folder, { recursive: true });
  const stat = readFileSync(`/proc/${process.pid}/stat`, 'utf8');
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  writeFileSync(join(folder, 'lock'), `${process.pid} ${start}`);
  expect(await hold({ paths: [place.work] })).toEqual(not('no snapshot was ready within'));
});

test.each([
  ['lies in the workspace', () => join(place.work, 'home')],
  ['is the workspace', () => place.work],
  ['holds the workspace', () => place.folder],
])('[WO-2] a home that %s is not held, and never put back', async (_, home) => {
  mkdirSync(home(), { recursive: true });
  snapshots.close();
  snapshots = open({ home: home() });
  expect(await hold({ paths: [place.work] })).toEqual(not('own home'));
});

describe.skipIf(needs.missing)(`what git throws away (${needs.install})`, () => {
  /** A repository with a commit. */
  function repository(folder: string): void {
    mkdirSync(folder, { recursive: true });
    git(folder, 'init', '-q', '-b', 'main');
    writeFileSync(join(folder, 'file'), 'x');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'first');
  }

  test('is held with a repository that lies in the workspace, and all of its work tree', async () => {
    repository(place.at('app'));
    mkdirSync(place.at('app/src'));
    expect(await hold({ repositories: [place.at('app/src')] })).toEqual(HELD);
    writeFileSync(place.at('app/.gitignore'), 'large');
    writeFileSync(place.at('app/large'), 'x'.repeat(2_000));
    expect(await hold({ repositories: [place.at('app/src')] })).toEqual(not('`app/large` is in no snapshot'));
  });

  test('is not held with one that lies elsewhere', async () => {
    const elsewhere = not('its repository lies outside of the workspace');
    expect(await hold({ repositories: [place.work] })).toEqual(elsewhere);
    const origin = join(place.folder, 'origin');
    repository(origin);
    git(origin, 'worktree', 'add', '-q', '-b', 'side', place.at('tree'));
    expect(await hold({ repositories: [place.at('tree')] })).toEqual(elsewhere);
    expect(await hold({ paths: [place.at('tree')] })).toEqual(HELD);
  });

  test('is held with a submodule, and with a bare one', async () => {
    const origin = join(place.folder, 'origin');
    repository(origin);
    place.git('init', '-q', '-b', 'main');
    place.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin, 'lib');
    expect(await hold({ repositories: [place.at('lib')] })).toEqual(HELD);
    git(place.work, 'clone', '-q', '--bare', origin, 'bare.git');
    expect(await hold({ repositories: [place.at('bare.git')] })).toEqual(HELD);
  });
});
