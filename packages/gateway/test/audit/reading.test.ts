import { expect, test } from 'vitest';
import type { FeedLine } from '../../src/audit/index.ts';
import { judged } from './sample-events.ts';
import { openHome, trailHome } from './trail-harness.ts';

async function take(feed: AsyncIterable<FeedLine>, count: number): Promise<FeedLine[]> {
  const lines: FeedLine[] = [];
  for await (const line of feed) if (lines.push(line) >= count) break;
  return lines;
}

test('reads by tenant, type, action, text and time, in pages that leave nothing out and nothing twice', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home);
  const { trail } = opened;
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();
  await Promise.all(
    Array.from({ length: 5_000 }, (_, n) =>
      trail.append(judged(n, { at: at(n), tenant: n % 2 ? 'b' : 'a' })),
    ),
  );
  await trail.append(judged(9, { tenant: 'a', type: 'GatewayEvent::Started', data: { odd: '100%_\\' } }));

  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await trail.read({ limit: 700, order: 'asc', cursor });
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toHaveLength(5_001);
  expect(new Set(seen).size).toBe(5_001);
  expect(seen).toEqual([...seen].sort());

  const count = async (query: object) => (await trail.read({ limit: 1_000, ...query })).items.length;
  expect(await count({ tenant: 'a', type: 'GatewayEvent::Started' })).toBe(1);
  expect(await count({ tenant: 'b', type: 'GatewayEvent::Started' })).toBe(0);
  expect(await count({ actionId: judged(7).action_id })).toBe(1);
  expect(await count({ text: '/things/4321"' })).toBe(1);
  expect(await count({ text: '%_' })).toBe(1);
  expect(await count({ text: '100__' })).toBe(0);
  expect(await count({ since: Date.parse(at(10)), until: Date.parse(at(20)), tenant: 'b' })).toBe(5);
  const newest = await trail.read({ tenant: 'a', limit: 2 });
  expect(newest.items.map(({ seq }) => seq)).toEqual([2_501, 2_500]);

  const [first] = newest.items;
  expect(await trail.get(first?.id ?? '')).toMatchObject({ seq: 2_501 });
  expect(await trail.get(first?.id ?? '', 'b')).toBeUndefined();

  let exported = 0;
  for await (const line of trail.export({ tenant: 'b' })) {
    exported += 1;
    expect(line.endsWith('}\n')).toBe(true);
  }
  expect(exported).toBe(2_500);
  await expect(trail.read({ limit: 0 })).rejects.toMatchObject({ code: 'BadRequest' });
});

test('a subscriber resumes after the event it has, goes from stored to live, and sees each event once', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home);
  const { trail } = opened;
  const ids: string[] = [];
  for (let n = 1; n <= 300; n += 1)
    ids.push((await trail.append(judged(n, { tenant: n % 3 ? 'a' : 'b' }))).id);
  const stop = new AbortController();
  const all = take(trail.subscribe({ lastEventId: ids[99], signal: stop.signal }), 400);
  const one = take(trail.subscribe({ tenant: 'a', afterSeq: 10, signal: stop.signal }), 300);
  const live = take(trail.subscribe({ signal: stop.signal }), 100);
  for (let n = 301; n <= 600; n += 1)
    ids.push((await trail.append(judged(n, { tenant: n % 3 ? 'a' : 'b' }))).id);
  expect((await all).map(({ id }) => id)).toEqual(ids.slice(100, 500));
  expect((await one).map(({ seq }) => seq)).toEqual(Array.from({ length: 300 }, (_, i) => i + 11));
  const heard = (await live).map(({ id }) => id);
  expect(heard).toEqual(ids.slice(ids.indexOf(heard[0] ?? ''), ids.indexOf(heard[0] ?? '') + 100));
  stop.abort();
});

test('a subscriber that is far behind reads the database and loses nothing', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home);
  const { trail } = opened;
  const feed = trail.subscribe({ tenant: 'default', afterSeq: 0, signal: new AbortController().signal });
  await trail.append(judged(1));
  const first = await feed.next();
  // More than the feed keeps in memory
  await Promise.all(Array.from({ length: 20_000 }, (_, n) => trail.append(judged(n))));
  const rest = await take(feed, 20_000);
  expect([first.value, ...rest].map((line: FeedLine) => line.seq)).toEqual(
    Array.from({ length: 20_001 }, (_, i) => i + 1),
  );
});

test('a subscription ends when its signal aborts', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home);
  const stop = new AbortController();
  const feed = opened.trail.subscribe({ signal: stop.signal });
  const next = feed.next();
  stop.abort();
  expect(await next).toMatchObject({ done: true });
});
