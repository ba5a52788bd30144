import { waitFor } from '@sallyport/testkit/wait';
import { expect, test } from 'vitest';
import { Rounds } from './one-at-a-time.ts';

test('what is asked for while a round runs is done after it, once for all who asked', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  let seen = 0;
  let value = 0;
  const rounds = new Rounds(async () => {
    seen = value;
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
  });
  value = 1;
  const first = rounds.run();
  value = 2;
  const others = [rounds.run(), rounds.run()];
  expect(gates).toHaveLength(1);
  gates[0]?.reject(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  await waitFor('two gates', () => expect(gates).toHaveLength(2));
  expect(seen).toBe(2);
  value = 3;
  const last = rounds.run();
  gates[1]?.resolve();
  await Promise.all(others);
  await waitFor('three gates', () => expect(gates).toHaveLength(3));
  gates[2]?.resolve();
  await last;
  expect([seen, gates.length]).toEqual([3, 3]);
});
