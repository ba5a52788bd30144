// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the config has variables of its own
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstConfigText } from './first-config.ts';
import { load, problemsIn, reported, writeFiles } from './load-config.fixture.ts';
import { loadConfig } from './load-config.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('broken and hostile files', () => {
  test.each([
    { why: 'empty', text: '', expected: '1:1 the file is empty | write at least `tenants: {}`' },
    {
      why: 'only a comment',
      text: '# x\n',
      expected: '1:1 the file is empty | write at least `tenants: {}`',
    },
    { why: 'a list', text: '- a\n', expected: '1:1 a config is a map of keys | for example `tenants: {}`' },
    { why: 'a word', text: 'hello\n', expected: '1:1 a config is a map of keys | for example `tenants: {}`' },
    { why: 'a tab', text: 'log:\n\tlevel: info\n', expected: '2:1 a tab cannot indent | use spaces' },
    {
      why: 'two documents',
      text: 'log: {}\n---\nlog: {}\n',
      expected: '2:1 more than one document in the file | remove the `---`, or use `include`',
    },
    {
      why: 'a key twice',
      text: 'log: {}\napi: {}\nlog: {}\n',
      expected: '3:1 key `log` is there twice | the first is in line 1',
    },
    {
      why: 'a merge key',
      text: 'log: { <<: { level: info } }\n',
      expected: '1:8 merge keys (`<<`) are not supported | write the keys out',
    },
    { why: '__proto__', text: 'tenants: { __proto__: {} }\n', expected: '1:12 `__proto__` cannot be a key' },
    { why: 'constructor', text: 'constructor: {}\n', expected: '1:1 `constructor` cannot be a key' },
    { why: 'prototype', text: 'agents:\n  prototype: {}\n', expected: '2:3 `prototype` cannot be a key' },
    { why: 'a map as a key', text: '? { a: 1 }\n: 1\n', expected: '1:3 a key must be text' },
    { why: 'a tag', text: 'log: !!js/function {}\n', expected: /^1:\d+ tag `.*` is not supported/ },
    {
      why: 'YAML 1.1, where `no` is false',
      text: '%YAML 1.1\n---\nlog: {}\n',
      expected: '1:1 YAML 1.1 is not supported | remove the `%YAML` line',
    },
    { why: 'an alias of nothing', text: 'log: *a\n', expected: /^1:6 (?:alias|broken YAML)/ },
    {
      why: 'an alias of itself',
      text: 'log: &a { level: *a }\n',
      expected: '1:18 alias `*a` contains itself',
    },
    {
      why: 'a variable in a flow map without quotes',
      text: 'log: { level: ${L} }\n',
      expected: /inside `\{ \}` and `\[ \]` a variable needs quotes around it$/,
    },
    {
      why: 'NUL',
      text: 'log: "a\0b"\n',
      expected: '1:8 `sallyport.yaml`: hidden character U+0000 | remove it',
    },
    {
      why: 'text that reads other than it is',
      text: 'log: {}\n# \u202e x\n',
      expected: '2:3 `sallyport.yaml`: hidden character U+202E | remove it',
    },
    {
      why: 'no UTF-8',
      text: bytes(0x61, 0x3a, 0x20, 0xff),
      expected: '1:1 `sallyport.yaml`: not UTF-8 text | save the file as UTF-8',
    },
    {
      why: 'UTF-16',
      text: bytes(0xff, 0xfe, 0x61, 0x00),
      expected: '1:1 `sallyport.yaml`: not UTF-8 text | save the file as UTF-8',
    },
    {
      why: 'larger than 1 MiB',
      text: '#'.repeat(1_048_577),
      expected: '1:1 `sallyport.yaml`: larger than 1 MiB | split it with `include`',
    },
  ])('are refused with a clear message: $why', ({ text, expected }) => {
    const [first] = reported({ 'sallyport.yaml': text });
    if (typeof expected === 'string') expect(first).toBe(`sallyport.yaml:${expected}`);
    else expect(first?.replace('sallyport.yaml:', '')).toMatch(expected);
  });

  test('never change what every object inherits', () => {
    problemsIn('{ "__proto__": { "polluted": true }, "constructor": { "prototype": { "polluted": true } } }');
    problemsIn('tenants: { default: { users: { __proto__: { polluted: true } } } }');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect('polluted' in {}).toBe(false);
  });

  test('with aliases that unfold into billions are refused before they unfold', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level += 1) {
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    }
    expect(reported(lines.join('\n')).join('\n')).toMatch(/too many values/);
  });

  test.each([
    { why: 'flow lists', text: '['.repeat(20_000) },
    { why: 'flow maps', text: '{a: '.repeat(20_000) },
    { why: 'block lists', text: '- '.repeat(20_000) },
    { why: 'seventy levels, which the parser can take', text: `log: ${'['.repeat(70)}${']'.repeat(70)}` },
  ])('that nest without end are refused: $why', ({ text }) => {
    expect(reported(text).join('\n')).toMatch(/nested|broken YAML/);
  });

  test('that are pipes, folders or devices are refused without waiting', () => {
    const folder = writeFiles({});
    mkdirSync(join(folder, 'folder'));
    execFileSync('/usr/bin/mkfifo', [join(folder, 'pipe')]);
    for (const file of [join(folder, 'folder'), join(folder, 'pipe'), '/dev/zero']) {
      expect(() => loadConfig({ file, env: {} })).toThrow(/not a regular file/);
    }
    expect(() => loadConfig({ file: join(folder, 'missing.yaml'), env: {} })).toThrow(/no such file/);
    expect(() => loadConfig({ file: 'a\0b', env: {} })).toThrow(SallyportError);
  });

  test('that everyone may change are loaded with a warning', () => {
    const folder = writeFiles({ 'sallyport.yaml': 'log: {}' });
    const file = join(folder, 'sallyport.yaml');
    chmodSync(file, 0o666);
    expect(loadConfig({ file, env: {} }).warnings).toMatchObject([
      { message: 'every user of this machine can change this file' },
    ]);
    chmodSync(file, 0o664);
    expect(loadConfig({ file, env: {} }).warnings).toEqual([]);
  });
});

