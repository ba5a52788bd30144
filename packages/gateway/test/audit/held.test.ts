import type { NewEvent } from '@sallyport/protocol';
import { waitUntil } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { verifyTrail } from '../../src/audit/index.ts';
import { judged } from './sample-events.ts';
import { openHome, trailHome } from './trail-harness.ts';

type Home = Awaited<ReturnType<typeof openHome>>;

function outcomeOf(n: number, data: NewEvent['data'] = { status: 200 }): NewEvent {
  return { ...judged(n), type: 'ProxyEvent::RequestAllowed', data };
}

async function eventsOf({ trail }: Home): Promise<readonly { type: string; data: NewEvent['data'] }[]> {
  const { items } = await trail.read({ limit: 100, order: 'asc' });
  // our own events, read back
  return items.map(({ json }) => JSON.parse(json) as { type: string; data: NewEvent['data'] });
}

test('[TR-4] an outcome that comes at once is one event with what it is the outcome of', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home);
  const held = opened.trail.hold(judged(1));
  opened.trail.note(judged(2));
  held.settle(outcomeOf(1, { status: 204, bearer: 'a-value-that-nobody-may-see' }));
  await opened.trail.drain();
  const events = await eventsOf(opened);
  expect(events.map(({ type }) => type)).toEqual(['ProxyEvent::RequestAllowed', 'ActionEvent::Judged']);
  expect(events[0]?.data).toMatchObject({ path: '/things/1', status: 204, bearer: '[redacted]' });
  const verify = verifyTrail({ store: opened.store, publicKeys: [opened.trail.publicKey] });
  expect(await verify).toMatchObject({ ok: true });
});

test('[TR-4] an outcome that comes later is an event of its own, and each of the two is there once', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home);
  const held = opened.trail.hold(judged(1));
  await waitUntil('the event to be stored by itself', async () => (await eventsOf(opened)).length === 1);
  held.settle(outcomeOf(1));
  held.settle(outcomeOf(1, { status: 500 }));
  await opened.trail.drain();
  const events = await eventsOf(opened);
  expect(events.map(({ data }) => data.status)).toEqual([undefined, 200, 500]);
  expect(events[0]).toMatchObject({ type: 'ActionEvent::Judged', data: { path: '/things/1' } });
});

test('[TR-4] a second outcome does not take the place of the first', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home);
  const held = opened.trail.hold(judged(1));
  held.settle(outcomeOf(1));
  held.settle(outcomeOf(1, { status: 500 }));
  await opened.trail.drain();
  expect((await eventsOf(opened)).map(({ data }) => data.status)).toEqual([200, 500]);
});

test('[TR-4] what waits for its outcome when an event must be durable, or the gateway stops, is stored', async () => {
  await using home = await trailHome();
  {
    await using opened = await openHome(home);
    opened.trail.hold(judged(1));
    expect(await opened.trail.append(judged(2))).toMatchObject({ seq: 2 });
    opened.trail.hold(judged(3));
  }
  await using opened = await openHome(home);
  const paths = (await eventsOf(opened)).map(({ data }) => data.path);
  expect(paths).toEqual(['/things/1', '/things/2', '/things/3']);
});

test('[TR-4] an outcome of another action, or of another tenant, is never taken for this one', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home);
  opened.trail.hold(judged(1)).settle(outcomeOf(2));
  opened.trail.hold(judged(3)).settle({ ...outcomeOf(3), tenant: 'other' });
  await opened.trail.drain();
  const types = (await eventsOf(opened)).map(({ type }) => type).toSorted();
  expect(types).toEqual([
    'ActionEvent::Judged',
    'ActionEvent::Judged',
    'ProxyEvent::RequestAllowed',
    'ProxyEvent::RequestAllowed',
  ]);
});

test('[TR-5] while nothing can be written nothing is held either', async () => {
  await using home = await trailHome();
  const opened = await openHome(home);
  await opened[Symbol.asyncDispose]();
  expect(() => opened.trail.hold(judged(1))).toThrow(expect.objectContaining({ code: 'AuditUnavailable' }));
});

const injected = (n: number) => ({
  ...judged(n),
  type: 'ProxyEvent::CredentialInjected' as const,
  data: { credential: 'some:name', host: 'api.example', token: 'a-value-that-nobody-may-see' },
});

test('[TR-4] what happens on the way is in the same event under its own name, and no secret with it', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home);
  const held = opened.trail.hold(judged(1));
  held.add(injected(1));
  held.settle(outcomeOf(1));
  const other = opened.trail.hold(injected(2), { mayYield: true });
  other.settle(outcomeOf(2, { status: 204 }));
  await opened.trail.drain();
  const also = [
    {
      type: 'ProxyEvent::CredentialInjected',
      credential: 'some:name',
      host: 'api.example',
      token: '[redacted]',
    },
  ];
  expect((await eventsOf(opened)).map(({ type, data }) => ({ type, data }))).toMatchObject([
    { type: 'ProxyEvent::RequestAllowed', data: { path: '/things/1', status: 200, also } },
    { type: 'ProxyEvent::RequestAllowed', data: { status: 204, also } },
  ]);
  // Whoever looks for loans of credentials finds them, wherever they stand.
  const found = await opened.trail.read({ limit: 100, order: 'asc', type: 'ProxyEvent::CredentialInjected' });
  expect(found.items.map(({ seq }) => seq)).toEqual([1, 2]);
});

test('[TR-4] what happens after the event was stored, or to another action, is an event of its own', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home);
  const held = opened.trail.hold(judged(1));
  held.add(injected(2));
  await waitUntil('the event to be stored by itself', async () => (await eventsOf(opened)).length === 2);
  held.add(injected(1));
  await opened.trail.drain();
  expect((await eventsOf(opened)).map(({ type }) => type)).toEqual([
    'ActionEvent::Judged',
    'ProxyEvent::CredentialInjected',
    'ProxyEvent::CredentialInjected',
  ]);
});

test('[TR-4] what may yield to an event that must be durable is stored once all the same, with an outcome or without', async () => {
  await using home = await trailHome();
  {
    await using opened = await openHome(home);
    const first = opened.trail.hold(injected(1), { mayYield: true });
    await opened.trail.append(judged(2));
    first.settle(outcomeOf(1));
    opened.trail.hold(injected(3), { mayYield: true });
  }
  await using opened = await openHome(home);
  const events = await eventsOf(opened);
  const count = (type: string): number =>
    events.filter((event) => JSON.stringify(event).includes(type)).length;
  expect(['ActionEvent::Judged', 'CredentialInjected', 'RequestAllowed'].map(count)).toEqual([1, 2, 1]);
  const verify = verifyTrail({ store: opened.store, publicKeys: [opened.trail.publicKey] });
  expect(await verify).toMatchObject({ ok: true });
});
