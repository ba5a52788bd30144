import type { TestGateway } from '@sallyport/testkit';

export interface Heard {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly type: string;
  /** everything that came before the answer */
  readonly before: readonly Heard[];
  /** the answer itself */
  readonly answer: Heard;
}

export interface CallResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** A client of the door that hides nothing of what happens on the wire. */
export class McpTestClient {
  readonly url: string;
  readonly token: string;
  session: string | undefined;
  /** answers what servers ask through the door */
  onRequest: (message: Heard) => object = () => ({});
  #nextId = 1;

  constructor(gateway: Pick<TestGateway, 'urls'>, token: string, path = '/mcp') {
    this.url = `${gateway.urls.api}${path}`;
    this.token = token;
  }

  /** Opens a gateway session and shakes hands. */
  static async open(gateway: TestGateway, path = '/mcp', capabilities: object = {}): Promise<McpTestClient> {
    const { session_token: token } = await gateway.openSession();
    const client = new McpTestClient(gateway, token, path);
    await client.initialize(capabilities);
    return client;
  }

  async initialize(capabilities: object = {}): Promise<Answered> {
    const answered = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name: 'test', version: '1' },
    });
    this.session = answered.headers.get('mcp-session-id') ?? undefined;
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answered;
  }

  post(
    body: unknown,
    options: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${this.token}`,
        ...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
        ...options.headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  }

  get(headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    return fetch(this.url, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${this.token}`,
        ...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
        ...headers,
      },
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async request(
    method: string,
    params: object = {},
    onMessage: (message: Heard) => void = () => {},
  ): Promise<Answered> {
    const id = this.#nextId++;
    const response = await this.post({ jsonrpc: '2.0', id, method, params });
    const before: Heard[] = [];
    let answer: Heard | undefined;
    for await (const message of messagesOf(response)) {
      if (message.method === undefined) answer = message;
      else {
        before.push(message);
        onMessage(message);
        if (message.id !== undefined)
          void this.post({ jsonrpc: '2.0', id: message.id, result: this.onRequest(message) });
      }
    }
    if (answer === undefined) throw new Error(`no answer to ${method}: ${response.status}`);
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, headers: response.headers, type, before, answer };
  }

  async call(name: string, args: object = {}, more: object = {}): Promise<CallResult> {
    const { answer } = await this.request('tools/call', { name, arguments: args, ...more });
    if (answer.result === undefined) throw new Error(answer.error?.message ?? 'no result');
    // `as`: a result of `tools/call`; tests look at its members.
    return answer.result as unknown as CallResult;
  }

  async names(): Promise<readonly string[]> {
    const { answer } = await this.request('tools/list');
    const tools = answer.result?.tools as readonly { readonly name: string }[];
    return tools.map(({ name }) => name);
  }
}

/** The messages of an answer, JSON or stream, as they come. */
export async function* messagesOf(response: Response): AsyncGenerator<Heard> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    const text = await response.text();
    if (text !== '') yield JSON.parse(text);
    return;
  }
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice(6));
  }
}

export const textOf = ({ content }: CallResult): string => content.map(({ text }) => text ?? '').join('\n');
