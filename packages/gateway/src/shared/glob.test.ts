import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob, escapeGlob, type GlobMode } from './glob.ts';

/** The meaning, written as plainly as possible: slow, memoised, no cleverness. */
function reference(pattern: readonly string[], text: readonly string[], isStar: (p: string) => boolean) {
  const memo = new Map<string, boolean>();
  const go = (p: number, t: number): boolean => {
    const key = `${p},${t}`;
    const known = memo.get(key);
    if (known !== undefined) return known;
    let result: boolean;
    if (p === pattern.length) result = t === text.length;
    else if (isStar(pattern[p]!)) result = go(p + 1, t) || (t < text.length && go(p, t + 1));
    else result = t < text.length && step(pattern[p]!, text[t]!) && go(p + 1, t + 1);
    memo.set(key, result);
    return result;
  };
  const step = (part: string, value: string): boolean =>
    part === value || (part.includes('*') && reference([...part], [...value], (c) => c === '*'));
  return go(0, 0);
}
const slow = (pattern: string, text: string, mode: GlobMode): boolean =>
  mode === 'command'
    ? reference([...pattern], [...text], (char) => char === '*')
    : reference(pattern.split('/'), text.split('/'), (part) => part === '**');

describe('compileGlob', () => {
  test.each([
    { mode: 'command', pattern: 'git *', text: 'git push origin main', expected: true, why: 'spans spaces' },
    { mode: 'command', pattern: 'cat *', text: 'cat /etc/passwd', expected: true, why: 'spans slashes' },
    { mode: 'command', pattern: 'git *', text: 'git', expected: false, why: 'the space is part of it' },
    { mode: 'command', pattern: 'git *', text: 'gitx push', expected: false, why: 'a longer program' },
    { mode: 'command', pattern: 'a*a', text: 'a', expected: false, why: 'pieces never overlap' },
    { mode: 'command', pattern: 'a?c', text: 'abc', expected: false, why: '`?` is a plain character' },
    { mode: 'command', pattern: 'a?c', text: 'a?c', expected: true, why: '`?` is a plain character' },
    { mode: 'command', pattern: 'a\\*c', text: 'abc', expected: false, why: 'an escaped star is a star' },
    { mode: 'command', pattern: 'a\\*c', text: 'a*c', expected: true, why: 'an escaped star is a star' },
    {
      mode: 'command',
      pattern: 'a\\\\*',
      text: 'a\\b',
      expected: true,
      why: 'an escaped backslash, then a star',
    },
    { mode: 'command', pattern: '*', text: '', expected: true, why: 'a star may be empty' },
    { mode: 'command', pattern: '*', text: 'a\nb', expected: true, why: 'a star spans line ends' },
    { mode: 'command', pattern: '***x**', text: 'abxc', expected: true, why: 'stars in a row are one' },
    { mode: 'path', pattern: '/config/**', text: '/config/a/b', expected: true, why: 'any depth' },
    { mode: 'path', pattern: '/config/**', text: '/config', expected: true, why: 'the folder itself' },
    { mode: 'path', pattern: '/config/**', text: '/configuration', expected: false, why: 'component border' },
    { mode: 'path', pattern: '/a/*', text: '/a/b/c', expected: false, why: 'one component only' },
    { mode: 'path', pattern: '/a/*', text: '/a/.ssh', expected: true, why: 'dotfiles are files' },
    { mode: 'path', pattern: '/a/**', text: '/a/.git/hooks/x', expected: true, why: 'dotfiles at any depth' },
    { mode: 'path', pattern: '/a/*.ts', text: '/a/b.ts', expected: true, why: 'a star inside a name' },
    { mode: 'path', pattern: '/a/**/b', text: '/a/b', expected: true, why: '`**` may be none' },
    { mode: 'path', pattern: '/a/**/b', text: '/a/x/y/b', expected: true, why: '`**` may be several' },
    {
      mode: 'path',
      pattern: '/a/**/b/*',
      text: '/a/b/x/b/y',
      expected: true,
      why: 'a second try after `**`',
    },
    { mode: 'path', pattern: '**/x', text: '/a/x', expected: true, why: '`**` at the start' },
    { mode: 'path', pattern: '/a/\\*\\*', text: '/a/**', expected: true, why: 'escaped stars are a name' },
    { mode: 'path', pattern: '/a/\\**', text: '/a/*bc', expected: true, why: 'an escaped star, then a star' },
    { mode: 'path', pattern: '/a/**/**', text: '/a', expected: true, why: '`**` twice is `**`' },
    { mode: 'path', pattern: '/a/b', text: '/a/b/', expected: false, why: 'a trailing slash is one more' },
  ] as const)('$mode: $pattern vs $text is $expected: $why', ({ mode, pattern, text, expected }) => {
    expect(compileGlob(pattern, mode).matches(text)).toBe(expected);
  });

  test.each([
    { mode: 'command', pattern: '', why: 'empty' },
    { mode: 'command', pattern: 'a\\', why: 'nothing to escape' },
    { mode: 'command', pattern: 'a\0b', why: 'NUL' },
    { mode: 'path', pattern: '/a/**b', why: '`**` inside a name' },
    { mode: 'path', pattern: '/a/b**', why: '`**` inside a name' },
    { mode: 'path', pattern: '/a/***', why: 'three stars' },
    { mode: 'path', pattern: '/a/\\\\**', why: '`**` after an escaped backslash' },
  ] as const)('refuses the $mode pattern $pattern: $why', ({ mode, pattern }) => {
    expect(() => compileGlob(pattern, mode)).toThrowError(expect.objectContaining({ code: 'ConfigInvalid' }));
  });

  const word = (alphabet: string[], max: number) =>
    fc.array(fc.constantFrom(...alphabet), { maxLength: max }).map((chars) => chars.join(''));

  test('[GA-9] command patterns mean what the plain reference says', () => {
    fc.assert(
      fc.property(word(['a', 'b', '*', ' ', '/'], 9), word(['a', 'b', ' ', '/'], 12), (pattern, text) => {
        fc.pre(pattern !== '');
        expect(compileGlob(pattern, 'command').matches(text)).toBe(slow(pattern, text, 'command'));
      }),
      { numRuns: rounds(5_000) },
    );
  });

  test('[GA-9] path patterns mean what the plain reference says', () => {
    const component = fc.constantFrom('a', 'b', '*', 'a*', '*b', 'a*b', '**', '.a', '');
    const patterns = fc.array(component, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'));
    const texts = fc.array(word(['a', 'b', '.'], 3), { maxLength: 6 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        fc.pre(pattern !== '');
        expect(compileGlob(pattern, 'path').matches(text)).toBe(slow(pattern, text, 'path'));
      }),
      { numRuns: rounds(5_000) },
    );
  });

  // An engine that tries every placing needs about 2^30 steps here: the test would never end.
  test.each([
    { mode: 'command', pattern: `${'*a'.repeat(30)}*b`, text: 'a'.repeat(20_000) },
    { mode: 'path', pattern: `${'/**/a'.repeat(30)}/**/b`, text: '/a'.repeat(5_000) },
    { mode: 'path', pattern: `/x/${'*a'.repeat(30)}*b/y`, text: `/x/${'a'.repeat(20_000)}/y` },
  ] as const)('[GA-9] ends on star patterns that defeat backtracking ($mode)', ({ mode, pattern, text }) => {
    expect(compileGlob(pattern, mode).matches(text)).toBe(false);
  });

  test('an escaped text matches itself and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (text, other) => {
        fc.pre(!text.includes('\0'));
        const glob = compileGlob(escapeGlob(text), 'command');
        expect(glob.matches(text)).toBe(true);
        expect(glob.matches(other)).toBe(other === text);
      }),
    );
  });

  test('every match starts with the prefix', () => {
    fc.assert(
      fc.property(word(['a', '*', '/'], 6), word(['a', '/'], 8), fc.boolean(), (pattern, text, path) => {
        fc.pre(pattern !== '' && !(path && /\*\*/.test(pattern.replaceAll(/(^|\/)\*\*(?=\/|$)/g, ''))));
        const glob = compileGlob(pattern, path ? 'path' : 'command');
        if (glob.matches(text)) expect(text.startsWith(glob.prefix)).toBe(true);
      }),
    );
  });
});

