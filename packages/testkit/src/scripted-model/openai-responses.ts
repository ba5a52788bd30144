import type { StreamEvent } from './anthropic.ts';
import { checkBearer } from './openai-chat.ts';
import {
  isRecord,
  type ModelRequest,
  pieces,
  refuseUnless,
  type Spoken,
  textsOf,
  toolNames,
} from './turn.ts';

/** OpenAI Responses. */
export function readResponses(
  headers: ModelRequest['headers'],
  body: ModelRequest['body'],
  apiKey: string,
): Pick<ModelRequest, 'model' | 'stream' | 'tools' | 'text'> {
  checkBearer(headers, apiKey);
  const { model, input, instructions, stream, tools } = body;
  refuseUnless(typeof model === 'string' && model !== '', "Missing required parameter: 'model'");
  const isGiven = typeof input === 'string' ? input !== '' : Array.isArray(input) && input.length > 0;
  refuseUnless(isGiven, "Missing required parameter: 'input'");
  if (Array.isArray(input))
    for (const item of input) refuseUnless(isRecord(item), "Invalid type for 'input[]'");
  const text = [...textsOf(instructions), ...textsOf(input)].join('\n');
  return { model, stream: stream === true, tools: toolNames(tools), text };
}

type Item = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };

function items({ text, calls, finish }: Spoken, id: number): readonly Item[] {
  const part =
    finish === 'refusal'
      ? { type: 'refusal', refusal: text ?? '' }
      : { type: 'output_text', text: text ?? '', annotations: [] };
  const message = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [part],
  };
  return [
    ...(text === undefined ? [] : [message]),
    ...calls.map(({ id: call, name, namespace, input }) => ({
      id: `fc_${call}`,
      type: 'function_call',
      status: 'completed',
      call_id: call,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      arguments: JSON.stringify(input),
    })),
  ];
}

export function responseObject(said: Spoken, model: string, id: number): Readonly<Record<string, unknown>> {
  const isCut = said.finish === 'length';
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_750_000_000,
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    error: null,
    model,
    output: items(said, id),
    parallel_tool_calls: true,
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 20,
    },
  };
}

export function responseEvents(said: Spoken, model: string, id: number): readonly StreamEvent[] {
  const whole = responseObject(said, model, id);
  const begun = { ...whole, status: 'in_progress', output: [], usage: null };
  const data: Readonly<Record<string, unknown>>[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
  ];
  for (const [index, item] of items(said, id).entries()) {
    const at = { item_id: item.id, output_index: index };
    data.push(...(item.type === 'message' ? messageEvents(item, at) : callEvents(item, at)));
  }
  const end = said.finish === 'length' ? 'response.incomplete' : 'response.completed';
  data.push({ type: end, response: whole });
  return data.map((each, number) => ({
    event: String(each.type),
    data: { ...each, sequence_number: number },
  }));
}

interface Place {
  readonly item_id: string;
  readonly output_index: number;
}

function messageEvents(item: Item, at: Place): readonly Readonly<Record<string, unknown>>[] {
  const [part] = item.content as readonly Readonly<Record<string, string>>[]; // made by `items`
  const isRefusal = part?.type === 'refusal';
  const text = (isRefusal ? part.refusal : part?.text) ?? '';
  const kind = isRefusal ? 'response.refusal' : 'response.output_text';
  const field = isRefusal ? 'refusal' : 'text';
  const inPart = { ...at, content_index: 0 };
  const { output_index } = at;
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...inPart, part: { ...part, [field]: '' } },
    ...pieces(text).map((delta) => ({ type: `${kind}.delta`, ...inPart, delta })),
    { type: `${kind}.done`, ...inPart, [field]: text },
    { type: 'response.content_part.done', ...inPart, part },
    { type: 'response.output_item.done', output_index, item },
  ];
}

function callEvents(item: Item, at: Place): readonly Readonly<Record<string, unknown>>[] {
  const text = String(item.arguments);
  const { output_index } = at;
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', arguments: '' },
    },
    ...pieces(text).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.function_call_arguments.done', ...at, arguments: text },
    { type: 'response.output_item.done', output_index, item },
  ];
}
