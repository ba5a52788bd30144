import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openAws, sendSigned, toS3 } from './aws-fixture.ts';

const RUNS = rounds(300);

/** Pieces of URLs that clients escape in different ways, or not at all. */
const piece = fc.constantFrom(
  ...['a', 'Z0', '-', '_', '.', '~', '!', '$', "'", '(', ')', '*', ',', ';', ':', '@', '+', '[', '|', '^'],
  ...['%20', '%2F', '%2f', '%C3%BC', '%25', '%3D', '%26', '..', 'constructor', '%7E', '%41', '='],
);
const word = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const target = fc
  .record({ segments: fc.array(word, { maxLength: 4 }), query: fc.array(word, { maxLength: 4 }) })
  .map(
    ({ segments, query }) => `/data/${segments.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`,
  );
const presigned =
  'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=x%2F20200101%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=x&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=00';

describe('whatever stands in the URL', () => {
  test('is signed as AWS reads it', async () => {
    const fixture = await openAws(
      () => 'credentials: { aws: { kind: aws_static, source: "file:keys.json" } }',
    );
    await fc.assert(
      fc.asyncProperty(target, fc.constantFrom('s3', 'lambda', 'presigned'), async (url, how) => {
        const request =
          how === 'presigned'
            ? toS3({
                target: `${url}${url.includes('?') ? '&' : '?'}${presigned}`,
                agentAuthorization: undefined,
                headers: [],
              })
            : toS3({
                target: url,
                agentAuthorization: undefined,
                headers: [],
                host: `${how}.eu-west-1.amazonaws.com`,
              });
        await sendSigned(fixture, request);
        expect(fixture.server.records.at(-1)?.verified?.keys).toEqual(fixture.user);
      }),
      { numRuns: RUNS },
    );
  });

  test.each(['/data?__proto__=1', '/data?__proto__', '/data?__pr%6Fto__=1', '/%zz', '/data?x=%ff'])(
    'is refused where it cannot be signed: %s',
    async (url) => {
      const fixture = await openAws(
        () => 'credentials: { aws: { kind: aws_static, source: "file:keys.json" } }',
      );
      await expect(sendSigned(fixture, toS3({ target: url }))).rejects.toMatchObject({
        code: 'RequestNotSignable',
      });
    },
  );
});
