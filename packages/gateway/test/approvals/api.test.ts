import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openHttp, QUESTION } from './http-fixture.ts';

let http: Awaited<ReturnType<typeof openHttp>>;
beforeEach(async () => {
  http = await openHttp();
});
afterEach(() => http[Symbol.asyncDispose]());

const create = async (over: object = {}, call: object = {}) =>
  http.agent('/v1/approvals', { json: { ...QUESTION, ...over }, ...call });
const idOf = async (over: object = {}) => (await create(over)).json<{ approval_id: string }>().approval_id;
const decide = (id: string, json: object) => http.operator(`/v1/approvals/${id}/decision`, { json });
const state = async (id: string) => (await http.agent(`/v1/approvals/${id}`)).json();

describe('create, decide, look', () => {
  test('a new question is pending, with the bodies of the source', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    const created = answer.json<{ approval_id: string }>();
    const expires_at = Math.floor((http.clock.now() + 600_000) / 1000);
    expect(created).toEqual({
      approval_id: expect.stringMatching(/^appr_[0-9a-z]{26}$/),
      status: 'pending',
      auto: false,
      expires_at,
    });
    expect(await state(created.approval_id)).toEqual({ status: 'pending', expires_at });
  });

  test.each([
    [{ code: '1' }, 'approved', { code: '1', note: null, override: null }],
    [{ code: '2' }, 'approved', { code: '2', note: null, override: null }],
    [{ code: '3' }, 'denied', { code: '3', note: null, override: null }],
    [{ code: '4', text: 'add logs' }, 'approved', { code: '4', note: 'add logs', override: null }],
    [{ code: '5', text: 'npm test' }, 'approved', { code: '5', note: null, override: 'npm test' }],
    [{ code: '6' }, 'approved', { code: '6', note: null, override: null }],
  ])('decision %j becomes %s', async (decision, status, shown) => {
    const id = await idOf();
    const answer = await decide(id, decision);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ outcome: 'decided', missing: 0, approval: { id, status } });
    expect(await state(id)).toEqual({
      status,
      decision: shown,
      session_id: 'sess_123',
      action_type: 'exec_cmd',
    });
  });
});
