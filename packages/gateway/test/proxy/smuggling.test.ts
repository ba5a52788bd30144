import type { Socket } from 'node:net';
import { waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHUNK_ATTACKS, FRAMING_ATTACKS, HEAD_ATTACKS } from '../../src/shared/http1/cases/request-cases.ts';
import { HOSTILE_RESPONSES } from '../../src/shared/http1/cases/response-cases.ts';
import { type RawUpstream, rawUpstream } from '../egress/egress-fixture.ts';
import { type Front, openFront, statusOf } from './front-fixture.ts';

let front: Front;
let upstream: RawUpstream;
let reply: (socket: Socket) => void;

beforeAll(async () => {
  upstream = await rawUpstream((socket) => reply(socket));
  front = await openFront({ limits: { headMs: 1_000, idleMs: 5_000 } });
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});
beforeEach(() => {
  upstream.received.length = 0;
  upstream.sockets.length = 0;
  front.trail.events.length = 0;
  front.lookups.length = 0;
  reply = (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
});

/** The same attack as a client of the proxy sends it: absolute form, with its token. */
function towardsProxy(bytes: string): string {
  const host = `a.example:${upstream.port}`;
  return bytes
    .replace(/^([A-Z]+) \/ /, `$1 http://${host}/ `)
    .replace('Host: a.example\r\n', `Host: ${host}\r\nProxy-Authorization: ${front.auth}\r\n`);
}

describe('[NE-5] through the whole door, nothing of a hostile message reaches upstream', () => {
  const attacks = [...FRAMING_ATTACKS, ...HEAD_ATTACKS].filter(({ bytes }) => /^[A-Z]+ \/ /.test(bytes));

  test.each(attacks)('$attack', async ({ bytes, reason }) => {
    const wire = await front.dial();
    wire.send(
      Buffer.from(`${towardsProxy(bytes)}GET /smuggled HTTP/1.1\r\nHost: a.example\r\n\r\n`, 'latin1'),
    );
    await wire.closed;
    expect(statusOf(wire.text())).toBeGreaterThanOrEqual(400);
    expect(upstream.received.join('')).toBe('');
    expect(front.lookups).toEqual([]);
    expect(front.events('ProxyEvent::RequestBlocked').map((event) => event.reason)).toEqual([reason]);
  });

  test.each(CHUNK_ATTACKS)('$attack: the request never ends upstream as a whole one', async ({ bytes }) => {
    reply = () => {};
    const wire = await front.dial();
    wire.send(Buffer.from(towardsProxy(bytes), 'latin1'));
    await wire.closed;
    // What was good of the body may have been streamed; the last chunk of it never was.
    expect(upstream.received.join('')).not.toContain('0\r\n\r\n');
    expect(upstream.received.join('')).not.toContain('/smuggled');
  });
});

describe('[NE-5] a lying server reaches the agent as a refusal or a broken connection, never as a whole answer', () => {
  test.each(HOSTILE_RESPONSES.filter(({ bytes }) => bytes !== ''))('$attack', async ({ bytes }) => {
    reply = (socket) => socket.end(Buffer.from(bytes, 'latin1'));
    const wire = await front.dial();
    const host = `a.example:${upstream.port}`;
    wire.send(
      `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\nConnection: close\r\n\r\n`,
    );
    await wire.closed;
    const text = wire.text();
    const isRefused = [502, 504].includes(statusOf(text));
    const isBroken =
      statusOf(text) === 200 && !text.endsWith('0\r\n\r\n') && !text.includes('Content-Length: 3\r\n\r\nabc');
    expect(isRefused || isBroken || text.startsWith('HTTP/1.1 100')).toBe(true);
    expect(front.events('ProxyEvent::RequestAllowed')).toMatchObject([{ error: 'UpstreamBroken' }]);
  });
});

describe('[NE-8] slow and silent connections', () => {
  test('a head that does not end in time is answered 408 and closed', async () => {
    const wire = await front.dial();
    wire.send('GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n');
    await new Promise((resolve) => setImmediate(resolve));
    const slow = setInterval(() => wire.send('X: y\r\n'), 50);
    const moving = setInterval(() => front.clock.advance(200), 20);
    await wire.closed;
    clearInterval(slow);
    clearInterval(moving);
    expect(statusOf(wire.text())).toBe(408);
    expect(front.events('ProxyEvent::RequestBlocked')).toMatchObject([{ reason: 'slow-head' }]);
  });

  test('an idle connection is closed', async () => {
    const wire = await front.dial();
    const moving = setInterval(() => front.clock.advance(1_000), 20);
    await wire.closed;
    clearInterval(moving);
    expect(wire.text()).toBe('');
  });

  test('a question keeps its connection, however long it takes', async () => {
    const asking = await openFront({
      limits: { headMs: 100, idleMs: 100 },
      config: { tenants: { default: { exceptions: [] } } },
    });
    const wire = await asking.dial();
    wire.send(
      `DELETE http://a.example/ HTTP/1.1\r\nHost: a.example\r\nProxy-Authorization: ${asking.auth}\r\n\r\n`,
    );
    await waitUntil('a question', () => asking.questions.length > 0);
    for (let round = 0; round < 10; round++) {
      asking.clock.advance(600_000 / 10);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(wire.socket.destroyed).toBe(false);
    expect(wire.text()).toBe('');
    wire.socket.destroy();
    await asking[Symbol.asyncDispose]();
  });
});

describe('[GA-8] an address in any notation is one address', () => {
  test.each(['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]'])(
    '%s is 127.0.0.1 to the gate and to the way out',
    async (host) => {
      const wire = await front.dial();
      const where = `${host}:${upstream.port}`;
      wire.send(
        `GET http://${where}/ HTTP/1.1\r\nHost: ${where}\r\nProxy-Authorization: ${front.auth}\r\nConnection: close\r\n\r\n`,
      );
      await wire.closed;
      expect(statusOf(wire.text())).toBe(200);
      expect(front.events('ActionEvent::Judged')).toMatchObject([{ target: { host: '127.0.0.1' } }]);
      expect(upstream.received[0]).toContain(`Host: 127.0.0.1:${upstream.port}`);
      expect(front.lookups).toEqual([]);
    },
  );
});
