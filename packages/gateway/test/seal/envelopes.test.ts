import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { JsonObject } from '@sallyport/protocol';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSigned, nonce, openSealFixture, type SealFixture, type TestWorker } from './seal-fixture.ts';

let fixture: SealFixture;
let worker: TestWorker;

beforeAll(async () => {
  fixture = await openSealFixture();
  worker = await fixture.attached();
  // Long after the start: what is old is then not refused for being from before it.
  fixture.clock.advance(100_000);
});
afterAll(() => fixture[Symbol.asyncDispose]());

const COMMAND: JsonObject = {
  type: 'tool_call',
  tool: 'cmd.run',
  arguments: { command: 'echo', args: ['x'] },
};
const CLAIMS = ['sub', 'scp', 'wid', 'exec_id', 'tenant_id', 'jti', 'aud', 'iss', 'iat', 'exp'];

const claimsOf = (token: string): JsonObject =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JsonObject;
const jwtPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const text = (value: JsonObject): string => JSON.stringify(value);

interface Bad {
  readonly why: string;
  readonly violation: string;
  readonly status?: number;
  readonly event?: string;
  make():
    | Promise<JsonObject | string | Uint8Array<ArrayBuffer>>
    | JsonObject
    | string
    | Uint8Array<ArrayBuffer>;
}

const SIGNATURE = {
  violation: 'SignatureVerificationFailed',
  event: 'SealEvent::SignatureVerificationFailed',
};
const TOKEN = { violation: 'SecurityTokenRefused' };
const EXPIRED = { violation: 'EnvelopeExpired' };
const MALFORMED = { violation: 'EnvelopeMalformed', status: 400 };

