import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createTestCa, startEchoServer } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { openReach } from './clients-fixture.ts';
import { proxied } from './proxied.ts';

const VALUE = 'tok"en/+=with-everything_57f1c2e9a0';

const SPELLINGS: Readonly<Record<string, (value: string) => string>> = {
  raw: (value) => value,
  base64: (value) => Buffer.from(value).toString('base64'),
  base64url: (value) => Buffer.from(value).toString('base64url'),
  hex: (value) => Buffer.from(value).toString('hex'),
  percent: (value) =>
    [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  json: (value) => JSON.stringify(value).slice(1, -1),
};
const WRAPPINGS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  zstd: zstdCompressSync,
};

const pick = <T>(from: readonly T[]): T => {
  const found = from[randomInt(from.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
};

describe('what comes back from a host that repeats what it was lent', () => {
  test('[CR-4] carries the value in no spelling, wrapping, place or cut that the host chooses', async () => {
    const ca = await createTestCa();
    const told: { spelled: string; how: string }[] = [];
    await using echo = await startEchoServer({
      ca,
      handler(_request, response, { headers }) {
        const value = String(headers.authorization).replace('Bearer ', '');
        const [spelling, wrapping] = [pick(Object.keys(SPELLINGS)), pick(Object.keys(WRAPPINGS))];
        const place = pick(['body', 'header', 'trailer']);
        // What stands before it decides how it lies in three bytes of base64.
        const spelled = SPELLINGS[spelling]?.(`${'x'.repeat(randomInt(4))}${value}yy`) ?? '';
        told.push({ spelled, how: `${spelling} in ${place}, ${wrapping}` });
        repeat(response as ServerResponse, { spelled, wrapping, place });
        return true;
      },
    });
    await using reach = await openReach({
      ca,
      env: { VALUE },
      agent: '{ permissions: ["allow:*"], credentials: [main] }',
      tenant: 'credentials: { main: { kind: bearer, source: "env:VALUE", hosts: [localhost] } }',
      top: 'routes: [{ host: localhost, credential: main }]',
    });
    const rounds = 60;
    for (let round = 0; round < rounds; round++) {
      const answer = await proxied(reach, `${echo.url}/x`, { headers: { te: 'trailers' } });
      const { spelled = '', how = '' } = told.at(-1) ?? {};
      expect(answer.status, how).toBe(200);
      const body = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.bytes) : answer.bytes;
      const all = `${body.toString('latin1')} ${JSON.stringify([answer.headers, answer.trailers])}`;
      // The middle: what surrounds the value in the same encoding may stay.
      const middle = spelled.slice(8, -8);
      expect(all.includes(middle), how).toBe(false);
      expect(all.includes(JSON.stringify(middle).slice(1, -1)), how).toBe(false);
      // What the host said besides came through.
      expect(all, how).toContain('around it');
    }
    expect(told).toHaveLength(rounds);
    const scrubbed = await reach.eventsOnce('ProxyEvent::ResponseScrubbed', rounds);
    expect(scrubbed).toHaveLength(rounds);
    expect(JSON.stringify(scrubbed)).not.toContain(VALUE);
  });
});

/** Says it, cut into pieces at random. */
function repeat(
  response: ServerResponse,
  {
    spelled,
    wrapping,
    place,
  }: { readonly spelled: string; readonly wrapping: string; readonly place: string },
): void {
  const text = place === 'body' ? `around it ${spelled} around it` : 'around it';
  const body = WRAPPINGS[wrapping]?.(Buffer.from(text)) ?? Buffer.alloc(0);
  if (wrapping !== 'identity') response.setHeader('content-encoding', wrapping);
  if (place === 'header') response.setHeader('x-debug', `was ${spelled}`);
  if (place === 'trailer') response.setHeader('trailer', 'x-debug');
  for (let at = 0; at < body.length; ) {
    const next = at + 1 + randomInt(Math.min(9, body.length));
    response.write(body.subarray(at, next));
    at = next;
  }
  if (place === 'trailer') response.addTrailers({ 'x-debug': `was ${spelled}` });
  response.end();
}
