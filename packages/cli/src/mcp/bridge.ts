import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { SallyportError } from '@sallyport/protocol/error';
import { type DoorAnswer, DoorClient } from './door-client.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';

/** JSON-RPC: the other side cannot be reached */
const UNREACHABLE = -32_000;
const PARSE_ERROR = -32_700;
/** pause before listening again, in ms */
const LISTEN_AGAIN_MS = 1_000;

export interface BridgeParts {
  readonly input: Readable;
  readonly output: Writable;
  readonly open: () => Promise<McpEndpoint>;
  /** ends it as the end of its input does */
  readonly signal: AbortSignal;
  /** `/mcp`, or `/mcp/SERVER` */
  readonly path: string;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
}

/** The session of the client behind the standard streams, with the gateway. */
interface Opened {
  readonly endpoint: McpEndpoint;
  readonly door: DoorClient;
  session: string | undefined;
  version: string | undefined;
}

/**
 * An MCP server on standard streams whose answers are the gateway's. Lives until its input ends. A gateway that is not
 * there is an error for each request, in words; one that was started anew is found again by itself.
 */
export class Bridge {
  readonly #parts: BridgeParts;
  readonly #done = new AbortController();
  #opening: Promise<Opened> | undefined;
  /** what the client said first: said again to a gateway that does not know it */
  #hello: string | undefined;
  #isListening = false;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const { input, signal } = this.#parts;
    const under = new Set<Promise<void>>();
    // In order as far as the handshake goes; after it, each request by itself.
    for await (const line of createInterface({ input, signal })) {
      if (line.trim() === '') continue;
      const message = parse(line);
      if (message === undefined) {
        this.#say({
          jsonrpc: '2.0',
          id: null,
          error: { code: PARSE_ERROR, message: 'this is not JSON-RPC' },
        });
        continue;
      }
      const work = this.#pass(line, message);
      if (message.method === 'initialize') await work;
      under.add(work);
      void work.finally(() => under.delete(work));
    }
    this.#done.abort();
    await this.#close();
  }

  async #pass(line: string, message: Message): Promise<void> {
    if (message.method === 'initialize') this.#hello = line;
    try {
      let answer = await this.#send(line, message);
      if (answer.kind === 'gone') {
        await this.#reopen();
        answer = await this.#send(line, message);
      }
      await this.#relay(answer, message);
      if (message.method === 'notifications/initialized') void this.#listen();
    } catch (error) {
      this.#fail(message, error);
    }
  }

  async #send(line: string, { method }: Message): Promise<DoorAnswer> {
    const opened = await this.#opened();
    if (method === 'initialize') return opened.door.send({ method: 'POST', body: line });
    const { session, version } = opened;
    return opened.door.send({ method: 'POST', body: line, session, version });
  }

  async #relay(answer: DoorAnswer, message: Message): Promise<void> {
    if (answer.kind === 'taken') return;
    if (answer.kind !== 'messages') {
      const why = answer.kind === 'gone' ? 'the session has ended' : answer.text;
      throw new SallyportError('Unavailable', { message: `the gateway refused the message: ${why}` });
    }
    let isAnswered = message.id === undefined;
    for await (const text of answer.messages) {
      const { id, method, result } = JSON.parse(text) as Message & { result?: { protocolVersion?: string } };
      if (method === undefined && id === message.id) isAnswered = true;
      if (message.method === 'initialize') {
        const opened = await this.#opened();
        opened.session = answer.session;
        opened.version = result?.protocolVersion;
      }
      this.#parts.output.write(`${text}\n`);
    }
    if (!isAnswered) throw new SallyportError('Unavailable', { message: 'the gateway hung up' });
  }

  /** What servers say by themselves, for as long as the client is there. */
  async #listen(): Promise<void> {
    if (this.#isListening) return;
    this.#isListening = true;
    const { signal } = this.#done;
    while (!signal.aborted) {
      try {
        const { door, session, version } = await this.#opened();
        const answer = await door.send({ method: 'GET', session, version });
        if (answer.kind === 'gone') await this.#reopen();
        if (answer.kind === 'messages')
          for await (const text of answer.messages) this.#parts.output.write(`${text}\n`);
      } catch {
        // The gateway is gone; whoever asks something is told.
      }
      await delay(LISTEN_AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }

  #opened(): Promise<Opened> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<Opened> {
    const endpoint = await this.#parts.open();
    const door = new DoorClient(endpoint, this.#parts.path);
    return { endpoint, door, session: undefined, version: undefined };
  }

  /** A gateway that was started anew knows neither our session nor the client: both begin again. */
  async #reopen(): Promise<void> {
    await this.#close();
    if (this.#hello === undefined) return;
    const opened = await this.#opened();
    const answer = await opened.door.send({ method: 'POST', body: this.#hello });
    if (answer.kind !== 'messages') throw new SallyportError('GatewayNotRunning');
    opened.session = answer.session;
    for await (const text of answer.messages) {
      const { result } = JSON.parse(text) as { result?: { protocolVersion?: string } };
      opened.version = result?.protocolVersion;
    }
    const { session, version } = opened;
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await opened.door.send({ method: 'POST', body, session, version });
  }

  async #close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    const opened = await opening?.catch(() => undefined);
    if (opened === undefined) return;
    const { door, session, version, endpoint } = opened;
    if (session !== undefined) await door.send({ method: 'DELETE', session, version }).catch(() => {});
    door.close();
    await endpoint.close();
  }

  #fail({ id }: Message, error: unknown): void {
    // A session that broke with the gateway is opened anew for the next message.
    void this.#close();
    if (id === undefined) return;
    const known = error instanceof SallyportError ? error : new SallyportError('Internal');
    const { code, message, hint } = known;
    const text = hint === undefined ? message : `${message}: ${hint}`;
    this.#say({ jsonrpc: '2.0', id, error: { code: UNREACHABLE, message: text, data: { code } } });
  }

  #say(message: object): void {
    this.#parts.output.write(`${JSON.stringify(message)}\n`);
  }
}

function parse(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // `as`: an object may have these members; the gateway looks at everything else.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Message)
      : undefined;
  } catch {
    return undefined;
  }
}
