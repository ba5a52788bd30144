/** Plain JSON data, as it goes over the wire. */
export interface JsonData {
  readonly [key: string]: unknown;
}

/** What a tool of the fixture may do while it runs. */
export interface ToolRun {
  readonly args: JsonData;
  readonly progressToken: string | number | undefined;
  /** aborts when the client cancels */
  readonly signal: AbortSignal;
  notify(method: string, params: JsonData): void;
  /** Asks the client; rejects with its error. */
  ask(method: string, params: JsonData): Promise<JsonData>;
  log(level: string, data: unknown): void;
  /** Ends the stream that the answer would have come on, where there is one: the client comes back for it. */
  closeStream(): void;
}

export interface FixtureTool {
  readonly description: string;
  readonly inputSchema: JsonData;
  run(call: ToolRun): Promise<JsonData> | JsonData;
}

export const NO_ARGUMENTS: JsonData = { type: 'object', properties: {} };

export const text = (value: string): JsonData => ({ content: [{ type: 'text', text: value }] });

export const textArgument = (name: string, description: string): JsonData => ({
  type: 'object',
  properties: { [name]: { type: 'string', description } },
  required: [name],
});

/** One red pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** Silence. */
export const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
