import { setImmediate } from 'node:timers/promises';
import { rounds } from '@sallyport/testkit/rounds';
import { describe, expect, test } from 'vitest';
import { FRIENDLY_REQUESTS } from '../../src/shared/http1/cases/friendly-cases.ts';
import {
  type ReadRequest,
  readRequests,
  readResponse,
} from '../../src/shared/http1/cases/portions.fixture.ts';
import { LLHTTP_METHODS, readWithLlhttp } from './fuzz/llhttp.ts';
import { createRandom, mutate } from './fuzz/mutate.ts';

const SEED = 0x5a11e9;
const SEQUENCES = rounds(1_000_000);
const AT_ONCE = 20_000;

/** Why another reader could understand the same bytes otherwise; undefined when nothing speaks for it. */
function findDisagreement(bytes: Buffer, ours: readonly ReadRequest[]): string | undefined {
  if (ours.some(({ head }) => !LLHTTP_METHODS.has(head.method))) return undefined;
  const theirs = readWithLlhttp(bytes);
  if (theirs instanceof Error) return `llhttp refuses: ${theirs.message}`;
  for (const [index, { head, body }] of ours.entries()) {
    const other = theirs[index];
    if (other === undefined || !other.isWhole) return `llhttp sees no whole request ${index}`;
    if (other.method !== head.method || other.version !== head.version) return 'another method or version';
    if (!other.target.endsWith(head.target)) return 'another target';
    if (other.body !== body) return 'another body';
    if (JSON.stringify(other.headers) !== JSON.stringify(head.headers)) return 'other fields';
  }
  return undefined;
}

/** The rules of the strictness list, in the simplest words: not how the parser looks for them. */
function findAmbiguity(bytes: string, ours: readonly ReadRequest[]): string | undefined {
  for (const { head } of ours) {
    const named = (name: string): number =>
      head.headers.filter(([given]) => given.toLowerCase() === name).length;
    if (named('content-length') + named('transfer-encoding') > 1) return 'two framings';
    if (named('host') !== 1) return 'not one host';
    if (named('transfer-encoding') === 1 && head.version === 10) return 'chunks on 1.0';
    if (head.headers.some(([name, value]) => /[^\x21-\x7e]/.test(name) || /[\r\n\0]/.test(value)))
      return 'a field that breaks the line';
  }
  if (ours.length > 0 && /(?:^|[^\r])\n/.test(bytes.slice(0, bytes.indexOf('\r\n\r\n')))) return 'a bare LF';
  return undefined;
}

describe('[NE-5] no ambiguous message is accepted', () => {
  test.each(FRIENDLY_REQUESTS)('llhttp reads $why as we do', ({ bytes, side = 'server' }) => {
    const buffer = Buffer.from(bytes, 'latin1');
    const { requests } = readRequests(buffer, side, []);
    // CONNECT ends what llhttp reads; there is nothing after it here.
    expect(findDisagreement(buffer, requests)).toBeUndefined();
  });

  test(`${SEQUENCES} mutations of valid messages, seed ${SEED}`, async () => {
    const random = createRandom(SEED);
    let accepted = 0;
    for (let done = 0; done < SEQUENCES; done++) {
      if (done % AT_ONCE === 0) await setImmediate();
      const text = mutate(random);
      const bytes = Buffer.from(text, 'latin1');
      const { requests, refused, end } = readRequests(bytes, 'server', []);
      if (random(16) === 0) {
        const cut = readRequests(bytes, 'server', [random(bytes.length + 1), bytes.length - 1]);
        if (cut.requests.length !== requests.length || cut.refused !== refused)
          expect.fail(`seed ${SEED}, case ${done}: read otherwise when cut: ${JSON.stringify(text)}`);
      }
      if (requests.length === 0) continue;
      accepted++;
      // Whatever comes after a refusal is never forwarded, so only what was accepted is compared.
      const problem = findAmbiguity(text, requests) ?? findDisagreement(bytes.subarray(0, end), requests);
      if (problem !== undefined)
        expect.fail(`seed ${SEED}, case ${done}: ${problem}: ${JSON.stringify(text)}`);
    }
    // Mutations that are all refused, or all taken, would show nothing.
    expect(accepted).toBeGreaterThan(SEQUENCES / 50);
    expect(accepted).toBeLessThan(SEQUENCES / 2);
  });

  test('garbage from a server ends in an answer or a refusal, never in anything else', () => {
    const random = createRandom(SEED);
    for (let done = 0; done < rounds(100_000); done++) {
      const text = mutate(random).replace(/^[^\r]*/, 'HTTP/1.1 200 OK');
      const bytes = Buffer.from(text, 'latin1');
      const whole = readResponse(bytes, { ends: true }, []);
      const cut = readResponse(bytes, { ends: true }, [random(bytes.length + 1)]);
      expect(cut).toEqual(whole);
      expect(whole.refused === undefined).toBe(whole.trailers !== undefined);
    }
  });
});
