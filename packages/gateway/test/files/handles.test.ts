import { readFileSync, writeFileSync } from 'node:fs';
import type { Actor } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { HANDLE_BYTES } from '../../src/executors/files/file-handle.ts';
import { type Caller, VolumeFiles } from '../../src/executors/files/volume-files.ts';
import { VolumesInForce } from '../../src/executors/files/volumes-in-force.ts';
import { ACTOR, codeOf, FilesFixture, volume } from './files-fixture.ts';

const signal = new AbortController().signal;
const as = (over: Partial<Actor> = {}): Caller => ({
  actor: { ...ACTOR, ...over },
  actionId: 'act_1',
  signal,
});

async function setUp() {
  const fixture = await FilesFixture.open();
  const { root, trail, clock } = fixture;
  writeFileSync(fixture.at('f'), 'content');
  const volumes = new VolumesInForce({ home: `${root}/home`, clock });
  const other = volume(root, { name: 'other', mount: '/other', path: `${root}/outside` });
  volumes.update([volume(root), other]);
  const files = new VolumeFiles({ trail, volumeNamed: (name) => volumes.named(name) });
  return { fixture, root, trail, volumes, files, other };
}

type World = Awaited<ReturnType<typeof setUp>>;

/** Everything that takes a handle. */
const USES: Readonly<Record<string, (world: World, caller: Caller, handle: Uint8Array) => unknown>> = {
  read: ({ files }, caller, handle) => files.read(caller, handle, 0, 10),
  list: ({ files }, caller, handle) => files.list(caller, handle, '', 10),
  write: ({ files }, caller, handle) => files.write(caller, handle, Buffer.from('new'), false),
  makeFolder: ({ files }, caller, handle) => files.makeFolder(caller, handle),
  remove: ({ files }, caller, handle) => files.remove(caller, handle),
  close: ({ files }, caller, handle) => files.close(caller, handle),
};

const flipped = (handle: Uint8Array, index: number): Uint8Array =>
  handle.map((byte, at) => (at === index ? byte ^ 1 : byte));

