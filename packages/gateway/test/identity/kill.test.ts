import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type TempDir, tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { IdentityFixture } from './identity-fixture.ts';

const GATEWAY = fileURLToPath(new URL('./fixtures/enrolling-gateway.ts', import.meta.url));

let home: TempDir;
beforeEach(async () => {
  home = await tempDir();
});
afterEach(() => home.remove());

test('[TR-1] a session that was acknowledged survives kill -9, and so does its event', async () => {
  const gateway = spawn(process.execPath, [GATEWAY, home.path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const tokens: string[] = [];
  for await (const token of createInterface({ input: gateway.stdout })) {
    tokens.push(token);
    if (tokens.length === 15) gateway.kill('SIGKILL');
  }
  expect(tokens.length).toBeGreaterThanOrEqual(15);

  const store = await openStore({ sqliteFile: `${home.path}/sallyport.db` });
  const world = new IdentityFixture(store);
  // The sessions were opened at the time of the machine.
  world.clock.advance(Date.now() - world.clock.now());
  const sessions = await world.gateway();
  for (const token of tokens) {
    const { id } = await sessions.authenticate(token);
    const events = await store.db
      .selectFrom('events')
      .select('type')
      .where('json', 'like', `%${id}%`)
      .execute();
    expect(events).toEqual([{ type: 'SessionEvent::Opened' }]);
  }
  await world.reset();
  await store.close();
});
