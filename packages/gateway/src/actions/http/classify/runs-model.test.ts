import { describe, expect, test } from 'vitest';
import { createHttpBuilder } from '../../build/http-builder.ts';
import { runsModel } from './runs-model.ts';

const builder = createHttpBuilder();

/** Through the whole builder, as a door makes it. */
function runs(
  method: string,
  address: string,
  body: unknown = {},
  isComplete = true,
  whole?: string,
): boolean {
  const url = new URL(address);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { action } = builder.http(
    {
      scheme: url.protocol === 'http:' ? 'http' : 'https',
      host: url.hostname,
      port: Number(url.port === '' ? 443 : url.port),
      method,
      target: url.pathname + url.search,
      headers: [['Content-Type', 'application/json']],
      bodyPrefix: Buffer.from(text),
      bodyComplete: isComplete,
    },
    {},
    {
      ...{ door: 'proxy', cwd: '/', home: '/' },
      actor: { tenant: 'default', agent: 'a', session: 's', chain: ['a'], confinement: 'jailed' },
    },
  );
  return runsModel(action, whole === undefined ? undefined : Buffer.from(whole));
}

const SAID = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

describe('[CR-8] a request that a model may read, whoever serves it', () => {
  test.each([
    'https://api.groq.com/openai/v1/chat/completions',
    'https://api.mistral.ai/v1/fim/x',
    'https://codestral.mistral.ai/v1/agents/y',
    'https://api.deepseek.com/beta/anything',
    'https://api.x.ai/v1/anything',
    'https://api.together.xyz/v1/anything',
    'https://api.together.ai/inference',
    'https://api.fireworks.ai/inference/v1/x',
    'https://api.cohere.com/v2/x',
    'https://api.cohere.ai/v1/x',
    'https://api.perplexity.ai/async/x',
    'https://us.api.openai.com/v1/x',
    'https://eu.api.openai.com/v1/x',
    'https://bedrock-agent-runtime.eu-west-1.amazonaws.com/agents/A/agentAliases/B/sessions/C/text',
    'https://bedrock-runtime.us-east-1.amazonaws.com/async-invoke',
    'https://models.github.ai/inference/x',
    'https://acme.openai.azure.com/openai/x',
    'https://acme.services.ai.azure.com/api/projects/p/x',
    'https://acme.eastus.models.ai.azure.com/x',
    'https://acme.eastus.inference.ml.azure.com/score',
    'https://us-central1-aiplatform.googleapis.com/v1/x',
    'https://aiplatform.us.rep.googleapis.com/v1/x',
    'https://aiplatform.googleapis.com/v1/x',
    'https://router.huggingface.co/hf-inference/models/x',
    'https://abc.us-east-1.aws.endpoints.huggingface.cloud/',
    'https://openrouter.ai/api/v1/x',
    'https://api.githubcopilot.com/x',
    'https://dashscope-intl.aliyuncs.com/api/v1/x',
    'https://runtime.sagemaker.eu-west-1.amazonaws.com/endpoints/e/x',
  ])('by its host: %s', (url) => {
    expect(runs('POST', url)).toBe(true);
  });

  test.each([
    '/v1/chat/completions',
    '/v1/chat/completions/',
    '/any/prefix/chat/completions',
    '/v1/chat%2Fcompletions',
    '/v1/completions',
    '/v1/embeddings',
    '/v1/responses',
    '/openai/v1/responses',
    '/v1/responses/compact',
    '/v1/messages/count_tokens',
    '/v1beta/models/g:generateContent',
    '/v1beta/models/g%3AstreamGenerateContent',
    '/v1internal:streamGenerateContent',
    '/v1/projects/p/locations/l/endpoints/e:predict',
    '/v1/models/m:rawPredict',
    '/model/amazon.titan/invoke',
    '/model/x/invoke-with-response-stream',
    '/model/x/converse',
    '/invocations',
    '/serving-endpoints/x/invocations',
    '/api/chat',
    '/api/generate',
    '/client/v4/accounts/1/ai/run/@cf/meta/llama',
    '/v1/predictions',
    '/v1/threads/t/messages',
    '/ml/v1/text/generation',
  ])('by its path: %s', (path) => {
    expect(runs('POST', `https://models.corp.example${path}`)).toBe(true);
  });

  test.each<[string, string, unknown]>([
    ['messages', '/x', SAID],
    ['messages without a model', '/x', { messages: [{ role: 'user', content: 'hi' }] }],
    ['a prompt', '/x', { model: 'm', prompt: 'hi' }],
    ['a prompt with settings', '/completion', { prompt: 'hi', n_predict: 5 }],
    ['a prompt with settings elsewhere', '/x', { prompt: 'hi', temperature: 1 }],
    ['an input', '/x', { model: 'm', input: 'hi' }],
    ['items', '/x', { input: [{ role: 'user', content: 'hi' }] }],
    ['contents', '/x', { contents: { parts: { text: 'hi' } } }],
    ['a name that is escaped', '/x', '{"mess\\u0061ges":[{"r\\u006fle":"user"}],"auth":{"token":"x"}}'],
    ['inside of something else', '/x', { request: { body: SAID } }],
    ['in a list', '/x', [SAID]],
    ['at a path that others have too', '/v1/messages', { prompt: 'hi' }],
    ['Titan', '/x', { inputText: 'hi', textGenerationConfig: {} }],
    ['TGI', '/generate', { inputs: 'hi' }],
    ['LangServe', '/chain/invoke', { input: { question: 'hi' } }],
    ['Cohere', '/x', { message: 'hi', chat_history: [] }],
    ['a form', '/x', 'model=m&prompt=hi'],
    ['what is no JSON', '/x', '{"messages": [{"role": "user"'],
  ])('by its body: %s', (_what, path, body) => {
    expect(runs('POST', `http://127.0.0.1:8080${path}`, body)).toBe(true);
  });

  test('and what cannot be read to its end', () => {
    const login = JSON.stringify({ auth: { token: 'x' } });
    expect(runs('POST', 'https://a.example/login', login, false)).toBe(true);
    expect(runs('POST', 'https://a.example/login', login.slice(0, 9), false, login)).toBe(false);
    const said = JSON.stringify({ auth: {}, ...SAID });
    expect(runs('POST', 'https://a.example/login', said.slice(0, 9), false, said)).toBe(true);
  });
});

