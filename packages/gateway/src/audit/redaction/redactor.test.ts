import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../shared/secret.ts';
import { Redactor } from './redactor.ts';

const VALUE = 'k3y+with/odd "chars" & ünïcödé%';

describe('[CR-1] secrets by name', () => {
  test.each([
    { key: 'authorization', why: 'plain' },
    { key: 'Proxy-Authorization', why: 'another case, a prefix' },
    { key: 'PASSWORD', why: 'upper case' },
    { key: 'db_password', why: 'a prefix' },
    { key: 'apiKey', why: 'camel case' },
    { key: 'x-api-key', why: 'dashes' },
    { key: 'client_secret', why: 'a suffix that names it' },
    { key: 'refresh.token', why: 'dots' },
    { key: 'Set-Cookie', why: 'a header of answers' },
  ])('$why: `$key` is taken out, however deep', ({ key }) => {
    const redactor = new Redactor();
    const value = { a: [{ [key]: 'hunter2' }], b: { [key]: { nested: 'hunter2' } } };
    expect(redactor.stringify(value)).not.toContain('hunter2');
    expect(JSON.stringify(redactor.redactJson(value))).not.toContain('hunter2');
  });

  test.each([
    { value: { credential: 'github' }, why: 'the name of a credential is no secret' },
    { value: { max_tokens: 5, input_tokens: 7 }, why: 'a number of tokens' },
    { value: { token: '', password: null, secret: false }, why: 'that there is none is worth knowing' },
    { value: { key_id: '9f86d081884c7d65', token_hash: 'ab' }, why: 'ids and hashes' },
    { value: { query: ['token', 'page'] }, why: 'keys of a query without their values' },
    { value: { message: 'the token expired' }, why: 'plain words' },
    { value: { url: 'ssh://git@github.com/a/b' }, why: 'the user that everybody has' },
  ])('kept: $why', ({ value }) => {
    expect(new Redactor().redactJson(value)).toEqual(value);
  });

  test.each([
    { value: ['Authorization', 'Basic aHVudGVyMg=='], why: 'a header as a pair' },
    { value: { name: 'X-Api-Key', value: 'hunter2' }, why: 'a header as an object' },
    { value: { argv: ['mysql', '--password', 'hunter2'] }, why: 'an option and its value' },
    { value: { argv: ['curl', '--oauth2-bearer', 'hunter2', '--otp', 'hunter2'] }, why: 'short names too' },
  ])('taken out: $why', ({ value }) => {
    const text = new Redactor().stringify(value);
    expect(text).not.toMatch(/hunter2|aHVudGVy/);
  });
});

