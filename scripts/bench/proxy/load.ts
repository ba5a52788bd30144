import type { TLSSocket } from 'node:tls';
import { type LoadOrder, openConnection } from './open-connection.ts';

export interface LoadReport {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * A client that costs little: raw TLS sockets, one request at a time on each, answers counted by `Content-Length` or
 * by chunks. Started with `fork`; each order is answered with a report.
 */
process.on('message', (order: LoadOrder) => {
  run(order).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once('disconnect', () => process.exit(0));

async function run(order: LoadOrder): Promise<LoadReport> {
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => openConnection(order)));
  const request = requestOf(order);
  const times: number[] = [];
  let left = order.requests;
  const started = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      const answers = new AnswerReader(socket);
      while (left > 0) {
        left -= 1;
        const from = performance.now();
        const answered = answers.next();
        socket.write(request);
        await answered;
        times.push(performance.now() - from);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const socket of sockets) socket.destroy();
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    seconds,
    p50Ms: times[Math.floor(times.length * 0.5)] ?? 0,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
  };
}

function requestOf({ method, path, host, port }: LoadOrder): Buffer {
  const body = method === 'POST' ? Buffer.alloc(1024, 'y') : Buffer.alloc(0);
  const length = method === 'POST' ? `content-type: text/plain\r\ncontent-length: ${body.length}\r\n` : '';
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}:${port}\r\nuser-agent: bench\r\naccept: */*\r\n${length}\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** Counts the bytes of one answer after the other. Throws for anything but 200. */
class AnswerReader {
  #resolve: (() => void) | undefined;
  #head = '';
  #left = -1;
  #tail = '';

  constructor(socket: TLSSocket) {
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('close', () => {
      if (this.#resolve !== undefined) throw new Error('the connection was closed before the answer');
    });
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  #take(chunk: Buffer): void {
    let body = chunk.length;
    if (this.#left === -1) {
      this.#head += chunk.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = this.#head.slice(0, end).toLowerCase();
      if (!head.startsWith('http/1.1 200')) throw new Error(this.#head);
      const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
      this.#left = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
      body = this.#head.length - end - 4;
      this.#head = '';
    }
    this.#left -= body;
    this.#tail = (this.#tail + chunk.subarray(-5).toString('latin1')).slice(-5);
    const isOver = this.#left === Number.POSITIVE_INFINITY ? this.#tail === '0\r\n\r\n' : this.#left <= 0;
    if (!isOver) return;
    this.#left = -1;
    this.#tail = '';
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.();
  }
}
