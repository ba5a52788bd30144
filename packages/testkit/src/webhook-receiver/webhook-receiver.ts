import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { closeServer, listenOnFreePort } from '../http-server.ts';

const LONGEST_AGE_SECONDS = 300;

export interface WebhookPost {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A receiver as docs/approvals.md tells people to write one: it takes signed, fresh posts and refuses the rest. */
export class WebhookReceiver implements AsyncDisposable {
  readonly posts: WebhookPost[] = [];
  readonly refusals: string[] = [];
  readonly #secret: string;
  readonly #now: () => number;
  readonly #server = createServer((request, response) => {
    void this.#take(request).then((status) => {
      const location = status === 307 ? { location: `${this.url}/elsewhere` } : {};
      const pause = status === 429 ? { 'retry-after': String(this.#retryAfter ?? '') } : {};
      response.writeHead(status, { ...location, ...pause }).end();
    });
  });
  #port = 0;
  #nextStatus: number | undefined;
  #retryAfter: number | undefined;

  private constructor(secret: string, now: () => number) {
    this.#secret = secret;
    this.#now = now;
  }

  static async start(secret: string, now: () => number): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(secret, now);
    receiver.#port = await listenOnFreePort(receiver.#server);
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The next post is answered with this status and not taken; `retryAfter` is in seconds. */
  answerNext(status: number, retryAfter?: number): void {
    this.#nextStatus = status;
    this.#retryAfter = retryAfter;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeServer(this.#server);
  }

  async #take(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // a stream without encoding yields buffers
    const text = Buffer.concat(chunks).toString('utf8');
    const status = this.#nextStatus;
    this.#nextStatus = undefined;
    if (status !== undefined) return status;
    const problem = this.#check(request, text);
    if (problem !== undefined) {
      this.refusals.push(problem);
      return 401;
    }
    this.posts.push({ path: request.url ?? '', body: JSON.parse(text) });
    return 204;
  }

  #check(request: IncomingMessage, text: string): string | undefined {
    const timestamp = String(request.headers['x-sallyport-timestamp']);
    const given = Buffer.from(String(request.headers['x-sallyport-signature']));
    const digest = createHmac('sha256', this.#secret).update(`${timestamp}.${text}`).digest('hex');
    const expected = Buffer.from(`v1=${digest}`);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'signature';
    return Math.abs(this.#now() / 1_000 - Number(timestamp)) > LONGEST_AGE_SECONDS ? 'age' : undefined;
  }
}
