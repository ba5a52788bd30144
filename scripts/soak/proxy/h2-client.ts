import { once } from 'node:events';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { createSecureContext, connect as tlsConnect } from 'node:tls';
import { type ClientOrder, chance, dial } from './client.ts';

const AT_ONCE = 4;

/** As `runClients`, over HTTP/2 with a few streams at once: a client dies with one of them, or with all. */
export async function runH2Clients(order: ClientOrder): Promise<void> {
  const secureContext = createSecureContext({ ca: order.proxy.ca });
  while (!order.isOver()) {
    const raw = await dial(order);
    const secure = tlsConnect({
      ...{ socket: raw, servername: order.host, secureContext, ALPNProtocols: ['h2'] },
    });
    secure.on('error', () => {});
    await once(secure, 'secureConnect');
    const session = connect(`https://${order.host}:${order.port}`, { createConnection: () => secure });
    session.on('error', () => {});
    let isDead = false;
    const die = (): void => {
      isDead = true;
      raw.destroy();
    };
    const stream = async (): Promise<void> => {
      while (!order.isOver() && !isDead) await request(order, session, die, () => isDead);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, stream));
    session.destroy();
  }
}

async function request(
  order: ClientOrder,
  session: ClientHttp2Session,
  die: () => void,
  isDead: () => boolean,
): Promise<void> {
  const number = order.answered.open();
  const isPost = number % 2 === 1;
  const stream = session.request({ ':method': isPost ? 'POST' : 'GET', ':path': `/r/${number}` });
  stream.on('error', () => {});
  const death = chance(order, ['with a stream (h2)', 'with all streams (h2)']);
  let [status, bytes] = [0, 0];
  stream.on('response', (headers) => {
    status = Number(headers[':status']);
  });
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const closed = once(stream, 'close');
  stream.end(isPost ? 'y'.repeat(1_024) : undefined);
  if (death === 'with all streams (h2)') setImmediate(die);
  else if (death !== undefined) setImmediate(() => stream.close(constants.NGHTTP2_CANCEL));
  await closed;
  if (death !== undefined || isDead()) return;
  if (status !== 200 || bytes < 1_024) throw new Error(`/r/${number}: ${status}, ${bytes} bytes`);
  order.answered.add(number);
}