describe('[CR-1] secrets by pattern', () => {
  test.each([
    { text: `spt_${'a1'.repeat(20)}`, why: 'session token' },
    { text: `ghp_${'a1'.repeat(18)}`, why: 'GitHub' },
    { text: `github_pat_${'a1'.repeat(18)}`, why: 'GitHub, fine-grained' },
    { text: 'AKIAIOSFODNN7EXAMPLE', why: 'AWS' },
    { text: 'xoxb-123456789012-abcdefghij', why: 'Slack' },
    { text: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', why: 'JWT' },
    { text: `sk-ant-${'a1'.repeat(20)}`, why: 'model provider' },
  ])('$why', ({ text }) => {
    const redactor = new Redactor();
    expect(redactor.redactText(`before ${text} after`)).toBe('before [redacted] after');
    expect(redactor.stringify({ nested: [`\n${text}\n`] })).not.toContain(text);
  });

  test.each([
    { text: 'https://ana:hunter2@example.com/x', why: 'user and password in a URL' },
    { text: 'postgres://u:hun@ter2@db/x', why: 'an at sign in the password' },
    { text: 'Authorization: Bearer hunter2hunter2', why: 'a header line' },
    { text: 'curl -H "authorization: bearer hunter2hunter2"', why: 'in a command' },
    { text: '{"password":"hun\\"ter2","x":1}', why: 'JSON in a string, with an escaped quote' },
    { text: '{\\"password\\":\\"hunter2\\",\\"x\\":1}', why: 'JSON in JSON in a string' },
    { text: 'user=ana&password=hunter2&x=1', why: 'a form' },
    { text: "{'client_secret': 'hunter2'}", why: 'single quotes' },
    { text: 'PGPASSWORD=hunter2 psql', why: 'environment' },
    { text: 'Cookie: a=hunter2; b=hunter2', why: 'cookies' },
    {
      text: '-----BEGIN RSA PRIVATE KEY-----\nhunter2\nhunter2\n-----END RSA PRIVATE KEY-----',
      why: 'a private key',
    },
    { text: '-----BEGIN PRIVATE KEY-----\\nhunter2', why: 'half a private key' },
  ])('$why', ({ text }) => {
    const redacted = new Redactor().redactText(text);
    expect(redacted).toContain('[redacted]');
    expect(redacted).not.toMatch(/hunter2|ter2/);
  });

  test.each([
    'eyJ',
    'password=',
    '"password":"\\',
    'a://',
    '-----BEGIN PRIVATE KEY-----',
    'Bearer ',
    'spt_',
    'cookie:',
  ])('takes linear time on a megabyte of `%s`', (part) => {
    // Quadratic time would take minutes, which is longer than a test may run.
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    expect(new Redactor().redactText(text).length).toBeGreaterThan(0);
  });
});

describe('[CR-1] secrets by value', () => {
  const encodings: { name: string; encode: (v: string) => string }[] = [
    { name: 'raw', encode: (v) => v },
    { name: 'percent', encode: encodeURIComponent },
    { name: 'form', encode: (v) => new URLSearchParams({ v }).toString().slice(2) },
    { name: 'hex', encode: (v) => Buffer.from(v).toString('hex') },
    { name: 'HEX', encode: (v) => Buffer.from(v).toString('hex').toUpperCase() },
    { name: 'JSON', encode: (v) => JSON.stringify(v) },
    { name: 'JSON twice', encode: (v) => JSON.stringify(JSON.stringify(v)) },
  ];

  test.each(encodings)('$name', ({ encode }) => {
    const redactor = new Redactor();
    redactor.learn(new Secret(VALUE));
    const text = `before ${encode(VALUE)} after`;
    expect(redactor.redactText(text)).toContain('[redacted]');
    expect(redactor.redactText(text)).not.toContain(encode(VALUE));
    const json = redactor.stringify({ deep: [{ text }], [encode(VALUE)]: 1 });
    expect(json).not.toContain(JSON.stringify(encode(VALUE)).slice(1, -1));
  });

  test('any value of eight characters and more, in any encoding, anywhere in any text', () => {
    const base64 = (v: string, before: string, after: string, kind: BufferEncoding): string =>
      Buffer.from(before + v + after).toString(kind);
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 8, maxLength: 60 }).filter((v) => v.trim().length >= 8),
        fc.string({ maxLength: 20 }),
        fc.string({ maxLength: 20 }),
        (value, before, after) => {
          const redactor = new Redactor();
          redactor.learn(new Secret(value));
          for (const { encode } of encodings) {
            const out = redactor.redactText(before + encode(value) + after);
            expect(out).not.toContain(encode(value));
          }
          for (const kind of ['base64', 'base64url'] as const) {
            const out = redactor.redactText(base64(value, before, after, kind));
            expect(Buffer.from(out.split('[redacted]').join(''), kind).includes(Buffer.from(value))).toBe(
              false,
            );
            expect(out).toContain('[redacted]');
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('the quick way and the careful way agree on what is clean', () => {
    const redactor = new Redactor();
    redactor.learn(new Secret('canary-canary-canary'));
    redactor.learn(new Secret('s3cr3t'));
    const leaf = fc.oneof(
      fc.string(),
      fc.constantFrom('canary-canary-canary', 's3cr3t', 'password=x', 'https://a:b@c', 'Bearer abcdef1'),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const key = fc.oneof(fc.string(), fc.constantFrom('password', 'X-Auth', 'token', 'name', 'value', 'otp'));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree')), fc.dictionary(key, tie('tree'))),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(JSON.parse(redactor.stringify(value))).toEqual(
          JSON.parse(JSON.stringify(redactor.redactJson(value))),
        );
      }),
      { numRuns: rounds(500) },
    );
  });

  test('[CR-1] what is written once for all is written anew when a value is learned', () => {
    const redactor = new Redactor();
    const member = Object.freeze({ text: 'see canary-value-12345' });
    const value = { n: 1, member, password: Object.freeze(['hunter2-hunter2']) };
    const before = JSON.parse(redactor.stringifyMembers(value)) as unknown;
    expect(before).toEqual({ n: 1, member: { text: 'see canary-value-12345' }, password: '[redacted]' });
    redactor.learn(new Secret('canary-value-12345'));
    expect(JSON.parse(redactor.stringifyMembers(value))).toEqual(redactor.redactJson(value));
    expect(redactor.stringifyMembers({ member })).not.toContain('canary');
    expect(redactor.stringifyConstant(member)).not.toContain('canary');
    const named = { name: 'X-Api-Key', value: Object.freeze(['hunter2-hunter2']) };
    expect(redactor.stringifyMembers(named)).not.toContain('hunter2');
  });

  test('a short value is found as a whole string only, and as a number', () => {
    const redactor = new Redactor();
    redactor.learn(new Secret('1234'));
    expect(redactor.redactJson({ pin: '1234', n: 1234, text: 'order 12345' })).toEqual({
      pin: '[redacted]',
      n: '[redacted]',
      text: 'order 12345',
    });
  });

  test('a value of several lines is found line by line', () => {
    const redactor = new Redactor();
    redactor.learn(new Secret('first line of the secret\nsecond line of the secret'));
    expect(redactor.redactText('x second line of the secret y')).toBe('x [redacted] y');
  });

  test('of many values none is forgotten, and the empty one hides nothing', () => {
    const redactor = new Redactor();
    redactor.learn(new Secret(''));
    const values = Array.from({ length: 2_000 }, (_, i) => `value-${i}-${'z'.repeat(i % 5)}-end`);
    for (const value of values) redactor.learn(new Secret(value));
    expect(values.filter((value) => redactor.redactText(`a ${value} b`) !== 'a [redacted] b')).toEqual([]);
    expect(redactor.redactText('nothing to see')).toBe('nothing to see');
  });
});
