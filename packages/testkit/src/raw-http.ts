import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 when the server closed without an answer */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes as they are and reads until the server closes: for what no HTTP client would send. */
export async function rawHttp(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A reset after the answer is one of the right ways to refuse; what arrived before it counts.
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString('latin1');
  const border = text.indexOf('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
    head: border < 0 ? text : text.slice(0, border),
    body: border < 0 ? '' : text.slice(border + 4),
  };
}
