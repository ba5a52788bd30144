import type { ApprovalDetail, HookAnswer } from '@sallyport/protocol';
import { startTestGateway, type TestGateway, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const CONFIG = `
tenants:
  default:
    default_user: tester
    default_agent: dev
    users: { tester: { roles: [owner], identities: { terminal: tester } } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents:
  dev:
    permissions: ["deny:Bash(rm *)", "ask:Bash(touch *)", "allow:*"]
`;

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway({ config: CONFIG });
  token = (await gateway.openSession(undefined, '/tmp')).session_token;
});
afterAll(() => gateway.close());

let calls = 0;
const call = (command: string): Record<string, unknown> => ({
  ...{ hook_event_name: 'PreToolUse', session_id: 's1', turn_id: 't1', tool_use_id: `call_${++calls}` },
  ...{ cwd: '/tmp', tool_name: 'Bash', tool_input: { command } },
});

/** What the hook says. */
async function ask(event: object, more: object = {}, as = token): Promise<HookAnswer> {
  const json = { event, home: '/home/ana', ...more };
  return (await gateway.agent('/v1/hooks/codex', { token: as, json })).json<HookAnswer>();
}

const rpc = (message: object) =>
  gateway.agent('/v1/hooks/codex/mcp', { json: { jsonrpc: '2.0', id: 1, ...message } });

/** What Codex hears by itself: null is no objection. */
async function witness(event: object, within = '1'): Promise<unknown> {
  const params = { name: 'told', arguments: { ...event, within_seconds: within } };
  const answer = await rpc({ method: 'tools/call', params });
  expect(answer.status, answer.text).toBe(200);
  const { content } = answer.json<{ result: { content: { text: string }[] } }>().result;
  return content[0] === undefined ? null : JSON.parse(content[0].text);
}

const no = (text: string) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining(text),
  },
});
const SILENT = no('the hook did not ask about this call');

async function decide(about: string, decision: object): Promise<void> {
  const question = await waitUntil(`a question about ${about}`, async () =>
    (await gateway.operator('/v1/approvals?status=pending'))
      .json<{ items: ApprovalDetail[] }>()
      .items.find(({ preview }) => preview.includes(about)),
  );
  await gateway.operator(`/v1/approvals/${question.id}/decision`, { json: decision });
}

describe('a client that asks by itself what its hook was told', () => {
  test('hears the same, whoever comes first', async () => {
    for (const [command, output] of [
      ['ls', null],
      ['rm x', no('RuleDenied')],
    ] as const) {
      const late = call(command);
      expect((await ask(late)).output).toEqual(output);
      expect(await witness(late)).toEqual(output);
      const early = call(command);
      const hearing = witness(early, '20');
      await new Promise((resolve) => setTimeout(resolve, 50));
      await ask(early);
      expect(await hearing).toEqual(output);
    }
  });

  test('waits for people with it, takes their change, and leaves their note to the hook', async () => {
    const changed = call('touch a');
    const both = Promise.all([ask(changed, { wait_seconds: 30 }), witness(changed, '20')]);
    await decide('touch a', { code: '5', text: 'touch b' });
    const [{ output }, heard] = await both;
    expect(output).toMatchObject({ hookSpecificOutput: { updatedInput: { command: 'touch b' } } });
    expect(heard).toEqual(output);
    const noted = call('touch c');
    const two = Promise.all([ask(noted, { wait_seconds: 30 }), witness(noted, '20')]);
    await decide('touch c', { code: '4', text: 'mind the date' });
    const [told, said] = await two;
    expect(JSON.stringify(told.output)).toContain('mind the date');
    expect(said).toBeNull();
  });

  test('[TO-8] hears a no when no hook asked about this very call, and once is enough', async () => {
    const asked = call('ls');
    await ask(asked);
    for (const other of [
      { tool_input: { command: 'ls -a' } },
      { tool_use_id: 'call_x' },
      { session_id: 's2' },
      { turn_id: 't2' },
      { tool_name: 'Read' },
      { cwd: '/etc' },
      { hook_event_name: 'PermissionRequest' },
      { tool_use_id: undefined },
      { tool_use_id: 7 },
      { tool_input: { command: '\ud800' } },
    ])
      expect(await witness({ ...asked, ...other }), JSON.stringify(other)).toEqual(SILENT);
    expect(await witness(asked)).toBeNull();
    expect(await witness(asked)).toEqual(SILENT);
  });

  test('[TO-8] hears nothing of what was said at another event: its form is none that counts here', async () => {
    const event = call('rm y');
    await ask({ ...event, hook_event_name: 'PermissionRequest' });
    expect(await witness(event)).toEqual(SILENT);
  });

  test('[TO-8] hears a no when the hook hung up before its answer', async () => {
    const event = call('touch d');
    const hearing = witness(event, '20');
    const hook = new AbortController();
    const asking = fetch(`${gateway.urls.api}/v1/hooks/codex`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ event, home: '/', wait_seconds: 30 }),
      signal: hook.signal,
    }).catch(() => undefined);
    await waitUntil(
      'the question',
      async () => (await gateway.operator('/v1/approvals?status=pending')).text.includes('touch d'),
      { unless: asking },
    );
    hook.abort();
    await asking;
    expect(await hearing).toEqual(no('ApprovalCancelled'));
  });

  test('[ID-1] hears nothing of a jail that it is not in, and nothing of other clients', async () => {
    const opened = await gateway.operator('/v1/sessions', {
      json: { tenant: 'default', agent: 'dev', user: 'tester', confinement: 'jailed' },
    });
    const event = call('ls');
    await ask(event, {}, opened.json<{ session_token: string }>().session_token);
    expect(await witness(event)).toEqual(SILENT);
    const json = { event, home: '/' };
    await gateway.agent('/v1/hooks/claude-code', { token, json });
    expect(await witness(event)).toEqual(SILENT);
  });

  test('speaks MCP, and shows models no tool', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} };
    expect((await rpc({ method: 'initialize', params })).json()).toMatchObject({
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} } },
    });
    expect((await rpc({ method: 'tools/list' })).json()).toMatchObject({ result: { tools: [] } });
    expect((await rpc({ method: 'ping' })).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    const told = await rpc({ id: undefined, method: 'notifications/initialized' });
    expect({ status: told.status, text: told.text }).toEqual({ status: 202, text: '' });
    for (const message of [
      { method: 'tools/call', params: { name: 'other', arguments: {} } },
      { method: 'tools/call', params: { name: 'told' } },
      { method: 'resources/list' },
      { method: 'ping', params: [] },
      { jsonrpc: '1.0', method: 'ping' },
    ])
      expect((await rpc(message)).json(), JSON.stringify(message)).toHaveProperty('error');
    expect((await gateway.agent('/v1/hooks/codex/mcp')).status).toBe(405);
  });
});
