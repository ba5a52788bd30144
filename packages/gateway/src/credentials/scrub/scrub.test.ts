import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../shared/secret.ts';
import { ScrubPlan } from './scrub-plan.ts';
import { ScrubStream } from './scrub-stream.ts';

const VALUE = 'ghp_Zq8/x+7Lw%25"k\\9 Tt~';
const percentAll = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const unicodeAll = (text: string): string =>
  [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** What servers do to a value. None of it uses the code under test. */
const ENCODERS: Readonly<Record<string, (value: string) => string>> = {
  raw: (value) => value,
  'base64, aligned': (value) => Buffer.from(value).toString('base64'),
  'base64, one byte before': (value) => Buffer.from(`x${value}`).toString('base64'),
  'base64, two bytes before': (value) => Buffer.from(`xy${value}zz`).toString('base64'),
  base64url: (value) => Buffer.from(`:${value}`).toString('base64url'),
  'percent, where needed': encodeURIComponent,
  'percent, every byte': percentAll,
  'percent, every byte, upper case': (value) => percentAll(value).toUpperCase(),
  form: (value) => new URLSearchParams({ v: value }).toString(),
  hex: (value) => Buffer.from(value).toString('hex'),
  'hex, upper case': (value) => Buffer.from(value).toString('hex').toUpperCase(),
  'hex, mixed case': (value) =>
    [...Buffer.from(value).toString('hex')]
      .map((digit, index) => (index % 3 === 0 ? digit.toUpperCase() : digit))
      .join(''),
  JSON: (value) => JSON.stringify({ v: value }),
  'JSON, every letter escaped': unicodeAll,
  'JSON with escaped slashes': (value) => JSON.stringify(value).replaceAll('/', '\\/'),
  'base64 inside JSON': (value) =>
    JSON.stringify(Buffer.from(value).toString('base64')).replaceAll('/', '\\/'),
  'base64 in a query': (value) => encodeURIComponent(Buffer.from(value).toString('base64')),
};

/** Whether a reader who knows every encoding finds the value, or six letters of it, in the text. */
function reads(text: string, value: string): boolean {
  const forms = [
    text,
    tryDecode(text),
    text.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
  ];
  const letters = Buffer.from(value).toString('base64').slice(4, 16);
  return forms.some((form) => form.includes(value.slice(2, 10)) || form.includes(letters));
}

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function scrubbed(text: string, cuts: readonly number[], value = VALUE): { text: string; hits: number } {
  const stream = new ScrubStream(new ScrubPlan([new Secret(value)]));
  const bytes = Buffer.from(text, 'latin1');
  const out: Uint8Array[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    out.push(Buffer.from(stream.push(Buffer.from(bytes.subarray(from, cut)))));
    from = cut;
  }
  const rest = stream.end();
  if (rest !== undefined) out.push(rest);
  return { text: Buffer.concat(out).toString('latin1'), hits: stream.hits };
}

describe('[CR-4] a lent value in what comes back', () => {
  test.each(Object.keys(ENCODERS))('is overwritten, split at every byte: %s', (name) => {
    const encoded = ENCODERS[name]?.(VALUE) ?? '';
    const text = `before ${encoded} after`;
    for (let cut = 0; cut <= text.length; cut += 1) {
      const result = scrubbed(text, [cut]);
      expect(result.text.length).toBe(text.length);
      expect(result.hits).toBeGreaterThan(0);
      expect(result.text.startsWith('before ')).toBe(true);
      expect(result.text.endsWith(' after')).toBe(true);
      expect(reads(result.text, VALUE)).toBe(false);
    }
  });

  test('is overwritten for any value, encoding, neighbourhood and chunking', () => {
    const names = Object.keys(ENCODERS);
    fc.assert(
      fc.property(
        fc
          .string({
            unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
            minLength: 12,
            maxLength: 60,
          })
          .filter((text) => text.trim() === text),
        fc.constantFrom(...names),
        fc.string({ maxLength: 40 }),
        fc.string({ maxLength: 40 }),
        fc.array(fc.nat(300), { maxLength: 8 }),
        (value, name, before, after, cuts) => {
          const text = `${before}\n${ENCODERS[name]?.(value) ?? ''}\n${after}`;
          const sorted = [...new Set(cuts)].filter((cut) => cut < text.length).sort((a, b) => a - b);
          const result = scrubbed(text, sorted, value);
          expect(result.hits).toBeGreaterThan(0);
          expect(result.text.length).toBe(Buffer.from(text, 'latin1').length);
        },
      ),
      { numRuns: rounds(3_000) },
    );
  });

  test('is overwritten byte by byte, one byte a chunk, twice in a row', () => {
    const text = `${VALUE}${VALUE}`;
    const result = scrubbed(
      text,
      Array.from({ length: text.length - 1 }, (_, index) => index + 1),
    );
    expect(result).toEqual({ text: '*'.repeat(text.length), hits: 2 });
  });
});

describe('what is no lent value', () => {
  test('passes unchanged, whatever it is and however it is cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(400), (bytes, cut) => {
        const text = Buffer.from(bytes).toString('latin1');
        expect(scrubbed(text, cut < text.length ? [cut] : [])).toEqual({ text, hits: 0 });
      }),
    );
  });

  test('is not held back: an event leaves at once', () => {
    const stream = new ScrubStream(new ScrubPlan([new Secret(VALUE)]));
    const event = Buffer.from('data: {"a":1}\n\n');
    expect(Buffer.from(stream.push(Buffer.from(event)))).toEqual(event);
  });

  test('the beginning of a value that never goes on leaves at the end', () => {
    expect(scrubbed(`x ${VALUE.slice(0, 9)}`, [5]).text).toBe(`x ${VALUE.slice(0, 9)}`);
  });

  test('a text of a header is the same object when nothing is found', () => {
    const plan = new ScrubPlan([new Secret(VALUE)]);
    expect(plan.text('text/html; charset=utf-8')).toBe('text/html; charset=utf-8');
    expect(plan.text(`Bearer ${VALUE}!`)).toBe(`Bearer ${'*'.repeat(VALUE.length)}!`);
  });
});