test.each<[string, string, unknown]>([
  ['a log-in', 'https://a.example/login', { user: 'ana', password: 'x' }],
  ['a log-in of parts', 'https://a.example/login', { auth: { token: 'x' }, n: 1 }],
  ['a token endpoint', 'https://a.example/oauth/token', 'grant_type=client_credentials&client_secret=x'],
  [
    'a message to a phone',
    'https://sms.example/v1/messages',
    { api_key: 'x', messages: [{ to: '1', body: 'hi' }] },
  ],
  ['a message at Slack', 'https://slack.com/api/chat.postMessage', { channel: 'C', blocks: [], token: 'x' }],
  ['answers to a survey', 'https://forms.example/forms/1/responses', { api_key: 'x', answers: [1] }],
  ['a model of a car', 'https://cars.example/search', { model: 'i3', api_key: 'x' }],
  ['GraphQL', 'https://a.example/graphql', { query: '{a}', variables: { b: 'x' } }],
  ['a message between people', 'https://chat.example/messages', { text: 'hi', api_key: 'x' }],
  ['events', 'https://events.example/v1/batch', { batch: [{ message: 'hi' }], writeKey: 'x' }],
  ['GraphQL at another path', 'https://a.example/query', { query: '{a}', variables: { token: 'x' } }],
  ['no body', 'https://a.example/x', ''],
])('not %s', (_what, url, body) => {
  expect(runs('POST', url, body)).toBe(false);
});
