import { startTestGateway, type TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let gateway: TestGateway;
let token = '';
beforeAll(async () => {
  gateway = await startTestGateway();
  token = (await gateway.openSession('dev')).session_token;
});
afterAll(() => gateway.close());

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

describe('JSON that is nested too deeply', () => {
  test.each([
    [
      'a tool call over MCP',
      '/mcp',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":${DEEP}}}`,
    ],
    [
      'MCP, with keys that are looked at closely',
      '/mcp',
      `{"jsonrpc":"2.0","id":1,"method":"\\u0061","params":{"a":${DEEP}}}`,
    ],
    ['a hook', '/v1/hooks/claude-code', `{"tool_name":"Bash","tool_input":${DEEP}}`],
    ['an envelope', '/v1/dispatch-gateway', `{"payload":${DEEP}}`],
    ['an approval', '/v1/approvals', `{"action_type":"exec_cmd","payload":${DEEP}}`],
  ])('is refused in %s, and is no fault of ours', async (_why, path, body) => {
    const answer = await gateway.agent(path, { method: 'POST', body, headers, token });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toContain('Internal');
  });

  test('is refused over MCP by what is wrong with it', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${DEEP}}`;
    const answer = await gateway.agent('/mcp', { method: 'POST', body, headers, token });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('nested too deeply');
  });

  test('is refused by the operator side, also inside a text', async () => {
    const plain = await gateway.operator('/v1/explain', {
      method: 'POST',
      body: `{"text":${DEEP}}`,
      headers,
    });
    expect(plain).toMatchObject({ status: 400 });
    const text = `mcp:x/y({"a":${DEEP}})`;
    const quoted = await gateway.operator('/v1/explain', { json: { form: 'tool', text } });
    expect(quoted.status).toBe(400);
  });
});