describe('secrets written in the config', () => {
  test.each([
    { why: 'a GitHub token', text: `ghp_${'a1'.repeat(18)}` },
    { why: 'an AWS key', text: 'AKIAABCDEFGHIJKLMNOP' },
    { why: 'a model key', text: `sk-ant-${'x9'.repeat(15)}` },
    { why: 'a private key', text: '-----BEGIN OPENSSH PRIVATE KEY-----' },
    { why: 'a password in a URL', text: 'postgres://me:hunter2@db/x' },
  ])('[CR-1] are refused without being repeated: $why', ({ text }) => {
    const problems = problemsIn(`agents: { a: { description: "${text}" } }\n`);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(/^this looks like a secret/);
    expect(JSON.stringify(problems)).not.toContain(text);
  });

  test('[CR-1] are refused where a source is expected, whatever they look like', () => {
    const sink = '{ kind: webhook, url: "https://x.example", secret: hunter2 }';
    const problems = problemsIn(`audit: { sinks: [${sink}] }\n`);
    expect(problems[0]).toMatchObject({
      message: 'a secret is not written in the config; name where it is read from',
      hint: 'use `env:NAME` or `file:path` (mode 0600, relative to the home)',
    });
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  test('may come from a variable, which names a source', () => {
    const env = { DATABASE_URL: 'postgres://me:hunter2@db/x' };
    expect(load('store:\n  url: ${DATABASE_URL}\n', { env }).config.store.url).toBe(env.DATABASE_URL);
  });
});

describe('any bytes', () => {
  const folder = { path: '' };
  const tryBytes = (content: Uint8Array | string) => {
    const file = join(folder.path, 'sallyport.yaml');
    writeFileSync(file, content);
    try {
      loadConfig({ file, env: { A: '[x' } });
    } catch (error) {
      if (!(error instanceof SallyportError)) throw error;
      expect(error.message).not.toContain('\n');
    }
  };

  test('make loading throw nothing but SallyportError', () => {
    folder.path = writeFiles({});
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), tryBytes), { numRuns: rounds(500) });
  });

  test('of YAML-like words make loading throw nothing but SallyportError', () => {
    folder.path = writeFiles({});
    const word = fc.constantFrom(
      ...['tenants', 'default', 'log', 'level', 'include', 'api', 'audit', 'sinks', 'kind', 'permissions'],
      ...[
        ': ',
        ':\n',
        '\n',
        '\n  ',
        '\n    ',
        '- ',
        '{',
        '}',
        '[',
        ']',
        ', ',
        '&a ',
        '*a',
        '!t ',
        '|\n',
        '? ',
      ],
      ...['"', "'", '#', '${A}', '${', '$${', '<<', '__proto__', '---\n', '%YAML 1.1\n', '\t', '\r\n', '\0'],
      ...['~', '.inf', '1e999', '0x', 'null', '*.yaml', 'sallyport.yaml', '\ufeff', '\ud800', '🦀'],
    );
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''));
    fc.assert(fc.property(text, tryBytes), { numRuns: rounds(1_000) });
  });

  test('changed in a good config make loading throw nothing but SallyportError', () => {
    folder.path = writeFiles({});
    const good = Buffer.from(firstConfigText({ osUser: 'ana' }));
    const change = fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 }), fc.nat(20));
    fc.assert(
      fc.property(change, ([at, byte, cut]) => {
        tryBytes(Buffer.concat([good.subarray(0, at), bytes(byte), good.subarray(at + cut)]));
      }),
      { numRuns: rounds(500) },
    );
  });
});
