/** Which API a request came in by. */
export type ModelApi = 'anthropic' | 'chat' | 'responses';

/** A request that the real API would have taken. */
export interface ModelRequest {
  readonly api: ModelApi;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** the body as it came */
  readonly raw: string;
  readonly model: string;
  readonly stream: boolean;
  /** names of the tools that the client offers */
  readonly tools: readonly string[];
  /** every text of the conversation, instructions first */
  readonly text: string;
}

export interface ScriptedToolCall {
  readonly name: string;
  /** of a tool that OpenAI's Responses API lists in one */
  readonly namespace?: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the model does next. */
export type ScriptedTurn =
  /** it says something; `length`: it was cut off; `refusal`: the API says that the model refused */
  | { readonly text: string; readonly finish?: 'stop' | 'length' | 'refusal' }
  | { readonly toolCalls: readonly ScriptedToolCall[]; readonly text?: string }
  /** the body of a 200 as it is, whatever the API would have sent */
  | { readonly raw: string; readonly contentType?: string }
  | { readonly status: number; readonly error: string; readonly headers?: Readonly<Record<string, string>> }
  /** the request is taken and never answered */
  | { readonly hang: true };

/** A turn that says or calls something. */
export type SpokenTurn = Extract<ScriptedTurn, { readonly text: string }> | CallingTurn;
type CallingTurn = Extract<ScriptedTurn, { readonly toolCalls: readonly ScriptedToolCall[] }>;

export interface Spoken {
  readonly text: string | undefined;
  readonly calls: readonly (ScriptedToolCall & { readonly id: string })[];
  readonly finish: 'stop' | 'length' | 'refusal' | 'tools';
}

/** A turn in the parts that every API writes in its own way. Ids are new with each turn. */
export function spoken(turn: SpokenTurn, nextId: () => number): Spoken {
  if ('toolCalls' in turn) {
    const calls = turn.toolCalls.map((call) => ({ ...call, id: `call_${nextId()}` }));
    return { text: turn.text, calls, finish: 'tools' };
  }
  return { text: turn.text, calls: [], finish: turn.finish ?? 'stop' };
}

/** What the real API would refuse. */
export class RequestRefused extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

export function refuseUnless(holds: boolean, message: string): asserts holds {
  if (!holds) throw new RequestRefused(400, 'invalid_request_error', message);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every `text` and string content below a value, in order. */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (!isRecord(value)) return [];
  const { text, content, output, input_text: inputText } = value;
  return [text, content, output, inputText].flatMap(textsOf);
}

export function toolNames(tools: unknown): readonly string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    if (!isRecord(tool)) return [];
    const own = isRecord(tool.function) ? tool.function.name : (tool.name ?? tool.type);
    return typeof own === 'string' ? [own] : [];
  });
}

/** Pieces of a text, as a stream brings it: never all of it at once. */
export function pieces(text: string): readonly string[] {
  const size = Math.max(1, Math.ceil(text.length / 3));
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += size) parts.push(text.slice(start, start + size));
  return parts;
}
