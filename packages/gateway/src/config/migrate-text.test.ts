import { describe, expect, test } from 'vitest';
import type { ChangedKey } from './changed-keys.ts';
import { migrateText } from './migrate-text.ts';

const KNOWN: readonly ChangedKey[] = [
  { path: ['limits', 'requests'], to: 'calls', because: 'it counts calls' },
  { path: ['sinks', '*', 'most'], because: 'nothing used it' },
  { path: ['old', 'only'], because: 'nothing used it' },
];
const migrate = (text: string): string => migrateText(text, KNOWN);

describe('an old config', () => {
  test('a name is replaced where it stands, comments and quotes stay', () => {
    const text = '# mine\nlimits:   # careful\n  "requests": 0x10 # sixteen\n\n  other: \'1\'\n';
    expect(migrate(text)).toBe("# mine\nlimits:   # careful\n  calls: 0x10 # sixteen\n\n  other: '1'\n");
    expect(migrate('limits: { requests: 1, b: 2 }\n')).toBe('limits: { calls: 1, b: 2 }\n');
  });

  test('what is gone becomes a comment, in every item of a list', () => {
    const text =
      'sinks:\n  - file: a\n    most:\n      - 1\n      - 2\n    z: 1\n  - file: b\n    most: 3 # three\n';
    expect(migrate(text)).toBe(
      'sinks:\n  - file: a\n#     most:\n#       - 1\n#       - 2\n    z: 1\n  - file: b\n#     most: 3 # three\n',
    );
  });

  test('a map that would be empty goes along', () => {
    expect(migrate('a: 1\nold:\n  only: 2\nb: 3\n')).toBe('a: 1\n# old:\n#   only: 2\nb: 3\n');
    expect(migrate('old:\n  only: 2\n')).toBe('# old:\n#   only: 2\n');
  });

  test('what is as it should be stays, byte for byte', () => {
    const text = 'limits: {calls: 1}\r\n# requests: 2\r\nrequests: 1\r\n';
    expect(migrate(text)).toBe(text);
  });

  test.each([
    ['both names', 'limits:\n  requests: 1\n  calls: 2\n'],
    ['beside a dash', 'sinks:\n  - most: 3\n    file: b\n'],
    ['in braces', 'sinks:\n  - { most: 3, file: b }\n'],
    ['no YAML', 'limits: [\n'],
    ['by an alias', 'a: &x {requests: 1}\nlimits:\n  requests: 2\n  calls: *x\n'],
  ])('%s: refused, not guessed', (_name, text) => {
    expect(() => migrate(text)).toThrow(/cannot be changed|no YAML/);
  });
});
