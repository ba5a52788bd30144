import type { AuditEvent, GrantWire } from '@sallyport/protocol';
import { type TestGateway, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decide, pendingQuestion } from '../mcp-door/decide.ts';
import { startDoor } from '../mcp-door/door-fixture.ts';
import { type CallResult, McpTestClient, textOf } from '../mcp-door/mcp-client.ts';

let gateway: TestGateway;
let client: McpTestClient;
beforeAll(async () => {
  gateway = await startDoor({
    exceptions: [],
    permissions: ['deny:http(DELETE api.example.com/**)', 'allow:*'],
    more: 'network: { default: allow }',
  });
  client = await McpTestClient.open(gateway);
});
afterAll(() => gateway.close());

const ECHO = { operation: 'mcp:fix/echo', object: 'fix' };
const POST = { operation: 'POST /v1/items/{}', object: 'api.example.com/v1/items' };
const DELETE = { operation: 'DELETE /v1/items/{}', object: 'api.example.com/v1/items' };
const CRITICAL = { operation: 'github:repos/delete', object: 'github.com/acme/app' };
const READ = { operation: 'read', object: 'api.example.com' };

const ask = (wants: readonly object[], purpose = 'try it', as = client): Promise<CallResult> =>
  as.call('request_access', { purpose, wants });
const grants = async (): Promise<readonly GrantWire[]> =>
  (await gateway.operator('/v1/grants')).json<{ items: GrantWire[] }>().items;
const noQuestion = async () =>
  expect((await gateway.operator('/v1/approvals?status=pending')).json()).toMatchObject({ items: [] });

describe('a whole task', () => {
  test('is one question with every line in our words, and a yes leaves a grant for each', async () => {
    const asked = ask([{ ...ECHO, count: 2 }, POST, DELETE, CRITICAL, READ], 'Tidy up\nthe items');
    const question = await pendingQuestion(gateway);
    expect(question.preview).toMatchInlineSnapshot(`
      "A yes leaves one standing answer for each of these lines, until the session ends:
      1. \`mcp:fix/echo\` on fix (nobody knows what it does), by \`dev\`, in this session, 2 times at most
      2. \`POST /v1/items/{}\` on api.example.com/v1/items, by \`dev\`, at risk high or lower, in this session

      Struck out, the policy denies it:
      - \`DELETE /v1/items/{}\` on api.example.com/v1/items: rule \`deny:http(DELETE api.example.com/**)\` denies this

      Left out, it is asked about each time:
      - \`github:repos/delete\` on github.com/acme/app: it is of the highest risk

      Needs no yes:
      - \`read\` on api.example.com

      What for, in the agent's own words: "Tidy up the items""
    `);
    await decide(gateway, question.id, { code: '1' });
    const result = await asked;
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toMatchInlineSnapshot(`
      "Granted for this session:
      - \`mcp:fix/echo\` on fix, 2 times at most
      - \`POST /v1/items/{}\` on api.example.com/v1/items

      Struck out, the policy denies it:
      - \`DELETE /v1/items/{}\` on api.example.com/v1/items: rule \`deny:http(DELETE api.example.com/**)\` denies this

      Left out, a person is asked each time you do it:
      - \`github:repos/delete\` on github.com/acme/app: it is of the highest risk

      Needs no consent:
      - \`read\` on api.example.com"
    `);
    expect((await grants()).map(({ covers, scope, created_by: by }) => ({ covers, scope, by }))).toEqual([
      {
        covers:
          '`POST /v1/items/{}` on api.example.com/v1/items, by `dev`, at risk high or lower, in this session',
        scope: 'session',
        by: 'operator',
      },
      {
        covers:
          '`mcp:fix/echo` on fix (nobody knows what it does), by `dev`, in this session, 2 times at most',
        scope: 'session',
        by: 'operator',
      },
    ]);
  });

  test('the grants hold for so many uses, and in that session only', async () => {
    const other = await McpTestClient.open(gateway);
    const elsewhere = other.call('fix/echo', { message: 'other' });
    await decide(gateway, (await pendingQuestion(gateway)).id, { code: '3' });
    expect((await elsewhere).isError).toBe(true);
    for (const message of ['one', 'two'])
      expect(textOf(await client.call('fix/echo', { message }))).toBe(`Echo: ${message}`);
    const third = client.call('fix/echo', { message: 'three' });
    await decide(gateway, (await pendingQuestion(gateway)).id, { code: '3' });
    expect((await third).isError).toBe(true);
  });

  test('is in the trail: the question, who answered, the grants', async () => {
    const events = await waitFor('the grants in the trail', async () => {
      const { items } = (await gateway.operator('/v1/audit/events?limit=200')).json<{
        items: AuditEvent[];
      }>();
      expect(items.filter(({ type }) => type === 'GrantEvent::Created')).toHaveLength(2);
      return items;
    });
    const judged = events.find(
      ({ type, data }) => type === 'ActionEvent::Judged' && data.tool === 'request_access',
    );
    expect(judged?.data).toMatchObject({ type: 'custom:access' });
  });

  test('a no leaves nothing', async () => {
    const before = (await grants()).length;
    const asked = ask([POST]);
    await decide(gateway, (await pendingQuestion(gateway)).id, { code: '3' });
    expect(textOf(await asked)).toContain('ApprovalDenied');
    expect(await grants()).toHaveLength(before);
  });

  test('[GA-17] has no standing answer of its own, no replacement, and no rule that allows it', async () => {
    const asked = ask([POST]);
    const { id } = await pendingQuestion(gateway);
    const detail = await gateway.operator(`/v1/approvals/${id}`);
    expect(detail.json()).toMatchObject({ covers: { session: null, minutes: null, always: null } });
    expect(detail.json<{ choices: object[] }>().choices).not.toContainEqual(
      expect.objectContaining({ code: '5' }),
    );
    for (const decision of [
      { code: '2' },
      { code: '6' },
      { code: '1', minutes: 5 },
      { code: '5', text: '{}' },
      { code: '3', always: true },
    ])
      await expect(decide(gateway, id, decision)).rejects.toThrow();
    await decide(gateway, id, { code: '3' });
    await asked;
  });
});

