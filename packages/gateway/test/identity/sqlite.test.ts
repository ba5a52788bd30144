import { type TempDir, tempDir } from '@sallyport/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { describeApiKeysContract } from './api-keys.contract.ts';
import { describeEndingsContract } from './endings.contract.ts';
import { describeEnrollmentContract } from './enrollment.contract.ts';
import { IdentityFixture, OPERATOR, outcome, request } from './identity-fixture.ts';
import { describeSessionsContract } from './sessions.contract.ts';

let dir: TempDir;
let files = 0;
beforeAll(async () => {
  dir = await tempDir();
});
afterAll(() => dir.remove());

async function fresh(): Promise<{ sqliteFile: string }> {
  files += 1;
  return { sqliteFile: `${dir.path}/${files}.db` };
}

describeSessionsContract('SQLite', fresh);
describeEndingsContract('SQLite', fresh);
describeEnrollmentContract('SQLite', fresh);
describeApiKeysContract('SQLite', fresh);

test.each([
  { what: 'one end', end: 'one' },
  { what: 'the kill switch', end: 'all' },
])('[ID-3] $what holds although the store cannot be written, and is stored later', async ({ end }) => {
  const store = await openStore(await fresh());
  const world = new IdentityFixture(store);
  const sessions = await world.gateway();
  const { token, session } = await sessions.open(request());
  const signal = sessions.signalOf(session.id);

  await sql`pragma query_only = on`.execute(store.db);
  const ending =
    end === 'one' ? sessions.end(session.id, 'over', OPERATOR) : sessions.endAll('over', OPERATOR);
  expect(await outcome(ending)).toMatchObject({ code: 'StoreUnusable' });
  expect(signal.aborted).toBe(true);
  // The row still says "alive": only the gateway knows better.
  expect((await sessions.list('red', {}, true)).items).toHaveLength(1);
  expect(await outcome(sessions.authenticate(token.reveal()))).toMatchObject({ code: 'NotAuthenticated' });
  await expect(sessions.sweep()).rejects.toMatchObject({ code: 'StoreUnusable' });

  await sql`pragma query_only = off`.execute(store.db);
  await sessions.sweep();
  expect(await sessions.get('red', session.id)).toMatchObject({ endReason: 'over' });
  expect(world.trail.of('SessionEvent::Ended')).toHaveLength(1);
  expect(await outcome(sessions.open(request()))).toBe('ok');
  await world.reset();
  await store.close();
});

test('[ID-3] an expired session loses its connections although the store cannot be written', async () => {
  const store = await openStore(await fresh());
  const world = new IdentityFixture(store);
  const sessions = await world.gateway();
  const { session } = await sessions.open(request({ ttlMs: 1_000 }));
  const signal = sessions.signalOf(session.id);
  await sql`pragma query_only = on`.execute(store.db);
  world.clock.advance(1_000);
  await expect(sessions.sweep()).rejects.toMatchObject({ code: 'StoreUnusable' });
  expect(signal.aborted).toBe(true);
  await sql`pragma query_only = off`.execute(store.db);
  await world.reset();
  await store.close();
});
