import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ConfigSchema, type CredentialConfig } from '../../config/index.ts';
import type { OutgoingRequest } from '../../shared/http-message.ts';
import { Secret } from '../../shared/secret.ts';
import { KINDS } from './index.ts';
import type { CredentialKind, PreparedCredential } from './kind.ts';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const HOSTS = { hosts: ['api.example.com'] };

function configOf(options: object): CredentialConfig {
  const tenants = { default: { credentials: { x: { source: 'env:X', ...options } } } };
  const found = ConfigSchema.parse({ tenants }).tenants.default?.credentials.x;
  if (found === undefined) throw new Error('the schema lost it');
  return found;
}

async function prepare(
  options: object,
  material: string,
  learned: string[] = [],
): Promise<PreparedCredential> {
  const config = configOf(options);
  const kind = KINDS[config.kind] as unknown as CredentialKind;
  return kind.prepare(new Secret(material), config as never, {
    ...{ env: {}, home: '/', tenant: 'default', credential: 'x', clock: { now: () => NOW } },
    signal: new AbortController().signal,
    learn: (secret) => void learned.push(secret.reveal()),
    storeBack: async () => {},
  });
}

function outgoing(over: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return {
    ...{ tenant: 'default', scheme: 'https', host: 'api.example.com', port: 443 },
    ...{ method: 'GET', target: '/', headers: [], isStreamed: false },
    ...over,
  };
}

async function applied(options: object, material: string, over: Partial<OutgoingRequest> = {}) {
  const request = outgoing(over);
  const prepared = await prepare(options, material);
  const sent: string[] = [];
  await prepared.apply(request, (secret) => void sent.push(secret.reveal()));
  return { request, prepared, sent };
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('a kind puts its value where upstream wants it', () => {
  test.each<{
    why: string;
    options: object;
    material?: string;
    over?: Partial<OutgoingRequest>;
    expected: object;
  }>([
    {
      why: 'bearer',
      options: { kind: 'bearer', ...HOSTS },
      expected: { headers: [['authorization', 'Bearer tok']] },
    },
    {
      why: 'whatever stood there before, in any case and number, goes',
      options: { kind: 'bearer', ...HOSTS },
      over: {
        headers: [
          ['AUTHORIZATION', 'a'],
          ['x', 'y'],
          ['authorization', 'b'],
        ],
      },
      expected: {
        headers: [
          ['x', 'y'],
          ['authorization', 'Bearer tok'],
        ],
      },
    },
    {
      why: 'basic with a user',
      options: { kind: 'basic', user: 'ana', ...HOSTS },
      expected: { headers: [['authorization', basic('ana:tok')]] },
    },
    {
      why: 'basic without',
      options: { kind: 'basic', ...HOSTS },
      material: 'ana:p:w',
      expected: { headers: [['authorization', basic('ana:p:w')]] },
    },
    {
      why: 'a header with a format',
      options: { kind: 'header', name: 'X-Api-Key', format: 'key={value};', ...HOSTS },
      material: 'a$&b',
      expected: { headers: [['x-api-key', 'key=a$&b;']] },
    },
    {
      why: 'the query, in place of the same name however it is written',
      options: { kind: 'query', param: 'api_key', ...HOSTS },
      material: 'a b&c',
      over: { target: '/x?api%5Fkey=mine&y=%zz&api_key' },
      expected: { target: '/x?y=%zz&api_key=a%20b%26c' },
    },
    {
      why: 'an empty query',
      options: { kind: 'query', param: 'k', ...HOSTS },
      expected: { target: '/?k=tok' },
    },
    {
      why: "GitHub's API",
      options: { kind: 'github_pat' },
      over: { host: 'api.github.com', target: '/repos/a/b/contents/info/refs' },
      expected: { headers: [['authorization', 'Bearer tok']] },
    },
    {
      why: 'git over HTTPS',
      options: { kind: 'github_pat' },
      over: { host: 'github.com', target: '/a/b.git/info/refs?service=git-receive-pack' },
      expected: { headers: [['authorization', basic('x-access-token:tok')]] },
    },
    {
      why: 'git over HTTPS to push, without `.git`',
      options: { kind: 'github_pat' },
      over: { host: 'github.com', target: '/a/b/git-receive-pack', method: 'POST' },
      expected: { headers: [['authorization', basic('x-access-token:tok')]] },
    },
    {
      why: "an Enterprise server's API",
      options: { kind: 'github_pat', hosts: ['ghe.example.com'] },
      over: { host: 'ghe.example.com', target: '/api/v3/user' },
      expected: { headers: [['authorization', 'Bearer tok']] },
    },
    {
      why: 'Datadog',
      options: { kind: 'datadog' },
      material: '{"api_key":"one","app_key":"two"}',
      expected: {
        headers: [
          ['dd-api-key', 'one'],
          ['dd-application-key', 'two'],
        ],
      },
    },
    {
      why: 'Linear',
      options: { kind: 'linear' },
      material: 'lin_api_x',
      expected: { headers: [['authorization', 'lin_api_x']] },
    },
    { why: 'Slack', options: { kind: 'slack' }, expected: { headers: [['authorization', 'Bearer tok']] } },
  ])('$why', async ({ options, material = 'tok', over = {}, expected }) => {
    const { request } = await applied(options, material, over);
    expect(request).toEqual({ ...outgoing(over), ...expected });
  });

  test('blanks around a value are not part of it', async () => {
    expect((await applied({ kind: 'bearer', ...HOSTS }, ' tok \n')).request.headers).toEqual([
      ['authorization', 'Bearer tok'],
    ]);
  });
});

describe('[CR-1] material that a kind cannot use is refused without being quoted', () => {
  test.each([
    { options: { kind: 'bearer', ...HOSTS }, material: 'canary\r\nX-Evil: 1', why: 'a line end' },
    { options: { kind: 'bearer', ...HOSTS }, material: 'canary\0', why: 'a NUL' },
    { options: { kind: 'bearer', ...HOSTS }, material: 'canaryä', why: 'no ASCII' },
    { options: { kind: 'bearer', ...HOSTS }, material: 'canary'.repeat(4_000), why: 'too long' },
    { options: { kind: 'bearer', ...HOSTS }, material: '  ', why: 'nothing' },
    { options: { kind: 'basic', ...HOSTS }, material: 'canary', why: 'no user' },
    { options: { kind: 'basic', ...HOSTS }, material: 'canary:', why: 'no password' },
    { options: { kind: 'datadog' }, material: '{canary', why: 'no JSON' },
    { options: { kind: 'datadog' }, material: '{"api_key":"canary"}', why: 'a missing key' },
    {
      options: { kind: 'datadog' },
      material: '{"api_key":"canary\\n","app_key":"a\\nb"}',
      why: 'a line end inside',
    },
  ])('$options.kind: $why', async ({ options, material }) => {
    const error: unknown = await prepare(options, material).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'SecretUnreadable' });
    expect(JSON.stringify([error, String(error)])).not.toContain('canary');
  });
});

