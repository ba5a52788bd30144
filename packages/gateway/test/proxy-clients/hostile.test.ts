import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { type Certificate, createTestCa, startEchoServer, type TestCa } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openReach, type Reach } from './clients-fixture.ts';
import { proxied } from './proxied.ts';

const VALUE = 'lent-to-a-bad-host-3b9d51c7';

/** A server that answers with bytes, whatever it is asked. */
async function startBad(certificate: Certificate, act: (socket: TLSSocket) => void): Promise<string> {
  const sockets = new Set<TLSSocket>();
  const server = createTlsServer(certificate, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => act(socket));
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // `as`: a server that listens on an address has an AddressInfo
  return `https://localhost:${(server.address() as AddressInfo).port}/x`;
}

describe('a host that misbehaves', () => {
  let ca: TestCa;
  let reach: Reach;
  beforeAll(async () => {
    ca = await createTestCa();
    reach = await openReach({
      ca,
      env: { VALUE },
      agent: '{ permissions: ["allow:*"], credentials: [main] }',
      tenant: 'credentials: { main: { kind: bearer, source: "env:VALUE", hosts: [localhost] } }',
      top: 'routes: [{ host: localhost, credential: main }]',
    });
  });
  afterAll(() => reach[Symbol.asyncDispose]());

  const send = (bytes: string) => (socket: TLSSocket) => void socket.write(bytes);
  const cut = (bytes: string) => (socket: TLSSocket) => void socket.write(bytes, () => socket.destroy());

  test.each<{ why: string; act: (socket: TLSSocket) => void; status: number; code: string }>([
    {
      why: 'resets in the middle of a body',
      act: cut('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
      status: 200,
      code: 'UpstreamBroken',
    },
    {
      why: 'ends before the length that it said',
      act: (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
      status: 200,
      code: 'UpstreamBroken',
    },
    {
      why: 'says two lengths',
      act: send('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\nhalf'),
      status: 502,
      code: 'UpstreamBroken',
    },
    {
      why: 'floods with interim answers',
      act: send('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)),
      status: 502,
      code: 'UpstreamBroken',
    },
    { why: 'hangs up', act: (socket) => void socket.destroy(), status: 502, code: 'UpstreamBroken' },
    {
      why: 'speaks something else',
      act: send('220 mail ESMTP\r\n\r\n'),
      status: 502,
      code: 'UpstreamBroken',
    },
  ])('and $why is told as such, to the agent and in the trail', async ({ act, status, code }) => {
    const url = await startBad(await ca.issue(['localhost']), act);
    const before = (await reach.events('ProxyEvent::RequestAllowed')).length;
    const answer = await proxied(reach, url);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.isWhole).toBe(false);
    else expect(answer.error).toMatchObject({ code, action_id: expect.stringMatching(/^act_/) });
    expect(JSON.stringify([answer.headers, answer.text])).not.toContain(VALUE);
    const events = await reach.eventsOnce('ProxyEvent::RequestAllowed', before + 1);
    expect(events.map(({ data }) => data)).toContainEqual(expect.objectContaining({ status, error: code }));
  });

  test.each<{ why: string; make: () => Promise<Certificate>; says: string }>([
    { why: 'has expired', make: () => ca.issue(['localhost'], { expired: true }), says: 'expired' },
    { why: 'is for another host', make: () => ca.issue(['other.example.com']), says: 'another host' },
    {
      why: 'comes from someone unknown',
      make: async () => (await createTestCa()).issue(['localhost']),
      says: '',
    },
  ])('[CR-2] whose certificate $why gets neither request nor credential', async ({ make, says }) => {
    let heard = 0;
    const url = await startBad(await make(), () => {
      heard += 1;
    });
    const answer = await proxied(reach, url);
    expect([answer.status, answer.error?.code]).toEqual([502, 'UpstreamTlsFailed']);
    expect(answer.error?.message).toContain(says);
    expect(heard).toBe(0);
  });

  test('and never answers keeps nobody who leaves', async () => {
    const closed = Promise.withResolvers<void>();
    const heard = Promise.withResolvers<void>();
    const url = await startBad(await ca.issue(['localhost']), (socket) => {
      socket.once('close', closed.resolve);
      heard.resolve();
    });
    const leaving = new AbortController();
    const answer = proxied(reach, url, { signal: leaving.signal }).catch((error: Error) => error.name);
    await heard.promise;
    leaving.abort();
    expect(await answer).toBe('AbortError');
    await closed.promise;
  });

  test.each(['http://169.254.169.254/latest/meta-data/', 'http://127.0.0.1:1/', 'https://localhost/'])(
    '[NE-7] that redirects to %s is quoted, not followed',
    async (location) => {
      await using echo = await startEchoServer({
        ca,
        handler(_request, response) {
          response.statusCode = 302;
          response.setHeader('location', location);
          response.end();
          return true;
        },
      });
      const answer = await proxied(reach, `${echo.url}/x`);
      expect([answer.status, answer.headers.location]).toEqual([302, location]);
      expect(echo.begun).toBe(1);
    },
  );

  test('[NE-3] the metadata address is closed, though the network opens everything else', async () => {
    const answer = await proxied(reach, 'http://169.254.169.254/latest/meta-data/');
    expect([answer.status, answer.error?.code]).toEqual([403, 'AddressClosed']);
  });

  test("[NE-3] the gateway's own listeners are closed, though the network opens loopback", async () => {
    const { api, operator, proxy } = reach.gateway.ports;
    for (const port of [api, operator, proxy]) {
      const answer = await proxied(reach, `http://127.0.0.1:${port}/healthz`);
      expect([answer.status, answer.error?.code]).toEqual([403, 'AddressClosed']);
    }
  });
});
