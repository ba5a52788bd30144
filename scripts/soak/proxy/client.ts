import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createSecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { Ledger } from './ledger.ts';

/** Where a client may die. */
export type Death =
  | 'after-connect'
  | 'in-handshake'
  | 'in-head'
  | 'in-body'
  | 'before-answer'
  | 'in-answer'
  | 'with a stream (h2)'
  | 'with all streams (h2)';

export interface ClientOrder {
  readonly proxy: { readonly port: number; readonly authorization: string; readonly ca: string };
  readonly host: string;
  readonly port: number;
  /** each request gets its number here; counted once it is answered whole */
  readonly answered: Ledger;
  /** one of so many requests ends with its client */
  readonly oneIn: number;
  readonly deaths: Map<Death, number>;
  readonly isOver: () => boolean;
}

/** One client after the other on one place: requests on a kept connection until it dies, then the next. */
export async function runClients(order: ClientOrder): Promise<void> {
  const secureContext = createSecureContext({ ca: order.proxy.ca });
  while (!order.isOver()) {
    const raw = await dial(order);
    if (chance(order, ['after-connect'])) {
      raw.destroy();
      continue;
    }
    const secure = tlsConnect({ socket: raw, servername: order.host, secureContext });
    secure.on('error', () => {});
    if (chance(order, ['in-handshake'])) {
      // Something has been said by then, and not all.
      setImmediate(() => raw.destroy());
      await once(secure, 'close');
      continue;
    }
    await once(secure, 'secureConnect');
    while (!order.isOver() && (await request(order, secure)));
    secure.destroy();
  }
}

export async function dial({ proxy, host, port }: ClientOrder): Promise<Socket> {
  const raw = connect({ port: proxy.port, host: '127.0.0.1', noDelay: true });
  raw.on('error', () => {});
  await once(raw, 'connect');
  raw.write(
    `CONNECT ${host}:${port} HTTP/1.1\r\nhost: ${host}:${port}\r\nproxy-authorization: ${proxy.authorization}\r\n\r\n`,
  );
  const [answer] = await once(raw, 'data');
  if (!String(answer).startsWith('HTTP/1.1 200')) throw new Error(`CONNECT was refused: ${answer}`);
  return raw;
}

/** Sends one request and reads its answer; false when the client died over it. */
async function request(order: ClientOrder, socket: TLSSocket): Promise<boolean> {
  const number = order.answered.open();
  const body = number % 2 === 0 ? '' : 'y'.repeat(1_024);
  const length = body === '' ? '' : `content-length: ${body.length}\r\n`;
  const head = `${body === '' ? 'GET' : 'POST'} /r/${number} HTTP/1.1\r\nhost: ${order.host}:${order.port}\r\nauthorization: Bearer of-the-agent\r\n${length}\r\n`;
  const death = chance(order, [
    'in-head',
    body === '' ? 'before-answer' : 'in-body',
    'before-answer',
    'in-answer',
  ]);
  switch (death) {
    case 'in-head':
    case 'in-body': {
      const cut = death === 'in-head' ? randomInt(1, head.length) : head.length + randomInt(1, body.length);
      await new Promise((resolve) => socket.write(`${head}${body}`.slice(0, cut), resolve));
      socket.destroy();
      return false;
    }
    case 'before-answer':
      await new Promise((resolve) => socket.write(`${head}${body}`, resolve));
      socket.destroy();
      return false;
    case 'in-answer':
      socket.write(`${head}${body}`);
      await once(socket, 'data');
      socket.destroy();
      return false;
    default:
      socket.write(`${head}${body}`);
      await readAnswer(socket);
      order.answered.add(number);
      return true;
  }
}

export function chance({ oneIn, deaths }: ClientOrder, among: readonly Death[]): Death | undefined {
  if (randomInt(oneIn) !== 0) return undefined;
  const death = among[randomInt(among.length)];
  if (death !== undefined) deaths.set(death, (deaths.get(death) ?? 0) + 1);
  return death;
}

/** Rejects unless a whole 200 comes. */
function readAnswer(socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = '';
    let left = -1;
    const settle = (error?: Error): void => {
      socket.off('data', take);
      socket.off('close', lost);
      if (error === undefined) resolve();
      else reject(error);
    };
    const lost = (): void =>
      settle(new Error(`the connection was closed in an answer: ${head.slice(0, 500)}`));
    const take = (chunk: Buffer): void => {
      let bytes = chunk.length;
      if (left === -1) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
        if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
          settle(new Error(head.slice(0, 500)));
          return;
        }
        left = Number(length);
        bytes = head.length - end - 4;
      }
      left -= bytes;
      if (left === 0) settle();
    };
    socket.on('data', take);
    socket.on('close', lost);
  });
}
