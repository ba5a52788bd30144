import { createHmac } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { ChunkRewriter } from './chunk-rewriter.ts';
import { type ChunkSigner, hmacChunkSigner } from './chunk-signer.ts';

const FAKE = '0'.repeat(64);
const DATE = '20130524T000000Z';
const SCOPE = '20130524/us-east-1/s3/aws4_request';

/** The keys of the examples in AWS's documentation. */
function exampleSigner(seed: string): ChunkSigner {
  let key: Buffer = Buffer.from('AWS4wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY');
  for (const part of SCOPE.split('/')) key = createHmac('sha256', key).update(part).digest();
  return hmacChunkSigner(key, { algorithm: 'AWS4-HMAC-SHA256', longDate: DATE, scope: SCOPE, seed });
}

interface Trial {
  readonly decodedBytes: number;
  readonly trailers?: readonly string[];
  readonly seed?: string;
}

function rewrite(body: string | Buffer, trial: Trial, splitAt: readonly number[] = []): string {
  const bytes = Buffer.from(body);
  const rewriter = new ChunkRewriter({
    signer: exampleSigner(trial.seed ?? FAKE),
    decodedBytes: trial.decodedBytes,
    encodedBytes: bytes.length,
    trailers: trial.trailers,
  });
  const ends = [...splitAt, bytes.length];
  const out = ends.flatMap((end, index) => rewriter.push(bytes.subarray(ends[index - 1] ?? 0, end)));
  return Buffer.concat([...out, ...rewriter.end()]).toString('latin1');
}

function chunk(data: string, signature = FAKE): string {
  return `${data.length.toString(16)};chunk-signature=${signature}\r\n${data}${data === '' ? '' : '\r\n'}`;
}

