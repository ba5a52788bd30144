import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as h2Connect } from 'node:http2';
import { connect as tlsConnect } from 'node:tls';
import { createTestCa, ScriptedModel } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openReach, type Reach } from './clients-fixture.ts';
import { openTunnel, type ProxiedCall, proxied } from './proxied.ts';
import { type Recorder, startRecorder } from './recorder.ts';

const VALUE = 'value-of-main-4f0a7c19';
const KEY = 'sk-model-key-91c2d8a7b6';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const LARGE = 200_000;
const NAMES = ['main', 'key', 'own', 'secret', 'model'] as const;
type Name = (typeof NAMES)[number];

let reach: Reach;
let host: Recorder;
let model: ScriptedModel;
const placeholders: Record<string, string> = {};
let token = '';
const of = (name: Name): string => placeholders[name] ?? '';
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

beforeAll(async () => {
  const ca = await createTestCa();
  host = await startRecorder(ca);
  model = await ScriptedModel.start({
    apiKey: KEY,
    // As a model does that was asked to: it repeats its prompt, letter by letter.
    reply: ({ text }) => ({ text: [...text].join(' ') }),
  });
  const at = new URL(model.url).host;
  reach = await openReach({
    ca,
    env: { VALUE, KEY },
    agent: `{ permissions: ["allow:*"], credentials: [${NAMES.join(', ')}] }`,
    tenant: `
exceptions: [http]
credentials:
  main: { kind: bearer, source: "env:VALUE", hosts: [localhost] }
  key: { kind: query, param: key, source: "env:VALUE", hosts: [localhost] }
  own: { kind: header, name: X-Own, format: "Key {value}", source: "env:VALUE", hosts: [localhost] }
  secret:
    kind: bearer
    source: "env:VALUE"
    hosts: [localhost]
    in: [body]
    body:
      - { content_type: application/x-www-form-urlencoded, fields: [client_secret] }
      - { content_type: application/json, fields: [auth.token] }
  model:
    kind: bearer
    source: "env:KEY"
    hosts: [127.0.0.1]
    in: [body]
    body: [{ content_type: application/json, fields: [system, model, prompt] }]`,
    top: `providers: [{ host: "${at}", provider: anthropic }]`,
  });
  const made = await reach.gateway.operator('/v1/tokens', {
    json: { agent: 'dev', credentials: NAMES, ttl: 600 },
  });
  const body = made.json<{ token: string; placeholders: Record<string, string> }>();
  token = body.token;
  Object.assign(placeholders, body.placeholders);
});
afterAll(async () => {
  await reach[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});
beforeEach(() => {
  host.seen.length = 0;
  model.requests.length = 0;
});

const send = (path: string, call: ProxiedCall = {}) =>
  proxied(reach, `${host.url}${path}`, { ...call, token });

describe('[CR-8] a placeholder is replaced where its kind puts the value', () => {
  test.each<[string, () => [string, ProxiedCall], string]>([
    [
      'OpenAI: a bearer token',
      () => ['/', { headers: { authorization: `Bearer ${of('main')}` } }],
      `Bearer ${VALUE}`,
    ],
    ['Anthropic: x-api-key', () => ['/', { headers: { 'x-api-key': of('main') } }], VALUE],
    [
      'git and curl -u',
      () => ['/', { headers: { authorization: basic(`me:${of('main')}`) } }],
      `me:${VALUE}`,
    ],
    ['Google: ?key=', () => [`/v1/models?a=b&key=${of('key')}`, {}], `/v1/models?a=b&key=${VALUE}`],
    ['a header of its own', () => ['/', { headers: { 'x-own': `Key ${of('own')}` } }], `Key ${VALUE}`],
    [
      'an OAuth client: a form',
      () => ['/token', { headers: FORM, body: `grant_type=x&client_secret=${of('secret')}` }],
      `grant_type=x&client_secret=${VALUE}`,
    ],
    [
      'JSON, where the credential says so',
      () => ['/login', { headers: JSON_TYPE, body: `{"auth": {"token": "${of('secret')}"}, "n": 1e400}` }],
      `{"auth": {"token": "${VALUE}"}, "n": 1e400}`,
    ],
  ])('%s', async (_who, make, expected) => {
    const answer = await send(...make());
    expect([answer.status, answer.text]).toEqual([200, 'ok']);
    expect(host.seen[0]?.all).toContain(expected);
    expect(host.seen[0]?.all).not.toContain('sp-placeholder-');
  });

  test('over HTTP/2 too', async () => {
    const opened = await openTunnel(reach, `localhost:${host.port}`, {
      'proxy-authorization': `Bearer ${token}`,
    });
    if ('status' in opened) throw new Error(`no tunnel: ${opened.status}`);
    const socket = tlsConnect({
      ...{ socket: opened.socket, servername: 'localhost', ALPNProtocols: ['h2'] },
      ca: readFileSync(reach.caFile),
    });
    await once(socket, 'secureConnect');
    const client = h2Connect(host.url, { createConnection: () => socket });
    const stream = client.request({
      ...{ ':method': 'POST', ':path': '/', authorization: `Bearer ${of('main')}`, 'x-title': of('main') },
      'content-type': 'application/grpc',
    });
    stream.end(`prompt ${of('main')}`);
    await once(stream.resume(), 'end');
    client.destroy();
    const [seen] = host.seen;
    expect(seen?.headers.authorization).toBe(`Bearer ${VALUE}`);
    expect(seen?.headers['x-title']).toBe(of('main'));
    expect(seen?.body).toBe(`prompt ${of('main')}`);
  });
});

describe('[CR-8] everywhere else it stays what it is', () => {
  const markdown = (): ProxiedCall => ({ headers: JSON_TYPE, body: `{"text":"${of('main')}"}` });
  test.each<[string, () => [string, ProxiedCall]]>([
    [
      'a prompt at a host nobody knows',
      () => ['/v1/messages', { headers: JSON_TYPE, body: `{"prompt":"${of('main')}"}` }],
    ],
    ...['/v1/chat/completions', '/v1/models/m:generateContent', '/model/m/invoke', '/api/chat'].map(
      (path): [string, () => [string, ProxiedCall]] => [
        `a field that its credential names, where a model runs: ${path}`,
        () => [path, { headers: JSON_TYPE, body: `{"auth":{"token":"${of('secret')}"}}` }],
      ],
    ),
    [
      'a field that its credential names, beside messages',
      () => [
        '/any',
        {
          headers: JSON_TYPE,
          body: `{"messages":[{"role":"user","content":"hi"}],"auth":{"token":"${of('secret')}"}}`,
        },
      ],
    ],
    ['GitHub: POST /markdown', () => ['/markdown', markdown()]],
    [
      'GraphQL',
      () => ['/graphql', { headers: JSON_TYPE, body: `{"query":"{a}","variables":{"b":"${of('main')}"}}` }],
    ],
    ['User-Agent', () => ['/', { headers: { 'user-agent': of('main') } }]],
    ['X-Title', () => ['/', { headers: { 'x-title': `say ${of('main')}` } }]],
    ['Referer', () => ['/', { headers: { referer: `https://x.example/${of('main')}` } }]],
    ['the path', () => [`/bot${of('main')}/sendMessage`, {}]],
    ['a parameter of another kind', () => [`/?key=${of('main')}`, {}]],
    ['another parameter', () => [`/?q=${of('key')}`, {}]],
    ['the parameter of the kind with words', () => [`/?key=say+${of('key')}`, {}]],
    ['the header of the kind with words', () => ['/', { headers: { 'x-own': `Key ${of('own')} please` } }]],
    ['a form that no credential names', () => ['/', { headers: FORM, body: `client_secret=${of('main')}` }]],
    ['another field of a form', () => ['/', { headers: FORM, body: `text=${of('secret')}` }]],
    [
      'a form with parts',
      () => [
        '/',
        {
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
          body: `--b\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\n${of('secret')}\r\n--b--\r\n`,
        },
      ],
    ],
    ['text', () => ['/', { headers: { 'content-type': 'text/plain' }, body: of('secret') }]],
    [
      'a body that is streamed',
      () => [
        '/',
        {
          headers: FORM,
          body: `a=${'x'.repeat(LARGE)}&client_secret=${of('secret')}`,
        },
      ],
    ],
  ])('%s', async (_where, make) => {
    const [path, call] = make();
    const answer = await send(path, call);
    expect([answer.status, answer.text]).toEqual([200, 'ok']);
    expect(host.seen[0]?.all).not.toContain(VALUE);
    expect(host.seen[0]?.body).toBe(call.body ?? '');
    expect(host.seen[0]?.all).toContain('sp-placeholder-');
  });

  test('in a cookie, and in an auth header of another kind, it does not even leave', async () => {
    const headers = { cookie: `a=${of('main')}`, 'x-api-key': of('key'), 'private-token': of('own') };
    expect((await send('/', { headers })).status).toBe(200);
    expect(host.seen[0]?.all).not.toMatch(/sp-placeholder-|value-of-main/);
  });

  test('a credential is not named by a placeholder that stands elsewhere', async () => {
    await send('/markdown', { headers: JSON_TYPE, body: `{"text":"${of('main')}"}` });
    const [event] = await reach.eventsOnce('ProxyEvent::RequestAllowed', 1);
    expect(event?.data.credential).toBeNull();
    expect(host.seen[0]?.headers.authorization).toBeUndefined();
  });

  test('[CR-7] and at a host that it is not for, the request is refused', async () => {
    for (const call of [
      { headers: { 'user-agent': of('model') } },
      { headers: FORM, body: `a=${of('model')}` },
    ]) {
      expect((await send('/', call)).error).toMatchObject({ code: 'CredentialNotAllowed' });
    }
    expect(host.seen).toEqual([]);
  });
});

describe('[CR-8] a model that repeats its prompt', () => {
  const prompt = (text: string, more: object = {}) =>
    JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: text }], ...more });
  const infer = (body: string) =>
    proxied(reach, `${model.url}/v1/messages`, {
      ...{ token, body, method: 'POST' },
      headers: { ...JSON_TYPE, 'x-api-key': of('model'), 'anthropic-version': '2023-06-01' },
    });

  test.each<[string, () => string]>([
    ['that holds the placeholder of its own key', () => prompt(`Spell ${of('model')}`)],
    [
      'in a field that the config names, which counts for nothing here',
      () => prompt('x', { system: of('model') }),
    ],
    [
      'with a request that is no plain inference',
      () => prompt('x', { system: of('model'), store: true, background: true }),
    ],
  ])('%s, is logged in and cannot tell the key', async (_how, body) => {
    const answer = await infer(body());
    expect(answer.status).toBe(200);
    const said = answer.text.replaceAll(/\s/g, '');
    expect(said).not.toContain(KEY.replaceAll(/\s/g, ''));
    expect(said).toContain(of('model'));
    expect(model.requests[0]?.headers['x-api-key']).toBe(KEY);
    expect(model.requests[0]?.raw).toBe(body());
  });

  test('may be told what other placeholders the agent has seen: they are only text', async () => {
    const old = `sp-placeholder-${'0'.repeat(40)} sp-ref:main:${'0'.repeat(32)}`;
    const answer = await infer(prompt(`GITHUB_TOKEN=${of('main')} ${old}`));
    expect(answer.status).toBe(200);
    expect(model.requests[0]?.raw).toContain(of('main'));
  });

  test('a reference is not used up by a prompt, nor replaced there', async () => {
    const { session_id: session } = (await reach.gateway.agent('/session', { token })).json<{
      session_id: string;
    }>();
    const made = await reach.gateway.operator('/v1/refs', {
      json: { credential: 'model', host: '127.0.0.1', session },
    });
    const { ref } = made.json<{ ref: string }>();
    const answer = await infer(prompt('x', { system: ref }));
    expect(answer.status).toBe(200);
    expect(model.requests[0]?.raw).toContain(ref);
    const refused = await reach.gateway.operator('/v1/refs', {
      json: { credential: 'main', host: 'localhost', session },
    });
    expect(refused.json<{ error: object }>().error).toMatchObject({ code: 'CredentialNotAllowed' });
  });
});
