import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cgroupPlaces } from './cgroup-places.ts';
import { createJailGroup } from './jail-group.ts';

/** A folder that looks like a hierarchy of version 2, with the groups below it. */
function hierarchy(groups: Readonly<Record<string, { controllers: string; down?: string }>>): string {
  const root = mkdtempSync(join(tmpdir(), 'cgroup-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, { controllers, down = '' }] of Object.entries(groups)) {
    const folder = join(root, path);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'cgroup.controllers'), `${controllers}\n`);
    writeFileSync(join(folder, 'cgroup.subtree_control'), `${down}\n`);
    writeFileSync(join(folder, 'cgroup.procs'), '');
  }
  return root;
}

const mountedAt = (root: string): string =>
  `35 24 0:30 / ${root} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n`;

describe('where a group of version 2 can be made', () => {
  test('in the nearest group above that hands its controllers down', () => {
    const root = hierarchy({
      '.': { controllers: 'cpu memory pids', down: 'memory pids' },
      'user.slice': { controllers: 'memory pids', down: 'memory pids' },
      'user.slice/app.scope': { controllers: '' },
    });
    expect(cgroupPlaces('0::/user.slice/app.scope\n', mountedAt(root))).toEqual([
      { version: 2, parent: join(root, 'user.slice'), controllers: ['pids', 'memory'] },
    ]);
  });

  test('one that could hand them down is told to, and for what it has', () => {
    const root = hierarchy({ 'a.slice': { controllers: 'pids' }, 'a.slice/b.scope': { controllers: '' } });
    expect(cgroupPlaces('0::/a.slice/b.scope\n', mountedAt(root))).toEqual([
      { version: 2, parent: join(root, 'a.slice'), controllers: ['pids'] },
    ]);
    expect(readFileSync(join(root, 'a.slice/cgroup.subtree_control'), 'utf8')).toBe('+pids');
  });

  test.each([
    { own: '0::/gone\n', why: 'a group that is not there' },
    { own: '0::/a.slice\n', why: 'controllers that nobody has' },
    { own: '', why: 'no control groups at all' },
  ])('nowhere: $why', ({ own }) => {
    const root = hierarchy({ '.': { controllers: '' }, 'a.slice': { controllers: '' } });
    expect(cgroupPlaces(own, mountedAt(root))).toEqual([]);
    expect(cgroupPlaces(own, '')).toEqual([]);
  });

  test('of version 1, one for each controller that is mounted', () => {
    const root = hierarchy({ 'pids/box': { controllers: '' }, 'memory/box': { controllers: '' } });
    const mounts = ['pids', 'memory'].map(
      (name) => `40 24 0:31 / ${root}/${name} rw - cgroup cgroup rw,${name}`,
    );
    expect(cgroupPlaces('5:pids:/box\n4:memory:/box\n1:cpu:/\n', mounts.join('\n'))).toEqual([
      { version: 1, parent: join(root, 'pids/box'), controllers: ['pids'] },
      { version: 1, parent: join(root, 'memory/box'), controllers: ['memory'] },
    ]);
  });
});

describe('a group', () => {
  const controllers = ['pids', 'memory'] as const;

  test.each([
    { version: 2 as const, memory: 'memory.max' },
    { version: 1 as const, memory: 'memory.limit_in_bytes' },
  ])('of version $version holds the limits that were asked for', ({ version, memory }) => {
    const parent = hierarchy({ '.': { controllers: 'pids memory' } });
    const group = createJailGroup({ processes: 7, memoryBytes: 4096 }, [{ version, parent, controllers }]);
    const [folder = ''] = readdirSync(parent).filter((name) => name.startsWith('sallyport-'));
    expect(readFileSync(join(parent, folder, 'pids.max'), 'utf8')).toBe('7');
    expect(readFileSync(join(parent, folder, memory), 'utf8')).toBe('4096');
    expect(group.procs).toEqual([join(parent, folder, 'cgroup.procs')]);
    expect(group.limits).toEqual({ processes: true, memory: true });
  });

  test('that cannot be made is none, and the limits are said to be weaker', () => {
    const group = createJailGroup({}, []);
    expect(group).toMatchObject({ procs: [], limits: { processes: false, memory: false } });
  });

  test('kills what is in it before it goes', async () => {
    const parent = hierarchy({ '.': { controllers: 'pids' } });
    const group = createJailGroup({}, [{ version: 2, parent, controllers: ['pids'] }]);
    const [procs = ''] = group.procs;
    const member = spawn('sleep', ['100'], { stdio: 'ignore' });
    const ended = once(member, 'exit');
    writeFileSync(procs, `${member.pid}\n`);
    const removing = group.remove();
    expect(await ended).toEqual([null, 'SIGKILL']);
    // The kernel takes these away with the group.
    for (const name of readdirSync(join(procs, '..'))) rmSync(join(procs, '..', name));
    await removing;
    expect(readdirSync(parent).filter((name) => name.startsWith('sallyport-'))).toEqual([]);
  });

  test('of a process that died is taken away by the next one; those of the living stay', () => {
    const parent = hierarchy({ '.': { controllers: 'pids' } });
    // No process has this number: it is beyond the largest there is.
    for (const name of ['sallyport-4194305-x', `sallyport-${process.pid}-y`, 'other-4194305-z']) {
      mkdirSync(join(parent, name));
    }
    createJailGroup({}, [{ version: 2, parent, controllers: ['pids'] }]);
    const left = readdirSync(parent);
    expect(left).not.toContain('sallyport-4194305-x');
    expect(left).toEqual(expect.arrayContaining([`sallyport-${process.pid}-y`, 'other-4194305-z']));
  });
});
