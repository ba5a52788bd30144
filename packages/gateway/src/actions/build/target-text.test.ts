import type { HttpTarget, PathTarget, Target } from '@sallyport/protocol';
import { rounds } from '@sallyport/testkit/rounds';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { targetText } from './target-text.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const problem = fc.record({ code: fc.constant('Malformed' as const), message: text });

const http: fc.Arbitrary<HttpTarget> = fc.record(
  {
    credential: text,
    forward: fc.constant(true as const),
    host: text,
    kind: fc.constant('http' as const),
    method: text,
    object: text,
    operation: text,
    ownCredential: fc.record({ where: fc.constant('query' as const), name: text }),
    path: text,
    port: fc.nat(65_535),
    problem,
    provider: text,
    queryKeys: fc.array(text, { maxLength: 3 }),
    repo: fc.record({
      area: fc.constant('contents' as const),
      refs: fc.array(fc.record({ ref: text, change: fc.constant('force' as const) }), { maxLength: 2 }),
      repository: text,
    }),
    scheme: fc.constantFrom('http' as const, 'https' as const, 'tunnel' as const),
  },
  { requiredKeys: ['host', 'kind', 'method', 'path', 'port', 'queryKeys', 'scheme'] },
);

const path: fc.Arbitrary<PathTarget> = fc.record(
  {
    credential: text,
    cwd: text,
    kind: fc.constant('path' as const),
    paths: fc.array(
      fc.oneof(
        fc.record(
          {
            access: fc.constantFrom('read' as const, 'delete' as const),
            below: fc.constant(true as const),
            given: text,
            real: text,
          },
          { requiredKeys: ['access', 'given', 'real'] },
        ),
        text.map((given) => ({ access: 'write' as const, given, real: given })),
      ),
      { maxLength: 3 },
    ),
    problem,
  },
  { requiredKeys: ['cwd', 'kind', 'paths'] },
);

const plain: fc.Arbitrary<Target> = fc.record(
  { kind: fc.constant('plain' as const), credential: text, problem },
  { requiredKeys: ['kind'] },
);

describe('targetText', () => {
  test.each<[string, fc.Arbitrary<Target>]>([
    ['a request', http],
    ['files', path],
    ['anything else', plain],
  ])("is the library's own text for %s", (_what, targets) => {
    fc.assert(
      fc.property(targets, (target) => {
        expect(targetText(target)).toBe(canonicalize(target));
      }),
      { numRuns: rounds(500) },
    );
  });

  test('refuses half a character, wherever it stands', () => {
    const fact = { access: 'read', given: '/a', real: '/a' } as const;
    const files: PathTarget = { kind: 'path', cwd: '/repo', paths: [fact] };
    const page: HttpTarget = {
      kind: 'http',
      scheme: 'https',
      host: 'a.example',
      port: 443,
      method: 'GET',
      path: '/',
      queryKeys: [],
    };
    const broken: readonly Target[] = [
      { ...files, cwd: '\ud800' },
      { ...files, paths: [{ ...fact, real: '/\udc00' }] },
      { ...page, path: '/\ud800' },
      { ...page, queryKeys: ['\ud800'] },
    ];
    for (const target of broken) expect(() => targetText(target)).toThrow(TypeError);
  });
});