const ROWS: readonly Bad[] = [
  ...[101, 20_000].map((levels) => ({
    why: `a payload of ${levels} levels`,
    ...MALFORMED,
    make: () => text(worker.envelope(COMMAND)).replace('["x"]', `${'['.repeat(levels)}${']'.repeat(levels)}`),
  })),
  {
    why: 'a signature with one bit changed',
    ...SIGNATURE,
    make: () => {
      const good = worker.envelope(COMMAND);
      const bytes = Buffer.from(String(good.signature), 'base64url');
      bytes.writeUInt8(bytes.readUInt8(7) ^ 1, 7);
      return { ...good, signature: bytes.toString('base64url') };
    },
  },
  {
    why: 'another key',
    ...SIGNATURE,
    make: () => worker.envelope(COMMAND, {}, generateKeyPairSync('ed25519').privateKey),
  },
  {
    why: 'a payload that was changed after it was signed',
    ...SIGNATURE,
    make: () => {
      const good = worker.envelope(COMMAND);
      return { ...good, payload: { ...(good.payload as JsonObject), tool: 'fs.delete' } };
    },
  },
  {
    why: 'a timestamp that was changed after it was signed',
    ...SIGNATURE,
    make: () => {
      const good = worker.envelope(COMMAND);
      return { ...good, timestamp: new Date(fixture.clock.now() + 5).toISOString() };
    },
  },
  {
    why: 'the token of another worker, with the own key',
    ...SIGNATURE,
    make: async () => worker.envelope(COMMAND, { security_token: (await fixture.attached()).token }),
  },
  {
    why: 'the token of another tenant, with the own key',
    ...SIGNATURE,
    make: async () => {
      const other = await fixture.attached(await fixture.openSession('other'));
      return worker.envelope(COMMAND, { security_token: other.token });
    },
  },
  {
    why: 'claims of its own with another tenant, and the signature of the token left as it was',
    ...TOKEN,
    make: () => {
      const [head, , tail] = worker.token.split('.');
      const claims = jwtPart({ ...claimsOf(worker.token), tenant_id: 'other' });
      return worker.envelope(COMMAND, { security_token: `${head}.${claims}.${tail}` });
    },
  },
  {
    why: 'a token with the algorithm `none`',
    ...TOKEN,
    make: () => {
      const token = `${jwtPart({ alg: 'none', typ: 'JWT' })}.${jwtPart(claimsOf(worker.token))}.`;
      return worker.envelope(COMMAND, { security_token: token });
    },
  },
  {
    why: "a token with HS256 keyed with the gateway's public key",
    ...TOKEN,
    make: async () => {
      const secret = Buffer.from(worker.workload.gateway_public_key, 'base64url');
      const token = await new SignJWT({ ...claimsOf(worker.token) })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(secret);
      return worker.envelope(COMMAND, { security_token: token });
    },
  },
  {
    why: 'a token that somebody else signed with EdDSA',
    ...TOKEN,
    make: async () => {
      const token = await new SignJWT({ ...claimsOf(worker.token) })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
        .sign(generateKeyPairSync('ed25519').privateKey);
      return worker.envelope(COMMAND, { security_token: token });
    },
  },
  {
    why: 'a token that names nobody',
    ...TOKEN,
    make: () => worker.envelope(COMMAND, { security_token: 'not.a.token' }),
  },
  {
    why: 'a clock that is 31 s behind',
    ...EXPIRED,
    make: () => worker.envelope(COMMAND, { timestamp: new Date(fixture.clock.now() - 31_000).toISOString() }),
  },
  {
    why: 'a clock that is 31 s ahead',
    ...EXPIRED,
    make: () => worker.envelope(COMMAND, { timestamp: new Date(fixture.clock.now() + 31_000).toISOString() }),
  },
  {
    why: 'another version of the protocol',
    violation: 'ProtocolNotSupported',
    status: 400,
    make: () => ({ ...worker.envelope(COMMAND), protocol: 'seal/v2' }),
  },
  { why: 'no protocol', ...MALFORMED, make: () => ({ ...worker.envelope(COMMAND), protocol: null }) },
  {
    why: 'a field that the signature does not cover',
    ...MALFORMED,
    make: () => ({ ...worker.envelope(COMMAND), execution_id: 'exec_other' }),
  },
  {
    why: 'a key twice in the envelope',
    ...MALFORMED,
    make: () => text(worker.envelope(COMMAND)).replace('{', '{"protocol":"seal/v1",'),
  },
  {
    why: 'a key twice in the arguments, one of them written with an escape',
    ...MALFORMED,
    make: () =>
      text(worker.envelope(COMMAND)).replace('"command":"echo"', '"comman\\u0064":"rm","command":"echo"'),
  },
  {
    why: 'an integer that no number holds',
    ...MALFORMED,
    make: () => {
      const call = { ...COMMAND, arguments: { command: 'echo', timeout_secs: 7 } };
      return text(worker.envelope(call)).replace('"timeout_secs":7', '"timeout_secs":9007199254740993');
    },
  },
  {
    why: 'half a character',
    ...MALFORMED,
    make: () => text(worker.envelope(COMMAND)).replace('"x"', '"\\ud800"'),
  },
  {
    why: '`__proto__`',
    ...MALFORMED,
    make: () => text(worker.envelope(COMMAND)).replace('"command"', '"__proto__":{},"command"'),
  },
  { why: 'no JSON', ...MALFORMED, make: () => '{"protocol":' },
  { why: 'nothing', ...MALFORMED, make: () => '' },
  { why: 'bytes that are not UTF-8', ...MALFORMED, make: () => new Uint8Array([0x22, 0xff, 0xfe, 0x22]) },
  { why: 'a list', ...MALFORMED, make: () => '[]' },
  { why: 'a message that nobody knows', ...MALFORMED, make: () => worker.envelope({ type: 'shutdown' }) },
  {
    why: 'more fields in the message than it has',
    ...MALFORMED,
    make: () => worker.envelope({ ...COMMAND, as: 'root' }),
  },
  { why: 'no nonce', ...MALFORMED, make: () => worker.envelope({ ...COMMAND, nonce: '' }) },
  {
    why: 'a loop for the gateway to run, which it does not do yet',
    violation: 'Unprocessable',
    make: () => worker.envelope({ type: 'generate', messages: [] }),
  },
  {
    why: '50 MB',
    violation: 'PayloadTooLarge',
    status: 413,
    make: () => new Uint8Array(50 * 1024 * 1024).fill(0x20),
  },
];