function refusal(body: string, trial: Trial): SallyportError {
  try {
    rewrite(body, trial);
  } catch (error) {
    if (error instanceof SallyportError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const A64 = 'a'.repeat(65_536);
const A1 = 'a'.repeat(1_024);

describe('a body in aws-chunked', () => {
  test("gets the signatures of AWS's own example", () => {
    const seed = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9';
    const out = rewrite(`${chunk(A64)}${chunk(A1)}${chunk('')}\r\n`, { decodedBytes: 66_560, seed });
    expect(out).toBe(
      [
        chunk(A64, 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648'),
        chunk(A1, '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497'),
        chunk('', 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9'),
        '\r\n',
      ].join(''),
    );
  });

  test("with a trailer gets the signatures of AWS's own example", () => {
    const seed = '106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e';
    const trailer = (signature: string): string =>
      `x-amz-checksum-crc32c:sOO8/Q==\r\nx-amz-trailer-signature:${signature}\r\n\r\n`;
    const out = rewrite(`${chunk(A64)}${chunk(A1)}${chunk('')}${trailer(FAKE)}`, {
      decodedBytes: 66_560,
      seed,
      trailers: ['x-amz-checksum-crc32c'],
    });
    expect(out).toBe(
      [
        chunk(A64, 'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2'),
        chunk(A1, '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7'),
        chunk('', '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992'),
        trailer('d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435'),
      ].join(''),
    );
  });

  const small = `${chunk('hello \r\n0;chunk')}${chunk('world')}${chunk('')}x-amz-checksum-crc32:AAAAAA==\n\r\nx-amz-trailer-signature:${FAKE}\r\n\r\n`;
  const trial = { decodedBytes: 20, trailers: ['x-amz-checksum-crc32'] };

  test('comes out the same, and as long as it was, wherever it is split', () => {
    const whole = rewrite(small, trial);
    expect(whole).toHaveLength(small.length);
    expect(whole).not.toContain(FAKE);
    expect(whole.replaceAll(/[0-9a-f]{64}/g, FAKE)).toBe(small);
    for (let first = 0; first <= small.length; first++) {
      expect(rewrite(small, trial, [first])).toBe(whole);
      expect(
        rewrite(
          small,
          trial,
          [Math.min(first, 7), first].toSorted((a, b) => a - b),
        ),
      ).toBe(whole);
    }
    expect(
      rewrite(
        small,
        trial,
        Array.from({ length: small.length }, (_, at) => at),
      ),
    ).toBe(whole);
  });

  test('keeps the sizes as they were written, so that its length stays the one that was announced', () => {
    const body = `00000A;chunk-signature=${FAKE}\r\n0123456789\r\n00;chunk-signature=${FAKE}\r\n\r\n`;
    const out = rewrite(body, { decodedBytes: 10 });
    expect(out).toHaveLength(body.length);
    expect(out.startsWith('00000A;chunk-signature=')).toBe(true);
  });

  test('gives out nothing of a chunk before it is whole', () => {
    const rewriter = new ChunkRewriter({
      signer: exampleSigner(FAKE),
      decodedBytes: 5,
      encodedBytes: undefined,
      trailers: undefined,
    });
    expect(rewriter.push(Buffer.from(`5;chunk-signature=${FAKE}\r\nhell`))).toEqual([]);
    expect(Buffer.concat([...rewriter.push(Buffer.from('o'))]).toString()).toContain('hello');
  });
});

describe('a body that is not exactly aws-chunked is refused:', () => {
  const head = `;chunk-signature=${FAKE}\r\n`;
  const good = `5${head}hello\r\n0${head}`;
  const withTrailer = { decodedBytes: 5, trailers: ['x-amz-checksum-crc32'] };
  test.each([
    { why: 'no last chunk', body: `5${head}hello\r\n`, decodedBytes: 5 },
    { why: 'nothing at all', body: '', decodedBytes: 0 },
    { why: 'a chunk that stops', body: `5${head}hel`, decodedBytes: 5 },
    { why: 'a chunk longer than it says', body: `4${head}hello\r\n0${head}\r\n`, decodedBytes: 4 },
    { why: 'more data than announced', body: `${good}\r\n`, decodedBytes: 4 },
    { why: 'less data than announced', body: `${good}\r\n`, decodedBytes: 6 },
    { why: 'a signature that is too short', body: `5;chunk-signature=00\r\nhello\r\n`, decodedBytes: 5 },
    { why: 'no signature', body: '5\r\nhello\r\n0\r\n\r\n', decodedBytes: 5 },
    { why: 'another extension', body: `5;x=1${head}hello\r\n0${head}\r\n`, decodedBytes: 5 },
    { why: 'a second extension', body: `5;chunk-signature=${FAKE};x=1\r\nhello\r\n`, decodedBytes: 5 },
    { why: 'a bare LF', body: `5;chunk-signature=${FAKE}\nhello\n0${head}\n`, decodedBytes: 5 },
    { why: 'a size that is no number', body: `0x5${head}hello\r\n0${head}\r\n`, decodedBytes: 5 },
    { why: 'a negative size', body: `-5${head}hello\r\n0${head}\r\n`, decodedBytes: 5 },
    { why: 'a chunk too large to be held', body: `801000${head}`, decodedBytes: 1e9 },
    { why: 'a size beyond all numbers', body: `fffffffffffffffff${head}`, decodedBytes: 1e9 },
    { why: 'a head without end', body: `5;chunk-signature=${'0'.repeat(600)}`, decodedBytes: 5 },
    { why: 'a trailer that was not announced', body: `${good}x-a:1\r\n\r\n`, decodedBytes: 5 },
    { why: 'a second body behind the first', body: `${good}\r\n${good}\r\n`, decodedBytes: 5 },
    { why: 'a trailer without signature', body: `${good}x-amz-checksum-crc32:A\r\n\r\n`, ...withTrailer },
    {
      why: 'another trailer than announced',
      body: `${good}x-amz-checksum-sha1:A\r\nx-amz-trailer-signature:${FAKE}\r\n\r\n`,
      ...withTrailer,
    },
    {
      why: 'a field behind the signature',
      body: `${good}x-amz-trailer-signature:${FAKE}\r\nx-amz-checksum-crc32:A\r\n\r\n`,
      ...withTrailer,
    },
    {
      why: 'a trailer that never ends',
      body: `${good}x-amz-checksum-crc32:${'A'.repeat(20_000)}`,
      ...withTrailer,
    },
    {
      why: 'a trailer without its last line',
      body: `${good}x-amz-checksum-crc32:A\r\nx-amz-trailer-signature:${FAKE}\r\n`,
      ...withTrailer,
    },
  ])('$why', ({ body, ...trial }) => {
    expect(refusal(body, trial).code).toBe('RequestNotSignable');
  });
});
