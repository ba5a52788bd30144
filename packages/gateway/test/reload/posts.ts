import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeServer, listenOnFreePort } from '@sallyport/testkit';

export interface Post {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that takes every post and keeps it; `hang` answers nothing below a path. */
export class Posts implements AsyncDisposable {
  readonly posts: Post[] = [];
  readonly hanging = new Set<string>();
  readonly #server: Server;
  url = '';

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        if (this.hanging.has(path)) return;
        this.posts.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(200).end();
      });
    });
  }

  static async start(): Promise<Posts> {
    const posts = new Posts();
    posts.url = `http://127.0.0.1:${await listenOnFreePort(posts.#server)}`;
    return posts;
  }

  at(path: string): readonly Post[] {
    return this.posts.filter((post) => post.path === path);
  }

  /** types of the events that came in at a path, in order */
  typesAt(path: string): readonly string[] {
    return this.at(path).flatMap(({ body }) =>
      body
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type),
    );
  }

  /** The first post that holds this text, once it came. */
  async holding(text: string): Promise<Post> {
    for (;;) {
      const found = this.posts.find(({ body }) => body.includes(text));
      if (found !== undefined) return found;
      await sleep(10);
    }
  }

  /** Which of these secrets signed a post: over time and body, as sinks and channels do. */
  static signerOf({ headers, body }: Post, secrets: readonly string[]): string | undefined {
    const [, sinkTime, sinkDigest] = /^t=(\d+),v1=(.*)$/.exec(String(headers['sallyport-signature'])) ?? [];
    const time = sinkTime ?? String(headers['x-sallyport-timestamp']);
    const digest = sinkDigest ?? String(headers['x-sallyport-signature']).replace('v1=', '');
    return secrets.find(
      (secret) => createHmac('sha256', secret).update(`${time}.${body}`).digest('hex') === digest,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await closeServer(this.#server);
  }
}
