import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { removeEntry, setEntry } from './edit-entry.ts';

const FILE = `# ours
tenants:
  default:
    users:
      ana: # lead
        roles: [owner]
        identities: {}
    # what may be lent
    credentials:
      # mine
      github:personal: { kind: github_pat, source: "file:x" } # old

      other: { kind: bearer,
        source: "file:y" }
agents:
  dev: { credentials: [github:personal, other] }
mcp_servers:
  - name: files
    executable: /bin/files
  # the second
  - { name: web, url: "https://x.example/mcp" }
`;

describe('setEntry', () => {
  it('puts a new entry behind the others and leaves every other line as it is', () => {
    const text = setEntry(FILE, ['tenants', 'default', 'credentials', 'new'], { kind: 'bearer' }, 'of today');
    expect(text).toBe(
      FILE.replace('"file:y" }\n', '"file:y" }\n      # of today\n      new: { kind: bearer }\n'),
    );
  });

  it('makes the maps that are missing', () => {
    expect(setEntry(FILE, ['channels', 'telegram'], { token: 'file:t' })).toBe(
      `${FILE}channels:\n  telegram: { token: "file:t" }\n`,
    );
  });

  it('replaces a value and keeps the comment behind it', () => {
    const path = ['tenants', 'default', 'credentials', 'github:personal', 'source'];
    expect(setEntry(FILE, path, 'file:z')).toBe(FILE.replace('"file:x"', '"file:z"'));
    expect(parse(setEntry(FILE, ['agents'], { dev: {} })).agents).toEqual({ dev: {} });
  });

  it('goes into an empty map', () => {
    const path = ['tenants', 'default', 'users', 'ana', 'identities', 'telegram'];
    const text = setEntry(FILE, path, '77');
    expect(text).toContain('        identities:\n          telegram: "77"\n');
    expect(setEntry(text, [...path.slice(0, -1), 'slack'], 'U1')).toContain('          slack: U1\n');
  });

  it('expands nothing that was typed', () => {
    expect(setEntry('', ['a'], '${HOME}')).toBe('\na: "$${HOME}"\n');
  });

  it('refuses an anchor that is used elsewhere, and a file that is none', () => {
    expect(() => setEntry('a: &x { b: 1 }\nc: *x\n', ['a', 'b'], 2)).toThrow('cannot be edited');
    expect(() => setEntry('a: [', ['b'], 2)).toThrow('cannot be edited');
  });
});

describe('removeEntry', () => {
  it('takes out the lines of the entry alone', () => {
    expect(removeEntry(FILE, ['tenants', 'default', 'credentials', 'github:personal'])).toBe(
      FILE.replace(/ +github:personal: .*\n/, ''),
    );
    expect(removeEntry(FILE, ['agents', 'dev', 'credentials', 0])).toBe(
      FILE.replace('[github:personal, other]', '[other]'),
    );
    expect(removeEntry(FILE, ['mcp_servers', 0])).toBe(
      FILE.replace('  - name: files\n    executable: /bin/files\n', ''),
    );
  });

  it('leaves an empty collection where the last one was', () => {
    const one = removeEntry(FILE, ['mcp_servers', 1]);
    expect(parse(removeEntry(one, ['mcp_servers', 0])).mcp_servers).toEqual([]);
  });

  it('refuses what is not there', () => {
    expect(() => removeEntry(FILE, ['tenants', 'default', 'credentials', 'none'])).toThrow(
      'cannot be edited',
    );
  });
});

it('what was set can be taken out again, whatever it is', () => {
  const path = ['tenants', 'default', 'credentials'];
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (name, value) => {
      fc.pre(name !== '__proto__' && !['github:personal', 'other'].includes(name));
      const text = setEntry(FILE, [...path, name], { kind: value });
      expect(removeEntry(text, [...path, name])).toBe(FILE);
    }),
  );
});
