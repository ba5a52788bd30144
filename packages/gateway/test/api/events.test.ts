import { openSse, type SseStream, startTestGateway, type TestGateway, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ heartbeatMs: 50 });
});
afterAll(() => gateway.close());

function open(query = '', lastEventId?: string): Promise<SseStream> {
  return openSse(`${gateway.urls.operator}/v1/events${query}`, {
    token: gateway.operatorToken,
    ...(lastEventId === undefined ? {} : { lastEventId }),
  });
}

async function makeKey(name: string): Promise<void> {
  expect((await gateway.operator('/v1/keys', { json: { name } })).status).toBe(201);
}

async function nextKeyName(stream: SseStream): Promise<string> {
  return JSON.parse((await stream.next()).data).data.name;
}

test('events arrive as they happen, with their id and type', async () => {
  await using stream = await open();
  await makeKey('live');
  const message = await stream.next();
  const event = JSON.parse(message.data);
  expect(message).toMatchObject({ id: event.id, event: 'IdentityEvent::KeyCreated' });
  expect(event.data.name).toBe('live');
});

test('a stream resumed after `Last-Event-ID` misses nothing and repeats nothing', async () => {
  const first = await open();
  await makeKey('before');
  const { id } = await first.next();
  first.close();
  for (const name of ['a', 'b', 'c']) await makeKey(name);
  await using second = await open('', id);
  await makeKey('d');
  const names = [];
  for (let i = 0; i < 4; i += 1) names.push(await nextKeyName(second));
  expect(names).toEqual(['a', 'b', 'c', 'd']);
});

test('a filter by type lets nothing else through', async () => {
  await using stream = await open('?type=IdentityEvent::KeyRevoked');
  await makeKey('unseen');
  const { id } = (await gateway.operator('/v1/keys', { json: { name: 'gone' } })).json<{ id: string }>();
  await gateway.operator(`/v1/keys/${id}`, { method: 'DELETE' });
  expect(await nextKeyName(stream)).toBe('gone');
});

test('a filter by tenant lets nothing of another through', async () => {
  await using stream = await open('?tenant=ghost');
  await makeKey('of default');
  await waitFor('three beats', () => expect(stream.comments.length).toBeGreaterThan(2));
  const next = stream.next().catch(() => 'nothing came');
  stream.close();
  expect(await next).toBe('nothing came');
});

test('a quiet stream carries heartbeats', async () => {
  await using stream = await open('?type=GatewayEvent::Killed');
  const ended = stream.next().catch(() => undefined);
  await waitFor('a beat', () => expect(stream.comments).toContain('beat'));
  stream.close();
  await ended;
});

test.each(['evt_', 'nonsense', '../x'])('a `Last-Event-ID` of `%s` is refused', async (lastEventId) => {
  const stream = await open('', lastEventId);
  expect(stream.status).toBe(400);
  stream.close();
});

test('streams end when the gateway stops, which they do not hold up', async () => {
  const other = await startTestGateway();
  const stream = await openSse(`${other.urls.operator}/v1/events?type=SessionEvent::Renewed`, {
    token: other.operatorToken,
  });
  const ended = expect(stream.next()).rejects.toThrow();
  await other.close();
  await ended;
});
