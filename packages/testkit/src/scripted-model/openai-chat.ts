import type { StreamEvent } from './anthropic.ts';
import {
  isRecord,
  type ModelRequest,
  pieces,
  RequestRefused,
  refuseUnless,
  type Spoken,
  textsOf,
  toolNames,
} from './turn.ts';

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

export function checkBearer(headers: ModelRequest['headers'], apiKey: string): void {
  if (headers.authorization !== `Bearer ${apiKey}`)
    throw new RequestRefused(401, 'invalid_api_key', 'Incorrect API key provided');
}

/** OpenAI chat completions, as OpenAI, vLLM and Ollama take them. */
export function readChat(
  headers: ModelRequest['headers'],
  body: ModelRequest['body'],
  apiKey: string,
): Pick<ModelRequest, 'model' | 'stream' | 'tools' | 'text'> {
  checkBearer(headers, apiKey);
  const { model, messages, stream, tools, response_format: format } = body;
  refuseUnless(typeof model === 'string' && model !== '', 'you must provide a model parameter');
  refuseUnless(Array.isArray(messages) && messages.length > 0, "Missing required parameter: 'messages'");
  for (const message of messages) {
    refuseUnless(isRecord(message), "Invalid type for 'messages[]'");
    refuseUnless(ROLES.has(String(message.role)), "Invalid value for 'messages[].role'");
  }
  if (isRecord(format) && format.type === 'json_schema') {
    const wanted = isRecord(format.json_schema) ? format.json_schema : {};
    refuseUnless(
      typeof wanted.name === 'string',
      "Missing required parameter: 'response_format.json_schema.name'",
    );
    refuseUnless(isRecord(wanted.schema), "Missing required parameter: 'response_format.json_schema.schema'");
  }
  const names = toolNames(tools);
  return { model, stream: stream === true, tools: names, text: textsOf(messages).join('\n') };
}

const FINISH = { stop: 'stop', length: 'length', refusal: 'stop', tools: 'tool_calls' } as const;
const USAGE = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

/** A refusal has a field of its own; the reason to stop is the usual one. */
function words({ text, finish }: Spoken): Readonly<Record<string, unknown>> {
  return finish === 'refusal' ? { content: null, refusal: text } : { content: text ?? null };
}

function toolCalls({ calls }: Spoken): readonly object[] {
  return calls.map(({ id, name, input }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
}

export function chatCompletion(said: Spoken, model: string, id: number): object {
  const calls = toolCalls(said);
  const message = { role: 'assistant', ...words(said), ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 1_750_000_000,
    model,
    choices: [{ index: 0, message, finish_reason: FINISH[said.finish] }],
    usage: USAGE,
  };
}

export function chatEvents(
  said: Spoken,
  model: string,
  id: number,
  body: ModelRequest['body'],
): readonly StreamEvent[] {
  const chunk = (delta: object, finish: string | null = null): StreamEvent => ({
    data: {
      id: `chatcmpl-${id}`,
      object: 'chat.completion.chunk',
      created: 1_750_000_000,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    },
  });
  const field = said.finish === 'refusal' ? 'refusal' : 'content';
  const calls = toolCalls(said);
  const options = body.stream_options;
  const wantsUsage = isRecord(options) && options.include_usage === true;
  const usage = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', model, choices: [], usage: USAGE };
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(said.text ?? '').map((part) => chunk({ [field]: part })),
    ...(calls.length === 0 ? [] : [chunk({ tool_calls: calls })]),
    chunk({}, FINISH[said.finish]),
    ...(wantsUsage ? [{ data: usage }] : []),
    { data: '[DONE]' },
  ];
}

export function openaiError(type: string, message: string): object {
  return { error: { message, type, param: null, code: type } };
}
