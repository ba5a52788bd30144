import { type TestGateway, waitFor } from '@sallyport/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { decide, eventsOf, pendingQuestion } from './decide.ts';
import { type DoorConfig, startDoor } from './door-fixture.ts';
import { McpTestClient, messagesOf, textOf } from './mcp-client.ts';

let gateway: TestGateway;
afterEach(() => gateway.close());

async function open(
  config: DoorConfig = {},
  path = '/mcp',
  capabilities: object = {},
): Promise<McpTestClient> {
  gateway = await startDoor(config);
  return McpTestClient.open(gateway, path, capabilities);
}

const ASKING: DoorConfig = { permissions: ['ask:mcp:fix/echo', 'allow:*'] };
const said = async (answer: Promise<{ readonly answer: { readonly result?: unknown } }>) =>
  (await answer).answer.result;

test('an allowed call runs, and the trail has its request, its verdict and its end', async () => {
  const client = await open();
  const result = await client.call('fix/echo', { message: 'hello' });
  expect(result).toEqual({ content: [{ type: 'text', text: 'Echo: hello' }] });
  const types = await waitFor('three events of the call', async () => {
    const found = (await eventsOf(gateway, 'mcp:fix/echo')).map(({ type }) => type);
    expect(found).toHaveLength(3);
    return found;
  });
  expect(types).toEqual([
    'MCPToolEvent::InvocationRequested',
    'ActionEvent::Judged',
    'MCPToolEvent::InvocationCompleted',
  ]);
});

test('[TR-4] the event of a read that is allowed at once tells of its request, too', async () => {
  const client = await open({ more: '    reads: ["echo"]' });
  await client.call('fix/echo', { message: 'hello' });
  // The end of a call that takes its time is an event of its own.
  const events = await waitFor('the end of the call in the trail', async () => {
    const found = await eventsOf(gateway, 'mcp:fix/echo');
    expect(found.at(-1)?.type).toBe('MCPToolEvent::InvocationCompleted');
    return found;
  });
  expect(events.map(({ type }) => type)).not.toContain('MCPToolEvent::InvocationRequested');
  const also = [{ type: 'MCPToolEvent::InvocationRequested', door: 'mcp', tool: 'mcp:fix/echo' }];
  expect(events[0]).toMatchObject({ data: { judged: 'allow', also } });
  const requests = await gateway.operator('/v1/audit/events?type=MCPToolEvent::InvocationRequested');
  expect(requests.json<{ items: unknown[] }>().items).toEqual([
    expect.objectContaining({ data: expect.objectContaining({ judged: 'allow' }) }),
  ]);
});

test.each(['fix/echo', 'mcp:fix/echo', 'mcp__fix__echo'])(
  'a tool may be called by the name %s',
  async (name) => {
    const client = await open();
    expect(textOf(await client.call(name, { message: 'a' }))).toBe('Echo: a');
  },
);

test('names for models are plain, and each stands for its own tool', async () => {
  const client = await open({}, '/mcp?names=plain');
  const names = await client.names();
  expect(names).toContain('fix__echo');
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(textOf(await client.call('fix__echo', { message: 'a' }))).toBe('Echo: a');
});

describe('[TO-1] a tool that the agent may not use is neither listed nor callable', () => {
  const HIDDEN: readonly { agent: string; code: string; why: string }[] = [
    { agent: '    tools: ["mcp:fix/whoami"]', code: 'ToolNotAllowed', why: 'it is not among its tools' },
    {
      agent: '    disallowed_tools: ["mcp:fix/echo"]',
      code: 'ToolExplicitlyDenied',
      why: 'it is denied by name',
    },
    { agent: '    tools: []', code: 'ToolNotAllowed', why: 'an empty list means none' },
  ];
  test.each(HIDDEN)('because $why', async ({ agent, code }) => {
    const client = await open({ agent });
    expect(await client.names()).not.toContain('fix/echo');
    const own = new McpTestClient(gateway, client.token, '/mcp/fix');
    await own.initialize();
    expect(await own.names()).not.toContain('echo');
    for (const [caller, name] of [
      [client, 'fix/echo'],
      [client, 'mcp__fix__echo'],
      [own, 'echo'],
    ] as const) {
      const result = await caller.call(name, { message: 'a' });
      expect(result).toMatchObject({ isError: true, structuredContent: { code } });
      expect(textOf(result)).not.toContain('Echo');
    }
  });

  test('resources and prompts of a server that it may not see are not there either', async () => {
    const client = await open({ agent: '    tools: ["mcp:fix/echo"]' }, '/mcp/fix');
    expect(await said(client.request('resources/list'))).toEqual({ resources: [] });
    expect(await said(client.request('prompts/list'))).toEqual({ prompts: [] });
    const read = await client.request('resources/read', { uri: 'test://static-text' });
    expect(read.answer.error).toMatchObject({ data: { code: 'ToolNotAllowed' } });
  });
});

