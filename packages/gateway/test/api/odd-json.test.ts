import { startTestGateway, type TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { McpTestClient } from '../mcp-door/mcp-client.ts';

let gateway: TestGateway;
let token = '';
let mcp: McpTestClient;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = (await gateway.openSession('dev', '/tmp')).session_token;
  mcp = await McpTestClient.open(gateway);
});
afterAll(() => gateway.close());

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** JSON that parsers read, and that means different things to different ones, or nothing. */
const ODD: Readonly<Record<string, string>> = {
  'a number that is infinite': '{"a":1e999}',
  'a negative one': '{"a":-1e999}',
  'one with many digits': `{"a":${'9'.repeat(400)}}`,
  'one whose exponent has zeros before it': '{"a":[1E+0000400]}',
  'one whose digits and exponent are too much together': `{"a":${'9'.repeat(250)}e99}`,
  'one under a number that is fine': '{"a":1e3,"b":{"c":[0, 1e400 ]}}',
  'a number that is not exact': '{"a":9007199254740993}',
  'a negative zero': '{"a":-0}',
  'a very small number': '{"a":1e-999}',
  'half a character': '{"a":"\\ud800"}',
  'half a character in a key': '{"\\udc00":1}',
  'half a character, deeper': '{"a":[{"b":"x\\uD83Dy"}]}',
  'a key that reaches the prototype': '{"__proto__":{"a":1}}',
  'the same, escaped and deeper': '{"a":[{"\\u005f_proto__":{"a":1}}]}',
  'a key twice': '{"a":1,"a":2}',
  'a constructor': '{"constructor":{"prototype":{"a":1}}}',
  'something that writes itself': '{"toJSON":1,"toString":2,"valueOf":3}',
  'a NUL character': '{"a":"\\u0000"}',
};

const HOOK =
  '"hook_event_name":"PreToolUse","session_id":"a","turn_id":"b","tool_use_id":"c","cwd":"/workspace"';

/** Where a tool's input, or another value that is not looked at closely, comes in. */
const DOORS: Readonly<Record<string, (input: string) => readonly [path: string, body: string]>> = {
  'a hook': (input) => [
    '/v1/hooks/claude-code',
    `{"event":{${HOOK},"tool_name":"Bash","tool_input":${input}},"home":"/home/ana","wait_seconds":0}`,
  ],
  'a hook of a tool that nobody knows': (input) => [
    '/v1/hooks/claude-code',
    `{"event":{${HOOK},"tool_name":"Odd","tool_input":${input}},"home":"/home/ana","wait_seconds":0}`,
  ],
  'the rest of a hook': (input) => [
    '/v1/hooks/claude-code',
    `{"event":{${HOOK},"tool_name":"Bash","tool_input":{"command":"ls"},"more":${input}},"home":"/home/ana","wait_seconds":0}`,
  ],
  'an envelope': (input) => ['/v1/dispatch-gateway', `{"payload":${input}}`],
  'a session': (input) => ['/session/open', input],
};

async function post(path: string, body: string): Promise<{ status: number; text: string }> {
  return gateway.agent(path, { method: 'POST', body, headers, token });
}

function expectAnswered({ status, text }: { status: number; text: string }, body: string): void {
  expect(status, `${body}: ${text}`).toBeLessThan(500);
  expect(text, body).not.toContain('Internal');
}

describe('[GA-5] JSON that has no one meaning is answered, and is no fault of ours', () => {
  describe.each(Object.entries(DOORS))('in %s', (_door, request) => {
    test.each(Object.entries(ODD))('%s', async (_why, input) => {
      const [path, body] = request(input);
      expectAnswered(await post(path, body), body);
    });
  });

  test.each(Object.entries(ODD))('in a tool call over MCP: %s', async (_why, input) => {
    for (const name of ['fs.read', 'cmd.run', 'nobody.knows']) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${input}}}`;
      const answer = await mcp.post(body);
      expectAnswered({ status: answer.status, text: await answer.text() }, body);
    }
  });

  test.each(['1e999', '"\\ud800"', '-0', '1.5', '9007199254740993', 'null', '{}'])(
    'as the id of an MCP message: %s',
    async (id) => {
      for (const method of ['ping', 'tools/list']) {
        const body = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{}}`;
        const answer = await mcp.post(body);
        expectAnswered({ status: answer.status, text: await answer.text() }, body);
      }
    },
  );
});

describe('a tool input that cannot be read as it was written is refused by what is wrong with it', () => {
  test.each([
    ['{"command":"ls","a":1e999}', 'a number that is too large'],
    ['{"command":"ls \\ud800"}', 'text that is not valid Unicode'],
  ])('%s', async (input, why) => {
    const hook = `{"event":{${HOOK},"tool_name":"Bash","tool_input":${input}},"home":"/home/ana","wait_seconds":0}`;
    const answer = await post('/v1/hooks/claude-code', hook);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"decision":"deny"');
    expect(answer.text).toContain(`the input has ${why}`);
  });

  test('also where a person asks what would be said of it', async () => {
    const json = { form: 'tool', text: 'mcp:x/y({"a":1e999})' };
    const answer = await gateway.operator('/v1/explain', { json });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"outcome":"deny"');
    expect(answer.text).toContain('the input has a number that is too large');
  });

  test('and a key that only looks odd is no reason', async () => {
    const hook = `{"event":{${HOOK},"tool_name":"Bash","tool_input":{"command":"ls","toJSON":1}},"home":"/home/ana","wait_seconds":0}`;
    expect((await post('/v1/hooks/claude-code', hook)).text).toContain('"decision":"pass"');
  });
});

const HALF = '"x\\ud800"';
const ASKED = { session_id: '"s"', action_type: '"exec_cmd"', title: '"x"', preview: '"ls"' };
const object = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;

describe('half a character is refused as bad input, wherever a text is taken', () => {
  test.each(Object.keys(ASKED))('as `%s` of an approval', async (name) => {
    for (const key of [undefined, 'once']) {
      const answer = await gateway.agent('/v1/approvals', {
        method: 'POST',
        body: object({ ...ASKED, [name]: HALF }),
        headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
        token: gateway.apiKey,
      });
      expectAnswered(answer, name);
      expect(answer.status).toBe(400);
    }
  });

  test.each(['cwd', 'session_id', 'turn_id', 'tool_use_id', 'tool_name', 'transcript_path'])(
    'as `%s` of a hook',
    async (name) => {
      const event = object({
        hook_event_name: '"PreToolUse"',
        session_id: '"a"',
        cwd: '"/workspace"',
        tool_name: '"Bash"',
        tool_input: '{"command":"ls"}',
        [name]: HALF,
      });
      const body = object({ event, home: '"/home/ana"', wait_seconds: '0' });
      const answer = await post('/v1/hooks/claude-code', body);
      expectAnswered(answer, body);
      expect(answer.status).toBe(400);
    },
  );

  test.each([
    ['/v1/explain', object({ form: '"tool"', text: HALF })],
    ['/v1/explain', object({ form: '"http"', text: HALF })],
    ['/v1/keys', object({ name: HALF })],
    ['/v1/sessions', object({ tenant: '"default"', agent: HALF, user: '"tester"', confinement: '"jailed"' })],
    ['/v1/sessions', object({ tenant: '"default"', agent: '"dev"', user: HALF, confinement: '"jailed"' })],
    ['/v1/approvals/appr_x/decision', object({ code: '"4"', text: HALF })],
  ])('on the operator side: %s %s', async (path, body) => {
    const answer = await gateway.operator(path, { method: 'POST', body, headers });
    expectAnswered(answer, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });
});
