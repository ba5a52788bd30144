import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { listenOnFreePort, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Front, openFront } from './front-fixture.ts';

let front: Front;
let service: Server;
let port = 0;
let own = 0;
let dialled = 0;

beforeAll(async () => {
  service = createServer({ allowHalfOpen: true }, (socket) => {
    dialled += 1;
    socket.on('data', (chunk: Buffer) => socket.write(`heard ${chunk.toString()}`));
    socket.on('end', () => socket.end(' and over'));
    socket.on('error', () => socket.destroy());
  });
  port = await listenOnFreePort(service);
  const other = createServer();
  own = await listenOnFreePort(other);
  front = await openFront({
    ownPorts: [own],
    // Nothing of this machine is open by the policy: what a person opened for a run is.
    config: { network: { default: 'ask', allow_private: [] }, tenants: { default: { exceptions: [] } } },
  });
  other.close();
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  service.close();
});
beforeEach(() => {
  dialled = 0;
  front.questions.length = 0;
  front.trail.events.length = 0;
  front.people = 'yes';
});

/** A connection that reaches the door as the socket of a forwarded port does. */
async function forwarded(to: number): Promise<Socket> {
  const entry = createServer({ allowHalfOpen: true }, (socket) => {
    front.door.forward(socket, front.session.session, to);
    entry.close();
  });
  const client = connect({ port: await listenOnFreePort(entry), host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => client.destroy());
  await once(client, 'connect');
  return client;
}

async function textOf(client: Socket): Promise<string> {
  let text = '';
  client.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await Promise.race([once(client, 'end'), once(client, 'close')]);
  client.destroy();
  return text;
}

describe('a forwarded port', () => {
  test('[GA-1] is asked about each time, and dialled with the permit of that answer', async () => {
    const client = await forwarded(port);
    const whole = textOf(client);
    client.write('hello');
    await once(client, 'data');
    // It ends its side, and what the service says then still comes.
    client.end();
    expect(await whole).toBe('heard hello and over');
    expect(front.questions.map(({ strength }) => strength)).toEqual(['each-time']);
    expect(dialled).toBe(1);
    await waitFor('the connection in the trail', () =>
      expect(front.events('ProxyEvent::RequestAllowed')).toMatchObject([{ status: 200, host: '127.0.0.1' }]),
    );
  });

  test('[GA-1] is not dialled when people say no', async () => {
    front.people = 'no';
    expect(await textOf(await forwarded(port))).toBe('');
    expect(dialled).toBe(0);
  });

  test("[ID-1] [NE-12] of the gateway's own is refused before anyone is asked", async () => {
    expect(await textOf(await forwarded(own))).toBe('');
    expect(front.questions).toEqual([]);
    await waitFor('the refusal in the trail', () =>
      expect(front.events('MCPToolEvent::ToolPolicyViolation')).toMatchObject([
        { violation: 'AddressClosed' },
      ]),
    );
  });

  test('that nobody listens on is recorded as what it is', async () => {
    const free = createServer();
    const nobody = await listenOnFreePort(free);
    free.close();
    await once(free, 'close');
    expect(await textOf(await forwarded(nobody))).toBe('');
    await waitFor('the connection in the trail', () =>
      expect(front.events('ProxyEvent::RequestAllowed')).toMatchObject([
        { status: 502, error: 'UpstreamUnreachable' },
      ]),
    );
  });
});
