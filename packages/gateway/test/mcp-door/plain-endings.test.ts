import { setTimeout as wait } from 'node:timers/promises';
import { type TestGateway, waitFor } from '@sallyport/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf } from './decide.ts';
import { startDoor } from './door-fixture.ts';
import { McpTestClient } from './mcp-client.ts';
import { echo, isShortcut, type Lines, plainMessage, rpc, SHORT_LIMITS } from './plain-fixture.ts';
import { Wire } from './wire.ts';

// How connections that bring plain messages end: by the clock, with their client, their session and the gateway.

let gateway: TestGateway;
let client: McpTestClient;
const wires: Wire[] = [];
beforeAll(async () => {
  gateway = await startDoor({}, { limits: SHORT_LIMITS });
  client = await McpTestClient.open(gateway);
});
afterEach(() => {
  for (const wire of wires.splice(0)) wire.socket.destroy();
});
afterAll(() => gateway.close());

function open(): Wire {
  const wire = new Wire(gateway.ports.api);
  wires.push(wire);
  return wire;
}

const plain = (body: string, lines?: Lines): string => plainMessage(gateway, client, body, lines);

describe('time', () => {
  test('who says nothing is told so, and cut', async () => {
    const wire = open();
    expect((await wire.answer())?.status).toBe(408);
    await wire.closed();
  });

  test('who begins and does not go on is told so, and cut, after messages too', async () => {
    const wire = open();
    await wire.send(plain(echo('a')));
    expect((await wire.answer())?.body).toContain('Echo: a');
    await wire.send('POST /mcp HT');
    expect((await wire.answer())?.status).toBe(408);
    await wire.closed();
  });

  test('a connection that is not used any more is closed, and not before the time that it was promised', async () => {
    const wire = open();
    await wire.send(plain(echo('a')));
    expect((await wire.answer())?.head).toContain('\r\nKeep-Alive: timeout=1');
    const began = performance.now();
    await wire.closed();
    const after = performance.now() - began;
    expect(after).toBeGreaterThan(SHORT_LIMITS.keepAliveTimeoutMs);
    expect(after).toBeLessThan(10_000);
  });
});

describe('while a message is under way', () => {
  const hang = (id: string): string => rpc('tools/call', { name: 'fix/hang', arguments: {} }, id);
  const lastOf = async (): Promise<unknown> => (await eventsOf(gateway, 'mcp:fix/hang')).at(-1);

  /** A call that nobody answers, on its way at its server. */
  async function hanging(): Promise<Wire> {
    const wire = open();
    // Only JSON: with a stream a client may come back for the answer.
    await wire.send(plain(hang(`h${performance.now()}`), { Accept: 'application/json' }));
    await waitFor('the verdict in the trail', async () => {
      expect(await lastOf()).toMatchObject({ type: 'ActionEvent::Judged' });
    });
    return wire;
  }

  test.each<{ how: string; leave: (wire: Wire) => void }>([
    { how: 'is gone', leave: (wire) => wire.socket.destroy() },
    { how: 'sends a reset', leave: (wire) => wire.socket.resetAndDestroy() },
    { how: 'says that it sends no more', leave: (wire) => wire.socket.end() },
  ])('its call is given up when its client $how', async ({ leave }) => {
    leave(await hanging());
    await waitFor('the trail to say that the caller left', async () => {
      expect(await lastOf()).toMatchObject({
        type: 'MCPToolEvent::InvocationFailed',
        data: { error: 'CallerLeft' },
      });
    });
  });

  test('[TO-9] no more is read than there is room for', async () => {
    const wire = await hanging();
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 32; count += 1) wire.socket.write(megabyte);
    await wait(1_000);
    expect(wire.socket.writableLength).toBeGreaterThan(8 * 1024 * 1024);
  });

  test('[ID-3] its connection ends with its session', async () => {
    const wire = await hanging();
    const answer = await gateway.agent('/session', { method: 'DELETE', token: client.token });
    expect(answer.status).toBeLessThan(300);
    expect(await wire.answer()).toBeUndefined();
    client = await McpTestClient.open(gateway);
  });
});

describe('[ID-3] after its session has ended', () => {
  test('an open connection is answered with 401, and takes the next session', async () => {
    const wire = open();
    await wire.send(plain(echo('a')));
    expect(isShortcut(await wire.answer())).toBe(true);
    await gateway.agent('/session', { method: 'DELETE', token: client.token });
    await wire.send(plain(echo('b')));
    expect(await wire.answer()).toMatchObject({ status: 401 });
    client = await McpTestClient.open(gateway);
    await wire.send(plain(echo('c')));
    expect((await wire.answer())?.body).toContain('Echo: c');
  });
});

describe('when the gateway stops', () => {
  test('an idle connection does not hold it up, and a call under way has its time, but no more', async () => {
    const other = await startDoor();
    const own = await McpTestClient.open(other);
    const [fresh, idle, busy] = [
      new Wire(other.ports.api),
      new Wire(other.ports.api),
      new Wire(other.ports.api),
    ];
    wires.push(fresh, idle, busy);
    const lines = {
      Host: 'localhost',
      Authorization: `Bearer ${own.token}`,
      'Mcp-Session-Id': own.session,
      Accept: 'application/json',
    };
    await idle.send(plain(echo('a'), lines));
    expect(isShortcut(await idle.answer())).toBe(true);
    const slow = rpc('tools/call', { name: 'fix/hang', arguments: {} }, 'slow');
    await busy.send(plain(slow, lines));
    await waitFor('the verdict in the trail', async () => {
      const events = await eventsOf(other, 'mcp:fix/hang');
      expect(events.map(({ type }) => type)).toContain('ActionEvent::Judged');
    });
    const began = performance.now();
    const closing = other.close();
    await Promise.all([fresh.closed(), idle.closed()]);
    expect(performance.now() - began).toBeLessThan(2_000);
    await busy.closed();
    // 3 s are given to what is under way.
    expect(performance.now() - began).toBeGreaterThan(2_500);
    await closing;
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});
