import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { NetworkConfig } from '../../src/egress/index.ts';
import { ask, get, OPEN, openEgress, rawUpstream } from './egress-fixture.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const CLOSED: NetworkConfig = { tenants: { default: {}, other: {} } };
const opening = (...entries: string[]): NetworkConfig => ({
  network: { allow_private: entries, ca_files: [] },
  tenants: { default: {} },
});

describe('names', () => {
  test('[NE-1] nothing is looked up before a request is sent, and a request looks up its own host only, once', async () => {
    await using upstream = await rawUpstream((socket) => socket.write(OK));
    const asked: string[] = [];
    await using egress = openEgress({
      resolver: async (name) => {
        asked.push(name);
        return ['127.0.0.1'];
      },
    });
    expect(asked).toEqual([]);
    await ask(egress, get(upstream.port));
    await ask(egress, get(upstream.port));
    expect(asked).toEqual(['api.example.com']);
    await ask(egress, get(upstream.port, { host: '127.0.0.1' }));
    expect(asked).toEqual(['api.example.com']);
  });

  test('[NE-2] the checked address is the dialled one: a name that answers otherwise the second time gains nothing', async () => {
    await using inside = await rawUpstream((socket) => socket.write(OK));
    let asked = 0;
    await using egress = openEgress({
      config: () => opening('127.0.0.2'),
      limits: { connectMs: 200 },
      // The first answer is open (and nobody is there); every later one would be closed.
      resolver: async () => (asked++ === 0 ? ['127.0.0.2'] : ['127.0.0.1']),
    });
    const { error } = await ask(egress, get(inside.port));
    expect(error).toMatchObject({ code: 'UpstreamUnreachable' });
    expect(asked).toBe(1);
    expect(inside.sockets).toHaveLength(0);
    expect((await ask(egress, get(inside.port))).error).toMatchObject({ code: 'AddressClosed' });
    expect(inside.sockets).toHaveLength(0);
  });

  test.each([
    { why: 'last', addresses: ['93.184.216.34', '127.0.0.1'] },
    { why: 'first', addresses: ['127.0.0.1', '93.184.216.34'] },
    { why: 'in the other family', addresses: ['93.184.216.34', '::1'] },
    { why: 'the metadata service', addresses: ['93.184.216.34', '169.254.169.254'] },
    { why: 'behind NAT64', addresses: ['93.184.216.34', '64:ff9b::7f00:1'] },
    { why: 'no address at all', addresses: ['93.184.216.34', 'localhost'] },
    { why: 'with a zone', addresses: ['93.184.216.34', 'fe80::1%lo'] },
  ])(
    '[NE-3] a name with one closed address among open ones is refused as a whole: $why',
    async ({ addresses }) => {
      await using upstream = await rawUpstream((socket) => socket.write(OK));
      await using egress = openEgress({ config: () => CLOSED, resolver: async () => addresses });
      const { error } = await ask(egress, get(upstream.port));
      expect(error).toMatchObject({ code: 'AddressClosed', status: 403 });
      // The port may be any number.
      expect(error?.message.replace(`:${upstream.port}`, '')).not.toMatch(/127|169|::/);
      expect(upstream.sockets).toHaveLength(0);
    },
  );
});

describe('[NE-3] this machine, by whatever address', () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) =>
    (entries ?? []).map(({ address }) => address),
  );

  test.each(
    ['127.0.0.1', '127.8.9.10', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1', '::7f00:1', ...own].map(
      (host) => ({ host }),
    ),
  )('$host is closed, for every protocol', async ({ host }) => {
    await using upstream = await rawUpstream((socket) => socket.write(OK));
    await using egress = openEgress({ config: () => CLOSED });
    const to = get(upstream.port, { host });
    const signal = AbortSignal.timeout(5_000);
    expect((await ask(egress, to)).error).toMatchObject({ code: 'AddressClosed' });
    await expect(egress.connect(to, { signal })).rejects.toMatchObject({ code: 'AddressClosed' });
    await expect(egress.upgrade(to, 'websocket', { signal })).rejects.toMatchObject({
      code: 'AddressClosed',
    });
    expect(upstream.sockets).toHaveLength(0);
  });

  test.each(
    ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', 'gateway.example.com', ...own].map((host) => ({
      host,
    })),
  )(
    '[NE-3] the gateway’s own listener is no target at $host, though the policy opens everything',
    async ({ host }) => {
      await using upstream = await rawUpstream((socket) => socket.write(OK));
      await using egress = openEgress({
        config: () =>
          opening('0.0.0.0/0', '::/0', '127.0.0.1', '127.0.0.1:80', 'gateway.example.com', ...own),
        ownListeners: () => [{ port: upstream.port }],
      });
      const { error } = await ask(egress, get(upstream.port, { host }));
      expect(error).toMatchObject({ code: 'AddressClosed', details: { range: 'own-listener' } });
      expect(upstream.sockets).toHaveLength(0);
    },
  );

  test('another port of this machine is open once the policy says so', async () => {
    await using upstream = await rawUpstream((socket) => socket.write(OK));
    await using egress = openEgress({ ownListeners: () => [{ port: upstream.port + 1 }] });
    expect(await ask(egress, get(upstream.port))).toMatchObject({ body: 'ok' });
  });
});

describe('settings', () => {
  test('allow_private opens for the tenant that names it, and from the top level for all', async () => {
    await using upstream = await rawUpstream((socket) => socket.write(OK));
    const config: NetworkConfig = {
      tenants: { default: { network: { allow_private: ['127.0.0.1'], ca_files: [] } }, other: {} },
    };
    await using egress = openEgress({ config: () => config });
    expect(await ask(egress, get(upstream.port))).toMatchObject({ body: 'ok' });
    const foreign = await ask(egress, get(upstream.port, { tenant: 'other' }));
    expect(foreign.error).toMatchObject({ code: 'AddressClosed' });
    const unknown = await ask(egress, get(upstream.port, { tenant: 'nobody' }));
    expect(unknown.error).toMatchObject({ code: 'AddressClosed' });
    await using wide = openEgress({ config: () => OPEN });
    expect(await ask(wide, get(upstream.port, { tenant: 'other' }))).toMatchObject({ body: 'ok' });
  });

  test('a change holds at once: connections made under the old settings are not used again', async () => {
    await using upstream = await rawUpstream((socket) => socket.write(OK));
    let config = opening('127.0.0.1');
    await using egress = openEgress({ config: () => config });
    await ask(egress, get(upstream.port));
    config = { ...config };
    await ask(egress, get(upstream.port));
    expect(upstream.sockets).toHaveLength(1);
    config = CLOSED;
    expect((await ask(egress, get(upstream.port))).error).toMatchObject({ code: 'AddressClosed' });
    config = opening('127.0.0.1');
    expect(await ask(egress, get(upstream.port))).toMatchObject({ body: 'ok' });
    expect(upstream.sockets).toHaveLength(2);
  });
});
