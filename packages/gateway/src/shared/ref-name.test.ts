import { execFileSync } from 'node:child_process';
import { requireEngine } from '@sallyport/testkit/needs';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldedRef, refProblem } from './ref-name.ts';

describe('[NE-13] names of refs', () => {
  test.each([
    'refs/heads/main',
    'refs/heads/agent/fix-1.2_x',
    'refs/heads/ana/größe',
    'refs/heads/a@b',
    'refs/heads/a{b',
    'refs/heads/x/HEAD',
    'refs/heads/lock',
    'refs/tags/v1.0.0',
    'refs/for/main',
    'refs/heads/feature/#12',
  ])('%s is one', (ref) => {
    expect(refProblem(ref)).toBeUndefined();
  });

  test.each([
    '',
    '*',
    'HEAD',
    '@',
    'main',
    'heads/main',
    'refs/heads',
    'refs/heads/',
    'refs//heads/x',
    'refs/heads//main',
    'refs/heads/agent/../main',
    'refs/heads/agent/..',
    'refs/heads/agent/./x',
    'refs/heads/.agent/x',
    'refs/heads/agent/.x',
    'refs/heads/agent/x.',
    'refs/heads/agent/x/',
    'refs/heads/agent/x.lock',
    'refs/heads/agent.lock/x',
    'refs/heads/agent/x.LOCK',
    'refs/heads/agent/x@{1}',
    'refs/heads/agent/@',
    'refs/heads/agent/x~1',
    'refs/heads/agent/x^',
    'refs/heads/agent/x:main',
    'refs/heads/agent/x?',
    'refs/heads/agent/*',
    'refs/heads/agent/[x]',
    'refs/heads/agent\\..\\main',
    'refs/heads/agent/x y',
    'refs/heads/agent/x\tmain',
    'refs/heads/agent/x\nmain',
    'refs/heads/agent/x\u0000main',
    'refs/heads/agent/x\u007f',
    'refs/heads/-x',
    'refs/heads/HEAD',
    'refs/heads/agent%2f..%2fmain',
    'refs/for/main%submit',
    'refs/heads/ma\u200cin',
    'refs/heads/agent/\u202emain',
    'refs/heads/agent/\ufffd',
    'refs/heads/agent/\ud800',
    'refs/heads/agent/x\u00a0y',
  ])('%j is none, or not only one', (ref) => {
    expect(refProblem(ref)).toBeTypeOf('string');
  });

  const git = requireEngine('git');
  test.skipIf(git.missing)('what git refuses is refused here (%s)'.replace('%s', git.install), () => {
    const part = fc
      .array(
        fc.constantFrom(
          'a',
          'b',
          '.',
          '..',
          '/',
          '-',
          '@',
          '@{',
          '{',
          '~',
          '^',
          ':',
          '?',
          '*',
          '[',
          '\\',
          ' ',
          '.lock',
          'HEAD',
        ),
        { minLength: 1, maxLength: 5 },
      )
      .map((pieces) => `refs/heads/${pieces.join('')}`);
    fc.assert(
      fc.property(part, (ref) => {
        if (refProblem(ref) === undefined)
          expect(() => execFileSync('git', ['check-ref-format', ref], { stdio: 'ignore' })).not.toThrow();
      }),
      { numRuns: rounds(300) },
    );
  });

  test('a protected name is found in whatever a careless server makes of it', () => {
    for (const name of ['Main', 'MAIN', 'ｍain', 'ma\u200cin', 'ma\u00adin', 'main'])
      expect(foldedRef(name)).toBe('main');
    expect(foldedRef('mаin')).not.toBe('main');
    expect(foldedRef('release/1.2')).toBe('release/1.2');
  });
});
