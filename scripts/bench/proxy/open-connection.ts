import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** What to send, and where. */
export interface LoadOrder {
  /** undefined: straight to the server */
  readonly proxy?: { readonly port: number; readonly authorization?: string } | undefined;
  readonly host: string;
  readonly port: number;
  readonly ca: readonly string[];
  readonly connections: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly requests: number;
}

/** A TLS connection to the server, through the proxy if there is one. */
export async function openConnection({ proxy, host, port, ca }: LoadOrder): Promise<TLSSocket> {
  const raw = await connected(connect({ port: proxy?.port ?? port, host: '127.0.0.1', noDelay: true }));
  if (proxy !== undefined) {
    const auth = proxy.authorization === undefined ? '' : `proxy-authorization: ${proxy.authorization}\r\n`;
    raw.write(`CONNECT ${host}:${port} HTTP/1.1\r\nhost: ${host}:${port}\r\n${auth}\r\n`);
    const answer = String(await firstBytes(raw));
    if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`CONNECT was refused: ${answer}`);
  }
  const secure = connectTls({ socket: raw, servername: host, ca: [...ca], ALPNProtocols: ['http/1.1'] });
  await new Promise((resolve, reject) => {
    secure.once('secureConnect', () => resolve(undefined));
    secure.once('error', reject);
    secure.once('close', () => reject(new Error('the connection was closed in its handshake')));
  });
  return secure;
}

/** What comes next. Rejects when the connection ends instead: whoever waits would wait for ever. */
export function firstBytes(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const closed = (): void => reject(new Error('the connection was closed before the answer'));
    socket.once('close', closed);
    socket.once('data', (chunk: Buffer) => {
      socket.off('close', closed);
      resolve(chunk);
    });
  });
}

async function connected(socket: Socket): Promise<Socket> {
  await new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(undefined));
    socket.once('error', reject);
  });
  return socket;
}
