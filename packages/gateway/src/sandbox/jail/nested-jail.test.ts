import { describe, expect, test } from 'vitest';
import type { HostFacts } from './host-facts.ts';
import { jailSpecBelow } from './jail-spec.fixture.ts';
import { nestingOptions } from './nested-jail.ts';
import { seccompFilter } from './seccomp/seccomp-filter.ts';

const FACTS: HostFacts = {
  ...{ bwrap: '/usr/bin/bwrap', setpriv: undefined, perl: undefined, node: '/opt/node', arch: 'x64' },
  ...{ folders: [], etcFiles: [], etcFolders: [], procMasked: ['keys'] },
};
const ROOT = { uid: 0, gid: 0, name: 'agent' };

function optionsOf(over: Parameters<typeof jailSpecBelow>[1]): {
  options: string[];
  files: Map<string, Uint8Array>;
} {
  const files = new Map<string, Uint8Array>();
  const options = nestingOptions(jailSpecBelow('/h', over), FACTS, '/.inside', (content) => {
    files.set(String(files.size), Buffer.from(content));
    return String(files.size - 1);
  });
  return { options, files };
}

describe('nestingOptions', () => {
  test('gives nothing to a jail that does not nest', () => {
    expect(optionsOf({ user: ROOT }).options).toEqual([]);
    expect(optionsOf({ user: ROOT, nests: false }).options).toEqual([]);
  });

  test('keeps one capability for the worker, and gives what it starts none and the whole filter', () => {
    const { options, files } = optionsOf({ user: ROOT, nests: true });
    expect(options.filter((option) => option.startsWith('CAP_'))).toEqual(['CAP_SYS_ADMIN']);
    const [filter, how] = files.values();
    expect(filter).toEqual(Buffer.from(seccompFilter('x64')));
    expect(filter).not.toEqual(Buffer.from(seccompFilter('x64', { nests: true })));
    const { program, args } = JSON.parse(String(how)) as { program: string; args: string[] };
    expect(program).toBe('/usr/bin/bwrap');
    const text = args.join(' ');
    for (const part of [
      '--unshare-pid',
      '--die-with-parent',
      '--cap-drop ALL',
      '--proc /proc',
      '--remount-ro /proc',
    ])
      expect(text).toContain(part);
    expect(text).toContain('--ro-bind /dev/null /proc/keys');
  });

  test('refuses ids with which nothing could be mounted', () => {
    expect(() => optionsOf({ user: { uid: 1000, gid: 1000, name: 'agent' }, nests: true })).toThrow('ids 0');
  });
});
