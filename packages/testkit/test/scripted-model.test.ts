import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScriptedModel, type ScriptedTurn } from '../src/index.ts';

let model: ScriptedModel;
beforeAll(async () => {
  model = await ScriptedModel.start({ reply: () => ({ text: 'hello' }) });
});
afterAll(() => model[Symbol.asyncDispose]());

function post(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${model.url}${path}`, { method: 'POST', body: text, headers });
}

const BEARER = { authorization: 'Bearer test-key' };
const ANTHROPIC = { 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' };
const MESSAGES = [{ role: 'user', content: 'hi' }];

describe('requests that the real API would refuse', () => {
  test.each([
    { why: 'no key', path: '/v1/messages', body: {}, headers: {}, status: 401 },
    {
      why: 'a key of somebody else',
      path: '/v1/messages',
      body: {},
      headers: { ...ANTHROPIC, 'x-api-key': 'x' },
      status: 401,
    },
    {
      why: 'no version',
      path: '/v1/messages',
      body: { model: 'm', max_tokens: 1, messages: MESSAGES },
      headers: { 'x-api-key': 'test-key' },
      status: 400,
    },
    {
      why: 'no max_tokens',
      path: '/v1/messages',
      body: { model: 'm', messages: MESSAGES },
      headers: ANTHROPIC,
      status: 400,
    },
    {
      why: 'no messages',
      path: '/v1/messages',
      body: { model: 'm', max_tokens: 1, messages: [] },
      headers: ANTHROPIC,
      status: 400,
    },
    {
      why: 'a system message among the messages',
      path: '/v1/messages',
      body: { model: 'm', max_tokens: 1, messages: [{ role: 'system', content: 'x' }] },
      headers: ANTHROPIC,
      status: 400,
    },
    {
      why: 'an empty message',
      path: '/v1/messages',
      body: { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: '' }] },
      headers: ANTHROPIC,
      status: 400,
    },
    {
      why: 'a tool that is not there',
      path: '/v1/messages',
      body: {
        model: 'm',
        max_tokens: 1,
        messages: MESSAGES,
        tools: [],
        tool_choice: { type: 'tool', name: 'x' },
      },
      headers: ANTHROPIC,
      status: 400,
    },
    { why: 'no JSON', path: '/v1/messages', body: '{', headers: ANTHROPIC, status: 400 },
    {
      why: 'Anthropic’s header for OpenAI',
      path: '/v1/chat/completions',
      body: {},
      headers: ANTHROPIC,
      status: 401,
    },
    {
      why: 'no model',
      path: '/v1/chat/completions',
      body: { messages: MESSAGES },
      headers: BEARER,
      status: 400,
    },
    {
      why: 'a role that is none',
      path: '/v1/chat/completions',
      body: { model: 'm', messages: [{ role: 'god' }] },
      headers: BEARER,
      status: 400,
    },
    {
      why: 'a schema without a name',
      path: '/v1/chat/completions',
      body: {
        model: 'm',
        messages: MESSAGES,
        response_format: { type: 'json_schema', json_schema: { schema: {} } },
      },
      headers: BEARER,
      status: 400,
    },
    { why: 'no input', path: '/v1/responses', body: { model: 'm' }, headers: BEARER, status: 400 },
    { why: 'a path that is not there', path: '/v1/complete', body: {}, headers: BEARER, status: 404 },
  ])('$why', async ({ path, body, headers, status }) => {
    const before = model.requests.length;
    const response = await post(path, body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty('error.message');
    expect(model.requests).toHaveLength(before);
  });
});

const TURNS: readonly { readonly why: string; readonly turn: ScriptedTurn; readonly says: object }[] = [
  {
    why: 'text',
    turn: { text: 'one two three' },
    says: { text: 'one two three', finish: 'stop', calls: [] },
  },
  {
    why: 'a cut',
    turn: { text: 'one two', finish: 'length' },
    says: { text: 'one two', finish: 'length', calls: [] },
  },
  {
    why: 'calls of tools',
    turn: {
      text: 'so',
      toolCalls: [
        { name: 'run', input: { a: 'x"y', b: [1] } },
        { name: 'run', input: {} },
      ],
    },
    says: { text: 'so', finish: 'tool-calls', calls: [{ a: 'x"y', b: [1] }, {}] },
  },
];

describe('streams, read by the real SDK', () => {
  describe.each(['anthropic', 'openai-compatible'] as const)('%s', (provider) => {
    test.each(TURNS)('$why', async ({ turn, says }) => {
      const options = { baseURL: `${model.url}/v1`, apiKey: 'test-key', name: 'local' };
      const language =
        provider === 'anthropic'
          ? createAnthropic(options)('claude-haiku-4-5')
          : createOpenAICompatible(options)('m');
      model.reply = () => turn;
      const inputSchema = jsonSchema({ type: 'object', additionalProperties: true });
      const result = streamText({ model: language, prompt: 'hi', tools: { run: { inputSchema } } });
      const calls = (await result.toolCalls).map(({ input }) => input);
      expect({ text: await result.text, finish: await result.finishReason, calls }).toEqual(says);
      expect(model.requests.at(-1)).toMatchObject({ stream: true, tools: ['run'], text: 'hi' });
    });
  });
});

describe('OpenAI Responses', () => {
  const ask = async (turn: ScriptedTurn, stream: boolean): Promise<Response> => {
    model.reply = () => turn;
    const input = [{ role: 'user', content: [{ type: 'input_text', text: 'hi' }] }];
    return post('/v1/responses', { model: 'm', instructions: 'be good', input, stream }, BEARER);
  };

  test('streams text as events whose numbers have no gap', async () => {
    const text = await (await ask({ text: 'one two three' }, true)).text();
    const events = text
      .split('\n\n')
      .filter((block) => block !== '')
      .map((block) => JSON.parse(block.slice(block.indexOf('data: ') + 6)));
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe('one two three');
    expect(model.requests.at(-1)).toMatchObject({ api: 'responses', text: 'be good\nhi' });
  });

  test('streams calls, and gives the whole when no stream is wanted', async () => {
    const turn = { toolCalls: [{ name: 'run', input: { a: 1 } }] };
    const text = await (await ask(turn, true)).text();
    expect(text).toContain('event: response.function_call_arguments.done');
    const whole = await (await ask(turn, false)).json();
    expect(whole).toMatchObject({
      status: 'completed',
      output: [{ type: 'function_call', arguments: '{"a":1}' }],
    });
  });
});

test('an error, raw bytes and silence are what they say', async () => {
  const body = { model: 'm', messages: MESSAGES };
  model.reply = () => ({ status: 529, error: 'overloaded' });
  expect((await post('/v1/chat/completions', body, BEARER)).status).toBe(529);
  model.reply = () => ({ raw: 'not JSON' });
  expect(await (await post('/v1/chat/completions', body, BEARER)).text()).toBe('not JSON');
  model.reply = () => ({ hang: true });
  const signal = AbortSignal.timeout(50);
  const silent = fetch(`${model.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: BEARER,
    signal,
  });
  await expect(silent).rejects.toThrow();
});
