import { FakeClock, tempDir } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { LiveSessions } from '../../src/identity/live-sessions.ts';
import { openStore, type SessionRecord, SessionsRepository } from '../../src/store/index.ts';

/** Reads as it should, but the answer reaches its reader only when the test lets it. */
class SlowRepository extends SessionsRepository {
  readonly #read = Promise.withResolvers<void>();
  readonly #release = Promise.withResolvers<void>();
  readonly hasRead = this.#read.promise;

  release(): void {
    this.#release.resolve();
  }

  override async findByTokenHash(tokenHash: string): Promise<SessionRecord | undefined> {
    const row = await super.findByTokenHash(tokenHash);
    this.#read.resolve();
    await this.#release.promise;
    return row;
  }
}

test('[ID-3] a row that was read before the session ended is not believed afterwards', async () => {
  await using dir = await tempDir();
  const store = await openStore({ sqliteFile: `${dir.path}/sallyport.db` });
  const repository = new SlowRepository(store);
  const clock = new FakeClock();
  const id = 'sess_1';
  await repository.insertBelow(
    {
      ...{ id, tenant: 'red', user: 'ana', agent: 'main', chain: ['main'], confinement: 'jailed' },
      ...{ credentials: [], createdAt: clock.now(), expiresAt: clock.now() + 1_000, tokenHash: 'hash' },
    },
    50,
  );
  const live = new LiveSessions(repository, clock, false);

  const lookup = live.find('hash');
  await repository.hasRead;
  live.bury(id, 'over');
  await repository.end('red', id, clock.now(), 'over');
  live.confirm(id);
  repository.release();

  expect(await lookup).toBeUndefined();
  expect(await live.find('hash')).toBeUndefined();
  expect(live.signalOf(id).aborted).toBe(true);
  await store.close();
});