test('a denied call says why in words, and with a code', async () => {
  const client = await open({ permissions: ['deny:mcp:fix/echo', 'allow:*'] });
  const result = await client.call('fix/echo', { message: 'a' });
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { code: 'RuleDenied', rule: 'deny:mcp:fix/echo' },
  });
  expect(textOf(result)).toMatch(/^RuleDenied: /);
  const [, refused] = await eventsOf(gateway, 'mcp:fix/echo');
  expect(refused).toMatchObject({
    type: 'MCPToolEvent::ToolPolicyViolation',
    data: { violation: 'RuleDenied' },
  });
});

test('reading a resource is an action: a rule that denies it is obeyed', async () => {
  const client = await open({ permissions: ['deny:mcp:fix/resources/read', 'allow:*'] }, '/mcp/fix');
  const { answer } = await client.request('resources/read', { uri: 'test://static-text' });
  expect(answer.error).toMatchObject({ data: { code: 'RuleDenied' } });
  const prompt = await client.request('prompts/get', { name: 'test_simple_prompt' });
  expect(prompt.answer.result).toMatchObject({ messages: [{ role: 'user' }] });
});

describe('a call that asks people', () => {
  test('waits for their yes, and tells a client that wants to know that it waits', async () => {
    const client = await open(ASKING);
    const told: unknown[] = [];
    const answered = client.request(
      'tools/call',
      { name: 'fix/echo', arguments: { message: 'a' }, _meta: { progressToken: 't1' } },
      ({ method, params }) => told.push([method, params?.progressToken]),
    );
    const { id, preview } = await pendingQuestion(gateway);
    expect(preview).toContain('message: a');
    await waitFor('news of the progress', () =>
      expect(told).toContainEqual(['notifications/progress', 't1']),
    );
    await decide(gateway, id, { code: '4', text: 'go on' });
    const { answer, type } = await answered;
    expect(type).toContain('text/event-stream');
    expect(answer.result).toMatchObject({
      content: [{ text: 'Echo: a' }, { text: expect.stringContaining('go on') }],
    });
  });

  test('is an error with their no', async () => {
    const client = await open(ASKING);
    const result = client.call('fix/echo', { message: 'a' });
    const { id } = await pendingQuestion(gateway);
    await decide(gateway, id, { code: '3' });
    expect(await result).toMatchObject({
      isError: true,
      structuredContent: { code: 'ApprovalDenied', approval_id: id },
    });
    expect(textOf(await result)).toContain('said no');
  });

  test('[AP-1] runs with the input that a person wrote in its place, and with nothing else', async () => {
    const client = await open(ASKING);
    const result = client.call('fix/echo', { message: 'rm -rf' });
    const { id } = await pendingQuestion(gateway);
    const broken = await gateway.operator(`/v1/approvals/${id}/decision`, {
      json: { code: '5', text: 'not an input' },
    });
    expect(broken.status).toBeGreaterThanOrEqual(400);
    await decide(gateway, id, { code: '5', text: '{"message":"ls"}' });
    expect(textOf(await result)).toBe('Echo: ls');
  });

  test('is withdrawn when its client cancels', async () => {
    const client = await open(ASKING);
    const params = { name: 'fix/echo', arguments: { message: 'a' } };
    const response = client.post({ jsonrpc: '2.0', id: 'mine', method: 'tools/call', params });
    const { id } = await pendingQuestion(gateway);
    await client.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'mine' } });
    const heard = [];
    for await (const message of messagesOf(await response)) heard.push(message);
    expect(heard.filter((message) => message.id === 'mine')).toEqual([]);
    await waitFor('the question to be cancelled', async () => {
      const answer = await gateway.operator(`/v1/approvals/${id}`);
      expect(answer.json()).toMatchObject({ status: 'cancelled' });
    });
  });

  test('of a client that cannot wait is answered with an approval_id; wait_for_approval has the result', async () => {
    const client = await open({ ...ASKING, more: 'mcp: { wait: 100ms }' });
    const pending = await client.call('fix/echo', { message: 'a' });
    const { approval_id: id } = pending.structuredContent as { approval_id: string };
    expect(pending).toMatchObject({ isError: true, structuredContent: { code: 'ApprovalPending' } });
    expect(textOf(pending)).toContain('wait_for_approval');
    expect((await pendingQuestion(gateway)).id).toBe(id);
    const stranger = await McpTestClient.open(gateway);
    expect(await stranger.call('wait_for_approval', { approval_id: id })).toMatchObject({
      structuredContent: { code: 'NotFound' },
    });
    expect(await client.call('wait_for_approval', { approval_id: id })).toMatchObject({
      structuredContent: { code: 'ApprovalPending', approval_id: id },
    });
    await decide(gateway, id, { code: '1' });
    const result = await waitFor('the result of what was approved', async () => {
      const fetched = await client.call('wait_for_approval', { approval_id: id });
      expect(fetched.structuredContent?.code).not.toBe('ApprovalPending');
      return fetched;
    });
    expect(textOf(result)).toBe('Echo: a');
    expect(await client.call('wait_for_approval', { approval_id: id })).toMatchObject({
      structuredContent: { code: 'NotFound' },
    });
  });

  test('that was parked ends with its session, and never runs', async () => {
    const client = await open({ ...ASKING, more: 'mcp: { wait: 100ms }' });
    const pending = await client.call('fix/echo', { message: 'a' });
    const { approval_id: id } = pending.structuredContent as { approval_id: string };
    await fetch(`${gateway.urls.api}/session`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${client.token}` },
    });
    await waitFor('the question to be cancelled', async () => {
      expect((await gateway.operator(`/v1/approvals/${id}`)).json()).toMatchObject({ status: 'cancelled' });
    });
    const types = (await eventsOf(gateway, 'mcp:fix/echo')).map(({ type }) => type);
    expect(types).not.toContain('MCPToolEvent::InvocationCompleted');
  });
});

test('a server asks the model and the user of its client through the door', async () => {
  const client = await open({}, '/mcp', { sampling: {}, elicitation: {}, roots: {} });
  client.onRequest = ({ method }) =>
    method === 'sampling/createMessage'
      ? { role: 'assistant', model: 'm', content: { type: 'text', text: 'forty-two' } }
      : { action: 'accept', content: { username: 'ana' } };
  expect(textOf(await client.call('fix/test_sampling', { prompt: 'what?' }))).toBe('LLM response: forty-two');
  expect(textOf(await client.call('fix/test_elicitation', { message: 'who?' }))).toContain(
    '"username":"ana"',
  );
});

test('a server that asks a client which declared nothing is told so', async () => {
  const client = await open({}, '/mcp/fix');
  const { answer } = await client.request('tools/call', {
    name: 'test_sampling',
    arguments: { prompt: 'what?' },
  });
  expect(answer.error?.message).toContain('the client refused');
});

test('a cancelled call is cancelled at its server, which takes the next one', async () => {
  const client = await open({}, '/mcp/fix');
  const left = new AbortController();
  const hanging = client.post(
    { jsonrpc: '2.0', id: 'h', method: 'tools/call', params: { name: 'hang', arguments: {} } },
    { signal: left.signal },
  );
  await waitFor('the verdict in the trail', async () => {
    const events = await eventsOf(gateway, 'mcp:fix/hang');
    expect(events.map(({ type }) => type)).toContain('ActionEvent::Judged');
  });
  left.abort();
  await expect(hanging).rejects.toThrow();
  await waitFor('the trail to say that the caller left', async () => {
    const events = await eventsOf(gateway, 'mcp:fix/hang');
    expect(events.at(-1)).toMatchObject({
      type: 'MCPToolEvent::InvocationFailed',
      data: { error: 'CallerLeft' },
    });
  });
  expect(textOf(await client.call('echo', { message: 'still here' }))).toBe('Echo: still here');
});
