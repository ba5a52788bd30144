import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { normalizeRequestTarget, type RequestTarget } from '../../actions/index.ts';
import type { Header } from '../../shared/http-message.ts';
import { Handed } from './handed.ts';
import { createHandedReader } from './handed-reader.ts';

const FROM = { scheme: 'https', host: 'a.example', port: 443 } as const;
const URL_OF = (n: number): string => `https://b.example/o/${n}?sig=s${n}`;
const TARGET_OF = (n: number): RequestTarget => normalizeRequestTarget(`/o/${n}?sig=s${n}`);
const B = { ...FROM, host: 'b.example' };

function open() {
  const sessions = new Map<string, AbortController>();
  const signalOf = (id: string): AbortSignal => {
    const controller = sessions.get(id) ?? new AbortController();
    sessions.set(id, controller);
    return controller.signal;
  };
  const handed = new Handed(signalOf);
  const give = (session: string, url: string, name = 'Location'): void =>
    handed.onHead(session, FROM, '/', [[name, url]]);
  return { handed, give, end: (id: string) => sessions.get(id)?.abort() };
}

describe('what a session was handed', () => {
  test('is forgotten with the session, and belongs to it alone', () => {
    const { handed, give, end } = open();
    give('one', URL_OF(1));
    expect(handed.hasUrl('one', B, TARGET_OF(1))).toBe(true);
    expect(handed.hasUrl('two', B, TARGET_OF(1))).toBe(false);
    end('one');
    expect(handed.hasUrl('one', B, TARGET_OF(1))).toBe(false);
  });

  test('[NE-8] is bounded: the oldest goes first, in a session and over all of them', () => {
    const { handed, give } = open();
    for (let n = 0; n <= 1_000; n += 1) give('one', URL_OF(n));
    expect(handed.hasUrl('one', B, TARGET_OF(0))).toBe(false);
    expect(handed.hasUrl('one', B, TARGET_OF(1))).toBe(true);
    for (let n = 0; n < 500; n += 1) give(`many-${n}`, URL_OF(1));
    expect(handed.hasUrl('one', B, TARGET_OF(1))).toBe(false);
    expect(handed.hasUrl('many-499', B, TARGET_OF(1))).toBe(true);
    for (let n = 0; n <= 300; n += 1) give('many-499', `c${n}=${n}; Path=/`, 'Set-Cookie');
    expect(handed.cookiesIn('many-499', 'a.example', 'c0=0; c1=1')).toBe('c1=1');
    give('many-499', `https://b.example/?sig=${'x'.repeat(9_000)}`);
    expect(handed.hasUrl('many-499', B, normalizeRequestTarget(`/?sig=${'x'.repeat(9_000)}`))).toBe(false);
  });

  test('is the URL of one place: scheme, host, port, path and all that signs it', () => {
    const { handed, give } = open();
    give('one', 'https://b.example/o?X-Amz-Credential=c&X-Amz-Signature=s&x-id=GetObject');
    const has = (at: object, target: string): boolean =>
      handed.hasUrl('one', { ...B, ...at }, normalizeRequestTarget(target));
    expect(has({}, '/o?x-id=GetObject&X-Amz-Signature=s&X-Amz-Credential=c')).toBe(true);
    expect(has({}, '/%6F?X-Amz-Credential=c&X-Amz-Signature=s')).toBe(true);
    for (const [at, target] of [
      [{ host: 'c.example' }, '/o?X-Amz-Credential=c&X-Amz-Signature=s'],
      [{ port: 8443 }, '/o?X-Amz-Credential=c&X-Amz-Signature=s'],
      [{ scheme: 'http' }, '/o?X-Amz-Credential=c&X-Amz-Signature=s'],
      [{}, '/o/p?X-Amz-Credential=c&X-Amz-Signature=s'],
      [{}, '/o?X-Amz-Credential=d&X-Amz-Signature=s'],
      [{}, '/o?X-Amz-Signature=s'],
      [{}, '/o?X-Amz-Credential=c&X-Amz-Signature=s&X-Amz-Signature=t'],
    ] as const)
      expect([target, has(at, target)]).toEqual([target, false]);
  });

  test('as a cookie is for the site that gave it, not for those that share its suffix', () => {
    const { handed } = open();
    const give = (host: string): void =>
      handed.onHead('one', { ...FROM, host }, '/', [['set-cookie', 'a=b; Secure']]);
    give('www.shop.example');
    expect(handed.cookiesIn('one', 'api.shop.example', 'a=b; x=y')).toBe('a=b');
    expect(handed.cookiesIn('one', 'shop2.example', 'a=b')).toBeUndefined();
    give('me.github.io');
    expect(handed.cookiesIn('one', 'you.github.io', 'a=b')).toBeUndefined();
    expect(handed.cookiesIn('one', 'me.github.io', 'a=c')).toBeUndefined();
  });
});

describe('the reader of bodies', () => {
  const read = (headers: readonly Header[], ...chunks: readonly (string | Buffer)[]): string => {
    let told = '';
    const reader = createHandedReader(headers, (text) => {
      told += text;
    });
    for (const chunk of chunks) reader?.onBody(Buffer.from(chunk as string));
    reader?.onEnd();
    return told;
  };
  const json = (coding?: string): Header[] => [
    ['Content-Type', 'application/json'],
    ...(coding === undefined ? [] : [['Content-Encoding', coding] as Header]),
  ];
  const URL_TEXT = '{"u":"https://b.example/?sig=abc"}';

  test('tells what may hold a signed URL, also over the border of two pieces', () => {
    expect(read(json(), URL_TEXT)).toContain('sig=abc');
    expect(read(json(), URL_TEXT.slice(0, 24), URL_TEXT.slice(24))).toContain('https://b.example/?sig=abc');
    expect(read(json('gzip'), gzipSync(URL_TEXT))).toContain('sig=abc');
    expect(read(json('br'), brotliCompressSync(URL_TEXT))).toContain('sig=abc');
  });

  test('tells nothing of what holds none, of streams, and of what is too large or packed otherwise', () => {
    expect(read(json(), '{"a":"b","c":"d=e"}')).toBe('');
    expect(read([['Content-Type', 'text/event-stream']], `data: ${URL_TEXT}`)).toBe('');
    expect(read([['Content-Type', 'application/octet-stream']], URL_TEXT)).toBe('');
    expect(read(json('gzip'), URL_TEXT)).toBe('');
    expect(read(json('gzip, br'), gzipSync(URL_TEXT))).toBe('');
    expect(read(json(), 'x'.repeat(1_048_576), URL_TEXT)).toBe('');
    // A bomb: 8 MB behind 8 kB.
    expect(read(json('gzip'), gzipSync(`${' '.repeat(8_000_000)}${URL_TEXT}`))).toBe('');
  });
});
