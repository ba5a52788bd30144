import type { ApprovalDetail, AuditEvent, HookAnswer } from '@sallyport/protocol';
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
    permissions: ["deny:Bash(rm *)", "deny:Write(/etc/**)", "ask:Bash(touch *)", "allow:*"]
`;

let gateway: TestGateway;
let token: string;
let jailed: string;
beforeAll(async () => {
  gateway = await startTestGateway({ config: CONFIG });
  token = (await gateway.openSession(undefined, '/tmp')).session_token;
  const opened = await gateway.operator('/v1/sessions', {
    json: { tenant: 'default', agent: 'dev', user: 'tester', confinement: 'jailed' },
  });
  jailed = opened.json<{ session_token: string }>().session_token;
});
afterAll(() => gateway.close());

const call = (
  tool_name: unknown,
  tool_input: unknown,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  hook_event_name: 'PreToolUse',
  session_id: 's1',
  cwd: '/tmp',
  tool_name,
  tool_input,
  ...more,
});

async function ask(client: string, event: unknown, more: Record<string, unknown> = {}, as = token) {
  const answer = await gateway.agent(`/v1/hooks/${client}`, {
    token: as,
    json: { event, home: '/home/ana', ...more },
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<HookAnswer>();
}

async function decide(about: string, decision: Readonly<Record<string, unknown>>): Promise<ApprovalDetail> {
  const question = await waitUntil(`a question about ${about}`, async () =>
    (await gateway.operator('/v1/approvals?status=pending'))
      .json<{ items: ApprovalDetail[] }>()
      .items.find(({ preview }) => preview.includes(about)),
  );
  const answer = await gateway.operator(`/v1/approvals/${question.id}/decision`, { json: decision });
  expect(answer.status, answer.text).toBe(200);
  return question;
}

const pre = (decision: string, more: object = {}) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decision, ...more },
});
const because = (text: string) => ({ permissionDecisionReason: expect.stringContaining(text) });

describe('every client hears it in its own form', () => {
  test.each([
    ['claude-code', call('Read', { file_path: '/tmp/x' }), null, 'its own questions stay its own'],
    ['claude-code', call('Bash', { command: 'rm x' }), pre('deny', because('RuleDenied')), 'a rule'],
    [
      'claude-code',
      call('Write', { file_path: '/etc/passwd', content: '' }),
      pre('deny', because('RuleDenied')),
      'a path',
    ],
    ['codex', call('Bash', { command: 'ls' }), null, 'it knows no plain allow'],
    ['codex', call('Bash', { command: 'rm x' }), pre('deny', because('RuleDenied')), 'a rule'],
    [
      'codex',
      call('exec_command', { cmd: 'rm x' }),
      pre('deny', because('RuleDenied')),
      'the name of its model',
    ],
    [
      'codex',
      call('apply_patch', { command: '*** Begin Patch\n*** Delete File: /etc/hosts\n*** End Patch' }),
      pre('deny', because('RuleDenied')),
      'a patch as its hook has it',
    ],
    ['pi', call('bash', { command: 'ls' }), { block: false }, 'silence would not be an answer'],
    [
      'pi',
      call('bash', { command: 'rm x' }),
      { block: true, reason: expect.stringContaining('RuleDenied') },
      'a rule',
    ],
    [
      'pi',
      call('write', { path: '/etc/x', content: '' }),
      { block: true, reason: expect.stringContaining('RuleDenied') },
      'its names',
    ],
    [
      'claude-code',
      call('Bash', { command: 'rm x' }, { hook_event_name: 'PermissionRequest' }),
      {
        hookSpecificOutput: {
          hookEventName: 'PermissionRequest',
          decision: { behavior: 'deny', message: expect.stringContaining('RuleDenied') },
        },
      },
      'a no at its own question',
    ],
  ])('%s %j', async (client, event, output, _why) => {
    expect((await ask(client, event)).output).toEqual(output);
  });

  test('in a jail what the policy allows is allowed, and the client need not ask', async () => {
    const answer = await ask('claude-code', call('Bash', { command: 'ls' }), {}, jailed);
    expect(answer).toMatchObject({ decision: 'allow', output: pre('allow') });
  });
});

describe('whatever cannot be judged is a no', () => {
  test.each([
    ['null', null],
    ['a list', []],
    ['a text', 'PreToolUse'],
    ['no event name', { tool_name: 'Bash', tool_input: {}, cwd: '/' }],
    ['an event of another kind', call('Bash', { command: 'ls' }, { hook_event_name: 'PostToolUse' })],
    ['no tool', call(undefined, {})],
    ['a tool that is no name', call(['Bash'], {})],
    ['an endless tool name', call('x'.repeat(10_000), {})],
    ['input that is a list', call('Bash', ['ls'])],
    ['input that is a text', call('Bash', 'ls')],
    ['no folder', call('Bash', { command: 'ls' }, { cwd: undefined })],
    ['a relative folder', call('Bash', { command: 'ls' }, { cwd: 'work' })],
    ['a folder with a zero in it', call('Bash', { command: 'ls' }, { cwd: '/tmp\0/x' })],
    ['a command that is missing', call('Bash', {})],
    ['a command that is no text', call('Bash', { command: { toString: 'ls' } })],
    ['half a character', call('Bash', { command: 'echo \ud800' })],
  ])('[TO-8] %s', async (_name, event) => {
    for (const client of ['claude-code', 'codex', 'pi']) {
      const answer = await ask(client, event);
      expect(answer.decision, client).toBe('deny');
      expect(JSON.stringify(answer.output), client).toMatch(/"deny"|"block":true/);
    }
  });

  test('[TO-8] a patch given twice: Codex might take the other one', async () => {
    const answer = await ask('codex', call('apply_patch', { input: 'a', command: 'b' }));
    expect(answer).toMatchObject({ decision: 'deny', code: 'PathOutsideBoundary' });
    expect(answer.reason).toContain('only one of');
  });

  test('a client that nobody knows, and a body that is no JSON, get an error and no decision', async () => {
    const body = { event: call('Read', { file_path: '/tmp/x' }) };
    expect((await gateway.agent('/v1/hooks/emacs', { token, json: body })).status).toBe(400);
    const broken = { token, body: '{', headers: { 'content-type': 'application/json' } };
    expect((await gateway.agent('/v1/hooks/pi', broken)).status).toBe(400);
    const polluted = { ...broken, body: '{"event":{"__proto__":{"x":1}}}' };
    expect((await gateway.agent('/v1/hooks/pi', polluted)).status).toBe(400);
  });

  test('without a live session there is no answer', async () => {
    const json = { event: call('Read', { file_path: '/tmp/x' }) };
    expect((await gateway.agent('/v1/hooks/pi', { json })).status).toBe(401);
    expect((await gateway.agent('/v1/hooks/pi', { json, token: gateway.apiKey })).status).toBe(401);
    expect((await gateway.agent('/v1/hooks/pi', { json, token: gateway.operatorToken })).status).toBe(401);
  });

  test('a file of ten million characters is judged, one that is too large is refused', async () => {
    const write = (size: number) => ({
      event: call('Write', { file_path: '/tmp/big', content: 'x'.repeat(size) }),
    });
    const fits = await gateway.agent('/v1/hooks/claude-code', { token, json: write(10_000_000) });
    expect(fits.json<HookAnswer>().decision).toBe('pass');
    const large = await gateway.agent('/v1/hooks/claude-code', { token, json: write(20_000_000) });
    expect(large.status).toBe(413);
  });

  test('a tool that nobody knows is asked about: it might do anything', async () => {
    const answer = await ask('claude-code', call('LaunchRocket', { where: 'moon' }));
    expect(answer).toMatchObject({ decision: 'deny', code: 'ApprovalPending' });
    await decide('moon', { code: '3' });
  });
});

describe('people', () => {
  test('are waited for, and their yes lets the client go on without its own question', async () => {
    const asking = ask('claude-code', call('Bash', { command: 'touch a' }), { wait_seconds: 30 });
    const question = await decide('touch a', { code: '1' });
    expect(question.preview).toContain('touch a');
    expect(await asking).toMatchObject({ decision: 'allow', approval_id: question.id, output: pre('allow') });
    // The client asks again for its own record of the same call: nobody is asked twice.
    const again = call('Bash', { command: 'touch a' }, { hook_event_name: 'PermissionRequest' });
    expect(await ask('claude-code', again)).toMatchObject({ decision: 'allow' });
    expect(await ask('claude-code', again)).toMatchObject({ decision: 'deny', code: 'ApprovalPending' });
    await decide('touch a', { code: '3' });
  });

  test('say no', async () => {
    const asking = ask('pi', call('bash', { command: 'touch b' }), { wait_seconds: 30 });
    await decide('touch b', { code: '3' });
    const reason = expect.stringContaining('ApprovalDenied');
    expect(await asking).toMatchObject({ code: 'ApprovalDenied', output: { block: true, reason } });
  });

  test('write something beside their yes, which the model gets', async () => {
    const additionalContext = expect.stringContaining('mind the date');
    for (const [client, output] of [
      ['claude-code', pre('allow', { additionalContext })],
      ['codex', { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext } }],
    ] as const) {
      const asking = ask(client, call('Bash', { command: 'touch h' }), { wait_seconds: 30 });
      await decide('touch h', { code: '4', text: 'mind the date' });
      expect((await asking).output).toEqual(output);
    }
  });

  test.each([
    ['touch d', { command: 'touch d', description: 'make it' }, 'a bare text is the command'],
    ['{"command":"touch e"}', { command: 'touch e' }, 'an object is the whole input'],
    ['{ touch f; }', { command: '{ touch f; }', description: 'make it' }, 'only looks like an object'],
  ])('change the input: %s', async (text, updatedInput, _why) => {
    const asking = ask('codex', call('Bash', { command: 'touch c', description: 'make it' }), {
      wait_seconds: 30,
    });
    await decide('touch c', { code: '5', text });
    expect((await asking).output).toEqual(pre('allow', { updatedInput }));
  });

  test('who change it into something forbidden have changed nothing', async () => {
    const asking = ask('codex', call('Bash', { command: 'touch g' }), { wait_seconds: 30 });
    await decide('touch g', { code: '5', text: 'rm x' });
    expect(await asking).toMatchObject({ decision: 'deny', code: 'RuleDenied' });
  });

  test('who are slower than the client: the call is refused, and their yes lets the same call run once', async () => {
    const event = call('Bash', { command: 'touch late' });
    const answer = await ask('claude-code', event, { wait_seconds: 0 });
    expect(answer).toMatchObject({ decision: 'deny', code: 'ApprovalPending' });
    expect(answer.reason).toMatch(/again later.*appr_/);
    const question = await decide('touch late', { code: '1' });
    expect(question.id).toBe(answer.approval_id);
    expect(await ask('claude-code', event)).toMatchObject({ decision: 'allow' });
    expect(await ask('claude-code', event)).toMatchObject({ decision: 'deny', code: 'ApprovalPending' });
    await decide('touch late', { code: '3' });
  });
});

test('a client that does not wait is judged once', async () => {
  const event = call('Bash', { command: 'touch once-only' });
  await ask('claude-code', event, { wait_seconds: 0 });
  const { items } = (await gateway.operator('/v1/audit/events?limit=20')).json<{ items: AuditEvent[] }>();
  const about = items.filter((item) => JSON.stringify(item).includes('touch once-only'));
  expect(new Set(about.map(({ action_id }) => action_id)).size).toBe(1);
  expect(about.filter(({ type }) => type === 'ApprovalEvent::Cancelled')).toEqual([]);
  await decide('touch once-only', { code: '3' });
});

test('every answer is in the trail, with the door it came by', async () => {
  await ask('codex', call('Bash', { command: 'rm trail' }));
  const { items } = (await gateway.operator('/v1/audit/events?limit=20')).json<{ items: AuditEvent[] }>();
  expect(JSON.stringify(items)).toContain('rm trail');
  expect(JSON.stringify(items)).toContain('"door":"hook"');
});

test('people may think for longer than a connection may be idle', async () => {
  await using own = await startTestGateway({ config: CONFIG, limits: { idleTimeoutMs: 200 } });
  const { session_token: mine } = await own.openSession();
  const json = { event: call('bash', { command: 'touch x' }), wait_seconds: 1 };
  const answer = await own.agent('/v1/hooks/pi', { token: mine, json });
  expect(answer.json<HookAnswer>()).toMatchObject({ decision: 'deny', code: 'ApprovalPending' });
});

test('[TO-8] a gateway that stops says no to those who wait', async () => {
  const own = await startTestGateway({ config: CONFIG });
  const session = await own.openSession();
  const waiting = own.agent('/v1/hooks/pi', {
    token: session.session_token,
    json: { event: call('bash', { command: 'touch x' }), wait_seconds: 60 },
  });
  await waitUntil(
    'the question',
    async () =>
      (await own.operator('/v1/approvals?status=pending')).json<{ items: unknown[] }>().items.length === 1,
    { unless: waiting },
  );
  const [answer] = await Promise.allSettled([waiting, own.close()]);
  // A no, or a broken connection, which the hook takes for one.
  if (answer.status === 'fulfilled' && answer.value.status === 200)
    expect(answer.value.json<HookAnswer>().decision).toBe('deny');
});