describe('[TO-6] an envelope is refused, with the violation and an event, and nothing runs', () => {
  test.each(ROWS)('$why', async ({ violation, status = 403, event = 'SealEvent::EnvelopeRefused', make }) => {
    const bad = await make();
    await fixture.news();
    const { payload, ...answer } = await worker.post(bad);
    expect({ ...answer, payload }).toMatchObject({ status, payload: { type: 'refused', violation } });
    const news = await fixture.news();
    // One event and no other: no call was requested, judged or carried out.
    expect(news).toMatchObject([{ type: event, data: { violation } }]);
  });

  test('twice', async () => {
    const good = worker.envelope(COMMAND);
    expect((await worker.post(good)).payload.type).toBe('dispatch');
    expect(await worker.post(good)).toMatchObject({
      status: 403,
      payload: { violation: 'EnvelopeReplayed', in_reply_to: (good.payload as JsonObject).nonce },
    });
  });

  test('twice with the time between the two as long as it may be', async () => {
    const ahead = new Date(fixture.clock.now() + 29_000).toISOString();
    const good = worker.envelope(COMMAND, { timestamp: ahead });
    expect((await worker.post(good)).payload.type).toBe('dispatch');
    fixture.clock.advance(58_000);
    expect((await worker.post(good)).payload).toMatchObject({ violation: 'EnvelopeReplayed' });
  });

  test('the same nonce with another payload', async () => {
    const same = nonce();
    expect((await worker.post(worker.envelope({ ...COMMAND, nonce: same }))).payload.type).toBe('dispatch');
    const other = worker.envelope({ ...COMMAND, tool: 'fs.read', nonce: same });
    expect((await worker.post(other)).payload).toMatchObject({ violation: 'EnvelopeReplayed' });
  });
});

test('[TO-6] after a restart an envelope of before is refused, also by a worker that attested again', async () => {
  const own = await fixture.attached();
  const sent = own.envelope(COMMAND);
  expect((await own.post(sent)).payload.type).toBe('dispatch');
  const kept = own.envelope(COMMAND);
  await fixture.restart();
  expect((await own.post(sent)).payload).toMatchObject({ violation: 'SecurityTokenRefused' });
  expect((await own.attestAgain()).status).toBe(200);
  expect((await own.post(sent)).payload).toMatchObject({ violation: 'SecurityTokenRefused' });
  // The time of the envelope alone gives it away too: signed anew with the new token, but with a time of before.
  const { timestamp } = kept;
  expect((await own.post(own.envelope(COMMAND, { timestamp: timestamp ?? null }))).payload).toMatchObject({
    violation: 'EnvelopeExpired',
    message: expect.stringContaining('before the gateway started'),
  });
  expect((await own.post(own.envelope(COMMAND))).payload.type).toBe('dispatch');
});

test('[TO-6] a token is good for an hour at most, and not longer than its session', async () => {
  const own = await fixture.attached();
  const claims = claimsOf(own.token);
  expect(Object.keys(claims).sort()).toEqual([...CLAIMS].sort());
  expect(claims).toMatchObject({
    ...{ sub: 'dev', scp: 'build', wid: own.workload.workload_id, exec_id: own.workload.execution_id },
    ...{ tenant_id: 'default', iss: 'sallyport' },
  });
  expect(Number(claims.exp) - Number(claims.iat)).toBeLessThanOrEqual(3_600);
  fixture.clock.advance(Number(claims.exp) * 1000 - fixture.clock.now());
  expect((await own.post(own.envelope(COMMAND))).payload).toMatchObject({
    violation: 'SecurityTokenRefused',
    message: 'the token has expired',
  });
});

test('an envelope of a session that ended is refused', async () => {
  const session = await fixture.openSession();
  const own = await fixture.attached(session);
  await fixture.sessions.end(session.id, 'enough', { kind: 'operator', via: 'test' });
  expect((await own.post(own.envelope(COMMAND))).payload).toMatchObject({
    violation: 'SecurityTokenRefused',
  });
});

test('the key of the gateway is its own alone', () => {
  expect(readFileSync(fixture.keyFile, 'utf8')).toContain('BEGIN PRIVATE KEY');
});

test('an answer is signed, and says what it answers', async () => {
  const own = await fixture.attached();
  const sent = own.envelope({ ...COMMAND, tool: 'no.such' });
  const { answer } = await own.post(sent);
  expect(answer.payload.in_reply_to).toBe((sent.payload as JsonObject).nonce);
  expect(isSigned(own.workload.gateway_public_key, answer)).toBe(true);
  const other = { ...answer, payload: { ...answer.payload, in_reply_to: nonce() } };
  expect(isSigned(own.workload.gateway_public_key, other)).toBe(false);
});