describe('[GA-17] nobody is asked in vain', () => {
  test.each([
    {
      why: 'an operation that nobody knows',
      wants: [{ operation: 'github:issues/create-coment', object: 'github.com/a/b' }],
      says: 'did you mean `issues/create-comment`?',
    },
    {
      why: 'a tool that nobody has',
      wants: [{ operation: 'mcp:fix/ecco', object: 'fix' }],
      says: 'mcp:fix/echo',
    },
    {
      why: 'an object of another kind',
      wants: [{ operation: 'github:issues/create', object: 'github.com' }],
      says: 'the object is not one',
    },
    {
      why: 'words of no form',
      wants: [{ operation: 'everything', object: '' }],
      says: 'there are `read` on a host',
    },
    { why: 'a wildcard', wants: [{ ...POST, object: 'api.example.com/*' }], says: 'a wildcard is not taken' },
    { why: 'two lines in one', wants: [{ ...POST, object: 'a\nb' }], says: 'must be one line' },
    { why: 'the same twice', wants: [POST, POST], says: 'is there twice' },
    { why: 'far too many', wants: Array.from({ length: 10_000 }, () => POST), says: 'at most 20 lines' },
    { why: 'none', wants: [], says: 'wants' },
    { why: 'more than was asked for', wants: [{ ...POST, covers: { kind: 'reads' } }], says: 'wants' },
    { why: 'what the policy denies', wants: [DELETE], says: 'there is nothing to ask people for' },
    { why: 'what is asked each time', wants: [CRITICAL], says: 'there is nothing to ask people for' },
    { why: 'what is free', wants: [READ], says: 'needs no consent' },
  ])('$why', async ({ wants, says }) => {
    const result = await ask(wants);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(says);
    expect(textOf(result).length).toBeLessThan(2_000);
    await noQuestion();
  });

  test('control characters in the purpose are shown, and write no line of ours', async () => {
    const asked = ask([POST], 'x\u001b[2J\u202e\n1. `everything`');
    const { id, preview } = await pendingQuestion(gateway);
    for (const hidden of ['\u001b', '\u202e']) expect(preview).not.toContain(hidden);
    expect(preview.split('\n').filter((line) => line.startsWith('1. '))).toHaveLength(1);
    await decide(gateway, id, { code: '3' });
    await asked;
  });

  test('what an agent adds to its input makes no grant', async () => {
    const result = await client.call('request_access', {
      purpose: 'x',
      wants: [POST],
      grants: [{ covers: { kind: 'reads' } }],
    });
    expect(result.isError).toBe(true);
    await noQuestion();
  });
});

describe('without MCP', () => {
  const post = async (json: object, token = client.token) => gateway.agent('/v1/access', { token, json });

  test('the same by one request, which waits for people', async () => {
    const asked = post({ purpose: 'x', wants: [{ ...POST, count: 1 }, DELETE] });
    await decide(gateway, (await pendingQuestion(gateway)).id, { code: '4', text: 'with care' });
    const answer = await asked;
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      lines: [
        { ...POST, count: 1, status: 'granted' },
        { ...DELETE, status: 'denied' },
      ],
      note: 'with care',
    });
    expect((await grants()).filter(({ covers }) => covers.endsWith('once at most'))).toHaveLength(1);
  });

  test('a no, and what cannot be asked for, are errors with a reason', async () => {
    const asked = post({ purpose: 'x', wants: [POST] });
    await decide(gateway, (await pendingQuestion(gateway)).id, { code: '3' });
    expect(await asked).toMatchObject({ status: 403 });
    expect(await post({ purpose: 'x', wants: [] })).toMatchObject({ status: 422 });
    expect((await gateway.agent('/v1/access', { json: { purpose: 'x', wants: [POST] } })).status).toBe(401);
  });

  test('whoever leaves withdraws the question', async () => {
    const leaving = new AbortController();
    const asked = fetch(`${gateway.urls.api}/v1/access`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ purpose: 'x', wants: [POST] }),
      signal: leaving.signal,
    }).catch(() => 'left');
    await pendingQuestion(gateway);
    leaving.abort();
    expect(await asked).toBe('left');
    await waitFor('no question', noQuestion);
  });
});

test('agents are told of it: in the list of tools and in the words of the door', async () => {
  const { answer } = await client.request('tools/list', {});
  expect(answer.result?.tools).toContainEqual(expect.objectContaining({ name: 'request_access' }));
});