describe('[TO-3] a handle works for its execution and volume only', () => {
  test('it is opaque, never longer than 64 bytes, and never the same twice', async () => {
    const { files } = await setUp();
    const one = files.open(as(), 'work', 'f', 'read');
    const two = files.open(as(), 'work', 'f', 'read');
    expect(one.length).toBe(HANDLE_BYTES);
    expect(HANDLE_BYTES).toBeLessThanOrEqual(64);
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(false);
    expect(Buffer.from(one).toString('latin1')).not.toContain('exec_1');
    expect((await files.read(as(), one, 0, 100)).bytes.toString()).toBe('content');
  });

  test('methods that take a handle are all walked here', () => {
    const methods = Object.getOwnPropertyNames(VolumeFiles.prototype).filter(
      (name) => name !== 'constructor' && name !== 'open',
    );
    expect(methods.sort()).toEqual(Object.keys(USES).sort());
  });

  const bad: readonly {
    why: string;
    caller?: Caller;
    forge: (world: World, good: Uint8Array) => Uint8Array;
  }[] = [
    { why: 'no bytes', forge: () => new Uint8Array() },
    { why: 'zeros', forge: () => new Uint8Array(HANDLE_BYTES) },
    { why: 'a byte short', forge: (_, good) => good.subarray(0, -1) },
    { why: 'a byte more', forge: (_, good) => Buffer.concat([good, Buffer.from([0])]) },
    { why: 'a megabyte', forge: () => new Uint8Array(1_000_000) },
    { why: 'another version', forge: (_, good) => flipped(good, 0) },
    { why: 'another access', forge: (_, good) => flipped(good, 1) },
    { why: 'another execution written in', forge: (_, good) => flipped(good, 2) },
    { why: 'another volume written in', forge: (_, good) => flipped(good, 18) },
    { why: 'another place written in', forge: (_, good) => flipped(good, 34) },
    { why: 'another seal', forge: (_, good) => flipped(good, HANDLE_BYTES - 1) },
    { why: 'no seal', forge: (_, good) => Buffer.concat([good.subarray(0, -16), Buffer.alloc(16)]) },
    {
      why: 'the ids of one handle with the seal of another',
      forge: ({ files }, good) =>
        Buffer.concat([good.subarray(0, -16), files.open(as(), 'work', 'f', 'write').subarray(-16)]),
    },
    {
      why: 'the handle of another gateway with the same ids',
      forge: ({ volumes, trail }) =>
        new VolumeFiles({ trail, volumeNamed: (name) => volumes.named(name) }).open(
          as(),
          'work',
          'f',
          'write',
        ),
    },
    { why: 'another execution', caller: as({ execution: 'exec_2' }), forge: (_, good) => good },
    { why: 'another tenant', caller: as({ tenant: 'other' }), forge: (_, good) => good },
    {
      why: 'the session of that name in place of the execution',
      caller: { actor: without(ACTOR, 'execution', 'exec_1'), signal },
      forge: (_, good) => good,
    },
    {
      why: 'nobody',
      caller: { actor: without(without(ACTOR, 'execution'), 'session'), signal },
      forge: (_, good) => good,
    },
    {
      why: 'one that was closed',
      forge: ({ files }, good) => {
        files.close(as(), good);
        return good;
      },
    },
  ];

  describe.each(bad)('$why', ({ caller = as(), forge }) => {
    test.each(Object.keys(USES))(
      'is UnauthorizedVolumeAccess for %s, an event, and nothing happens',
      async (use) => {
        const world = await setUp();
        const good = world.files.open(as(), 'work', 'f', use === 'read' || use === 'list' ? 'read' : 'write');
        const handle = forge(world, good);
        world.trail.events.length = 0;
        expect(await codeOf(() => USES[use]?.(world, caller, handle))).toBe('UnauthorizedVolumeAccess');
        expect(world.trail.events.map(({ type }) => type)).toEqual([
          'StorageEvent::UnauthorizedVolumeAccess',
        ]);
        expect(world.trail.events[0]).toMatchObject({
          tenant: caller.actor.tenant,
          actor: { kind: 'agent' },
        });
        expect(readFileSync(world.fixture.at('f'), 'utf8')).toBe('content');
      },
    );
  });

  test('to read it does not write, and the other way round', async () => {
    const world = await setUp();
    const reading = world.files.open(as(), 'work', 'f', 'read');
    const writing = world.files.open(as(), 'work', 'f', 'write');
    for (const use of ['write', 'makeFolder', 'remove'])
      expect(await codeOf(() => USES[use]?.(world, as(), reading))).toBe('UnauthorizedVolumeAccess');
    for (const use of ['read', 'list'])
      expect(await codeOf(() => USES[use]?.(world, as(), writing))).toBe('UnauthorizedVolumeAccess');
  });

  test('it ends with its volume, also when another folder takes the name', async () => {
    const world = await setUp();
    const handle = world.files.open(as(), 'work', 'f', 'read');
    world.volumes.update([volume(world.root), world.other]);
    expect(await codeOf(() => USES.read?.(world, as(), handle))).toBe('ok');
    writeFileSync(world.fixture.outside('f'), 'SECRET');
    world.volumes.update([volume(world.root, { path: `${world.root}/outside` })]);
    expect(await codeOf(() => USES.read?.(world, as(), handle))).toBe('UnauthorizedVolumeAccess');
    expect(await codeOf(() => USES.close?.(world, as(), handle))).toBe('ok');
    world.volumes.update([]);
    expect(await codeOf(() => world.files.open(as(), 'work', 'f', 'read'))).toBe('UnauthorizedVolumeAccess');
  });

  test('one execution cannot open so many that others have none left', async () => {
    const { files } = await setUp();
    const handles = Array.from({ length: 256 }, () => files.open(as(), 'work', 'f', 'read'));
    expect(await codeOf(() => files.open(as(), 'work', 'f', 'read'))).toBe('Unavailable');
    const others = ['exec_2', 'exec_3', 'exec_4'].map((execution) => as({ execution }));
    for (const other of others)
      for (let count = 0; count < 256; count += 1) files.open(other, 'work', 'f', 'read');
    expect(await codeOf(() => files.open(as({ execution: 'exec_5' }), 'work', 'f', 'read'))).toBe(
      'Unavailable',
    );
    for (const handle of handles) files.close(as(), handle);
    expect(await codeOf(() => files.open(as(), 'work', 'f', 'read'))).toBe('ok');
  });
});

describe('[TO-4] a path with dots', () => {
  test.each(['..', '.', '../f', 'a/../f', './f', 'a/./f', 'f/..', 'a/b/../../../f', '//../f', 'f/.'])(
    'never reaches storage: %s',
    async (path) => {
      const { files, trail } = await setUp();
      for (const access of ['read', 'write'] as const) {
        trail.events.length = 0;
        expect(await codeOf(() => files.open(as(), 'work', path, access))).toBe('PathTraversalAttempt');
        expect(trail.events).toMatchObject([
          { type: 'StorageEvent::PathTraversalBlocked', action_id: 'act_1', data: { volume: 'work', path } },
        ]);
      }
    },
  );
});

function without(actor: Actor, key: 'execution' | 'session', session?: string): Actor {
  const { [key]: _, ...rest } = actor;
  return session === undefined ? rest : { ...rest, session };
}