describe('Glob.covers', () => {
  test.each([
    { mode: 'command', wide: 'git *', narrow: 'git push *', expected: true },
    { mode: 'command', wide: 'git push *', narrow: 'git *', expected: false },
    { mode: 'command', wide: '*', narrow: 'a*b', expected: true },
    { mode: 'path', wide: '/a/**', narrow: '/a/b/*', expected: true },
    { mode: 'path', wide: '/a/*', narrow: '/a/**', expected: false },
    { mode: 'path', wide: '/a/*/**', narrow: '/a/**', expected: false },
    { mode: 'path', wide: '/a/**', narrow: '/a/**', expected: true },
  ] as const)('$wide covers $narrow: $expected', ({ mode, wide, narrow, expected }) => {
    expect(compileGlob(wide, mode).covers(compileGlob(narrow, mode))).toBe(expected);
  });

  test('what a covered pattern matches, the covering one matches', () => {
    const part = fc.constantFrom('a', '*', '**', 'a*');
    const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const text = fc.array(fc.constantFrom('a', 'aa', 'b'), { maxLength: 5 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(pattern, pattern, text, (wide, narrow, value) => {
        const [outer, inner] = [compileGlob(wide, 'path'), compileGlob(narrow, 'path')];
        fc.pre(outer.covers(inner) && inner.matches(value));
        expect(outer.matches(value)).toBe(true);
      }),
      { numRuns: rounds(300) },
    );
  });
});

describe('Glob.meetsShellPattern', () => {
  test.each([
    { rule: '/h/.ssh/**', shell: '/h/.s*/id', expected: true },
    { rule: '/h/.ssh/**', shell: '/h/.ssh/*', expected: true },
    { rule: '/h/.ssh/**', shell: '/h/*/id', expected: false },
    { rule: '/h/.ssh/**', shell: '/*/.ssh/id', expected: true },
    { rule: '/h/.ssh/**', shell: '/h/**', expected: true },
    { rule: '/h/**/.env*', shell: '/h/a/.e*', expected: true },
    { rule: '/h/**/.env*', shell: '/h/a/*', expected: false },
    { rule: '/h/a*c', shell: '/h/*bc', expected: true },
    { rule: '/h/a', shell: '/h/a/*', expected: false },
    { rule: '/h/a/b', shell: '/h/*', expected: false },
  ])('$rule and $shell: $expected', ({ rule, shell, expected }) => {
    expect(compileGlob(rule, 'path').meetsShellPattern(compileGlob(shell, 'path'))).toBe(expected);
  });

  test('a path that both match is never missed', () => {
    const part = fc.constantFrom('a', '*', '**', 'a*', '.a', '.*', '*a');
    const pattern = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
    const text = fc.array(fc.constantFrom('a', 'aa', 'b', '.a'), { maxLength: 5 });
    fc.assert(
      fc.property(pattern, pattern, text, (rule, shell, parts) => {
        const [ours, theirs] = [compileGlob(rule, 'path'), compileGlob(shell, 'path')];
        const value = parts.join('/');
        fc.pre(ours.matches(value) && theirs.matches(value));
        // As a shell means it: a star that begins a name is no dot.
        fc.pre(!/(?:^|\/)\*(?!\*)/.test(shell) || !parts.some((name) => name.startsWith('.')));
        expect(ours.meetsShellPattern(theirs)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