describe('what must not come back', () => {
  test('is the value and every form of it that was sent', async () => {
    const { prepared } = await applied({ kind: 'basic', user: 'ana', ...HOSTS }, 'password-1');
    expect(prepared.values.map((secret) => secret.reveal())).toEqual([
      'password-1',
      Buffer.from('ana:password-1').toString('base64'),
    ]);
    const learned: string[] = [];
    await prepare({ kind: 'datadog' }, '{"api_key":"key-number-one","app_key":"key-number-two"}', learned);
    expect(learned).toEqual(['key-number-one', 'key-number-two']);
  });
});

describe('an HMAC', () => {
  const options = {
    kind: 'hmac',
    header: 'X-Signature',
    format: 't={timestamp},v1={signature}',
    template: '{timestamp}.{method}.{host}.{path}?{query}.{header:X-Id}.{body}',
    headers: { 'X-Time': '{timestamp_ms}' },
    ...HOSTS,
  };
  const body = Buffer.from([0x00, 0xff, 0x7b]);

  test('signs the parts that its template names, byte for byte', async () => {
    const over = { method: 'POST', target: '/a/b?c=d', headers: [['x-id', '7'] as const], body };
    const { request, sent, prepared } = await applied(options, 'the-key', {
      ...over,
      headers: [...over.headers],
    });
    const seconds = String(NOW / 1000);
    const signature = createHmac('sha256', 'the-key')
      .update(`${seconds}.POST.api.example.com./a/b?c=d.7.`)
      .update(body)
      .digest('hex');
    expect(request.headers).toEqual([
      ['x-id', '7'],
      ['x-time', String(NOW)],
      ['x-signature', `t=${seconds},v1=${signature}`],
    ]);
    expect(sent).toEqual([signature]);
    expect(prepared.value).toBeUndefined();
    expect(prepared.needsWholeBody?.(request)).toBe(true);
  });

  test('with a nonce says the same one everywhere, and another one each time', async () => {
    const nonce = { ...options, template: '{nonce}', headers: { 'x-nonce': '{nonce}' }, encoding: 'base64' };
    const one = await applied(nonce, 'k');
    const two = await applied(nonce, 'k');
    const [, value = ''] = one.request.headers.find(([name]) => name === 'x-nonce') ?? [];
    expect(one.sent).toEqual([createHmac('sha256', 'k').update(value).digest('base64')]);
    expect(two.request.headers).not.toEqual(one.request.headers);
  });

  test('over a body that is streamed is refused, and says before that it needs the body', async () => {
    const prepared = await prepare(options, 'k');
    expect(() => prepared.apply(outgoing({ isStreamed: true }), () => {})).toThrow('signs the whole body');
    const headOnly = await prepare({ ...options, template: '{method}' }, 'k');
    expect(headOnly.needsWholeBody?.(outgoing())).toBe(false);
    await headOnly.apply(outgoing({ isStreamed: true }), () => {});
  });

  test.each(['{bodyy}', '{METHOD}', '{header:}'])(
    'a template with %s is a typo, found at load',
    (template) => {
      expect(() => configOf({ ...options, template })).toThrow();
    },
  );
});
