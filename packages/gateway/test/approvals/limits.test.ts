import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHttp, QUESTION } from './http-fixture.ts';

let http: Awaited<ReturnType<typeof openHttp>>;
beforeAll(async () => {
  http = await openHttp();
});
afterAll(() => http[Symbol.asyncDispose]());

const create = (over: object, headers: Record<string, string> = {}) =>
  http.agent('/v1/approvals', { json: { ...QUESTION, ...over }, headers });
const MIB = 1024 * 1024;

describe('limits of a question', () => {
  test.each([
    { over: { expires_in_sec: 1 }, status: 201, why: 'the shortest time' },
    { over: { expires_in_sec: 604_800 }, status: 201, why: 'the longest time' },
    { over: { expires_in_sec: 0 }, status: 400, why: 'no time' },
    { over: { expires_in_sec: 604_801 }, status: 400, why: 'more than a week' },
    { over: { expires_in_sec: 1.5 }, status: 400, why: 'half a second' },
    { over: { expires_in_sec: '600' }, status: 400, why: 'a text' },
    { over: { title: 'x'.repeat(200) }, status: 201, why: 'the longest title' },
    { over: { title: 'x'.repeat(201) }, status: 400, why: 'a longer title' },
    { over: { title: '' }, status: 400, why: 'no title' },
    { over: { preview: '' }, status: 400, why: 'no preview' },
    { over: { preview: 'x'.repeat(MIB) }, status: 201, why: 'a preview of 1 MiB' },
    { over: { preview: '\u0001'.repeat(MIB) }, status: 201, why: 'one that JSON makes six times as long' },
    { over: { preview: 'x'.repeat(MIB + 1) }, status: 400, why: 'a longer preview' },
    { over: { preview: 'é'.repeat(MIB / 2 + 1) }, status: 400, why: 'bytes count, not characters' },
    { over: { preview: 'x'.repeat(8 * MIB) }, status: 413, why: 'a body without end' },
    { over: { session_id: 'x'.repeat(200) }, status: 201, why: 'the longest session' },
    { over: { session_id: 'x'.repeat(201) }, status: 400, why: 'a longer session' },
    { over: { session_id: '' }, status: 400, why: 'no session' },
    { over: { action_type: 'custom:my_tool' }, status: 201, why: 'a custom type' },
    { over: { action_type: 'vcs:push' }, status: 201, why: 'a leaf type' },
    { over: { action_type: 'billing:refund' }, status: 201, why: 'a registered type of another category' },
    { over: { action_type: 'billing:charge' }, status: 400, why: 'one of that category that is not' },
    { over: { action_type: 'vcs:made_up' }, status: 400, why: 'one of a built-in category that is not' },
    { over: { action_type: 'made_up' }, status: 400, why: 'an unknown type' },
    { over: { action_type: 'custom:' }, status: 400, why: 'a custom type without a name' },
    { over: { decision: { code: '1' } }, status: 400, why: 'an answer of its own' },
    { over: { client_id: 'x' }, status: 400, why: 'somebody else’s name' },
  ])('$why: $status', async ({ over, status }) => {
    expect((await create(over)).status).toBe(status);
  });

  test('an hour when nothing is said', async () => {
    const { expires_in_sec: _time, ...rest } = QUESTION;
    const answer = await http.agent('/v1/approvals', { json: rest });
    const { expires_at } = answer.json<{ expires_at: number }>();
    expect(expires_at).toBe(Math.floor((http.clock.now() + 3_600_000) / 1000));
  });

  test.each(['wait=61', 'wait=-1', 'wait=x'])('?%s is refused', async (query) => {
    expect((await http.agent(`/v1/approvals/appr_1?${query}`)).status).toBe(400);
  });
});

describe('Idempotency-Key', () => {
  test('brings the same question back, and refuses another request', async () => {
    const key = { 'idempotency-key': 'run-1' };
    const first = await create({}, key);
    const again = await create({}, key);
    expect(again.status).toBe(201);
    expect(again.json()).toEqual(first.json());
    expect((await create({ title: 'other' }, key)).status).toBe(409);
    expect((await create({}, { 'idempotency-key': 'run-2' })).json()).not.toEqual(first.json());
    const foreign = await http.agent('/v1/approvals', {
      json: QUESTION,
      headers: key,
      token: await http.newKey(),
    });
    expect(foreign.json()).not.toEqual(first.json());
  });

  test('sent many times at once makes one question', async () => {
    const key = { 'idempotency-key': 'at-once' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ title: 'once' }, key)));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });

  test.each(['', 'x'.repeat(201), 'a b'])('`%s` is no key', async (key) => {
    expect((await create({}, { 'idempotency-key': key })).status).toBe(400);
  });
});
