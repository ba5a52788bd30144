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

/** One event of a stream: its name, where the API names its events, and its data. */
export interface StreamEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** Anthropic Messages: the parts of a request that the real API checks. */
export function readAnthropic(
  headers: ModelRequest['headers'],
  body: ModelRequest['body'],
  apiKey: string,
): Pick<ModelRequest, 'model' | 'stream' | 'tools' | 'text'> {
  if (headers['x-api-key'] !== apiKey && headers.authorization !== `Bearer ${apiKey}`)
    throw new RequestRefused(401, 'authentication_error', 'invalid x-api-key');
  refuseUnless(typeof headers['anthropic-version'] === 'string', 'anthropic-version: header is required');
  const { model, max_tokens: maxTokens, messages, stream, system, tools, tool_choice: choice } = body;
  refuseUnless(typeof model === 'string' && model !== '', 'model: Field required');
  refuseUnless(Number.isInteger(maxTokens) && Number(maxTokens) > 0, 'max_tokens: Field required');
  refuseUnless(Array.isArray(messages) && messages.length > 0, 'messages: at least one message is required');
  for (const message of messages) {
    refuseUnless(isRecord(message), 'messages: expected objects');
    const { role, content } = message;
    // Instructions in the middle of a conversation are taken from clients that ask for new things.
    const isInstruction = role === 'system' && headers['anthropic-beta'] !== undefined;
    refuseUnless(
      role === 'user' || role === 'assistant' || isInstruction,
      'messages.role: expected `user` or `assistant`',
    );
    refuseUnless(content !== '' && content !== undefined, 'messages.content: must not be empty');
  }
  const names = toolNames(tools);
  if (isRecord(choice) && choice.type === 'tool')
    refuseUnless(names.includes(String(choice.name)), 'tool_choice: no such tool');
  return {
    model,
    stream: stream === true,
    tools: names,
    text: [...textsOf(system), ...textsOf(messages)].join('\n'),
  };
}

const STOP = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal', tools: 'tool_use' } as const;
const USAGE = { input_tokens: 10, output_tokens: 10 };

/** An event whose data repeats its name. */
type TypedData = Readonly<Record<string, unknown>> & { readonly type: string };

function blocks({ text, calls }: Spoken): readonly Readonly<Record<string, unknown>>[] {
  return [
    ...(text === undefined || text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id: `toolu_${id}`, name, input })),
  ];
}

export function anthropicMessage(said: Spoken, model: string, id: number): object {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: blocks(said),
    stop_reason: STOP[said.finish],
    stop_sequence: null,
    usage: USAGE,
  };
}

export function anthropicEvents(said: Spoken, model: string, id: number): readonly StreamEvent[] {
  const whole = anthropicMessage(said, model, id);
  const start = { ...whole, content: [], stop_reason: null, usage: { input_tokens: 10, output_tokens: 1 } };
  const events: TypedData[] = [{ type: 'message_start', message: start }];
  for (const [index, block] of blocks(said).entries()) {
    const isText = block.type === 'text';
    const empty = isText ? { type: 'text', text: '' } : { ...block, input: {} };
    const content = isText ? String(block.text) : JSON.stringify(block.input);
    const delta = (part: string): object =>
      isText ? { type: 'text_delta', text: part } : { type: 'input_json_delta', partial_json: part };
    const parts = pieces(content).map((part) => ({ type: 'content_block_delta', index, delta: delta(part) }));
    events.push(
      ...[{ type: 'content_block_start', index, content_block: empty }],
      ...parts,
      ...[{ type: 'content_block_stop', index }],
    );
  }
  const delta = { stop_reason: STOP[said.finish], stop_sequence: null };
  const end = [{ type: 'message_delta', delta, usage: USAGE }, { type: 'message_stop' }];
  return [...events, ...end].map((data) => ({ event: data.type, data }));
}

export function anthropicError(type: string, message: string): object {
  return { type: 'error', error: { type, message } };
}
