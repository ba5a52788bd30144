import type { AuditEvent, HookAnswer } from '@sallyport/protocol';
import { startTestGateway, type TempDir, type TestGateway, tempDir } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** An agent about whose tools nobody said anything: every one of them is asked about. */
const CONFIG = `
tenants:
  default:
    default_user: tester
    default_agent: dev
    users: { tester: { roles: [owner] } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { dev: { disallowed_tools: [fs.delete], permissions: ["allow:Read"] } }
volumes: [{ name: work, mount: /workspace, path: "$WORK", mode: rw }]
`;

let folder: TempDir;
let gateway: TestGateway;
let jailed: string;
let unconfined: string;
beforeAll(async () => {
  folder = await tempDir();
  gateway = await startTestGateway({ config: CONFIG.replace('$WORK', folder.path) });
  const open = async (confinement: string): Promise<string> => {
    const json = { tenant: 'default', agent: 'dev', user: 'tester', confinement };
    return (await gateway.operator('/v1/sessions', { json })).json<{ session_token: string }>().session_token;
  };
  jailed = await open('jailed');
  unconfined = await open('unconfined');
});
afterAll(async () => {
  await gateway.close();
  await folder.remove();
});

async function ask(token: string, tool_name: string, tool_input: unknown): Promise<HookAnswer> {
  const event = { hook_event_name: 'PreToolUse', session_id: 's1', cwd: '/tmp', tool_name, tool_input };
  const json = { event, home: '/home/ana', wait_seconds: 1 };
  const answer = await gateway.agent('/v1/hooks/claude-code', { token, json });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<HookAnswer>();
}

const WRITE = { path: '/workspace/x', content: 'x' };

describe('a call that comes to our own MCP endpoint next', () => {
  test('[TO-8] goes on, is recorded, and does not count twice', async () => {
    for (let n = 0; n < 5; n += 1)
      expect(await ask(jailed, 'mcp__sallyport__fs_write', WRITE)).toMatchObject({ decision: 'allow' });
    expect(await ask(jailed, 'mcp__sallyport__wait_for_approval', {})).toMatchObject({ decision: 'allow' });
    const { items } = (await gateway.operator('/v1/audit/events?limit=50')).json<{ items: AuditEvent[] }>();
    const told = items.filter(({ data }) => data['tool'] === 'mcp:sallyport/fs_write');
    const seen = { comes_again: true, execution_calls: 0 };
    expect(told.map(({ data }) => data)).toEqual(
      Array.from({ length: 5 }, () => expect.objectContaining({ seen: expect.objectContaining(seen) })),
    );
  });

  test('leaves the question of a client outside a jail to it', async () => {
    expect(await ask(unconfined, 'mcp__sallyport__fs_write', WRITE)).toMatchObject({ decision: 'pass' });
  });

  test.each([
    ['mcp__sallyport__exfiltrate', 'a tool that our endpoint does not have'],
    ['mcp__sallyport__fs_delete', 'a tool that it does not show this agent'],
    ['mcp__sallyport2__fs_write', 'a server of a similar name'],
    ['mcp__other__sallyport/fs_write', 'a server that has our name in a tool'],
  ])('[TO-8] %s is judged like any other: %s', async (tool) => {
    expect(await ask(unconfined, tool, WRITE)).toMatchObject({ decision: 'deny' });
  });

  test('[TO-8] is refused to a session that has ended', async () => {
    const json = { tenant: 'default', agent: 'dev', user: 'tester', confinement: 'jailed' };
    const opened = (await gateway.operator('/v1/sessions', { json })).json<{
      session_id: string;
      session_token: string;
    }>();
    await gateway.operator(`/v1/sessions/${opened.session_id}`, { method: 'DELETE' });
    const event = {
      ...{ hook_event_name: 'PreToolUse', session_id: 's1', cwd: '/tmp' },
      ...{ tool_name: 'mcp__sallyport__fs_write', tool_input: WRITE },
    };
    const answer = await gateway.agent('/v1/hooks/claude-code', {
      token: opened.session_token,
      json: { event, home: '/home/ana' },
    });
    expect(answer.status).toBe(401);
  });
});
