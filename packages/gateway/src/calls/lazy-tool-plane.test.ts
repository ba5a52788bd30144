import { waitUntil } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { LazyToolPlane } from './lazy-tool-plane.ts';
import type { ToolPlane } from './tool-plane.ts';

test('[CF-1] a change that comes while the tools are set up is in force when they are', async () => {
  let config = 1;
  const applied: number[] = [];
  const gate = Promise.withResolvers<void>();
  const plane = {
    async apply() {
      applied.push(config);
      if (applied.length === 1) await gate.promise;
    },
    async close() {},
  } as unknown as ToolPlane; // no other member is asked for
  const lazy = new LazyToolPlane({
    load: async () => plane,
    isNeeded: () => true,
    onProblem: (error) => {
      throw error;
    },
  });
  lazy.apply();
  await waitUntil('the first round', () => applied.length === 1);
  config = 2;
  lazy.apply();
  gate.resolve();
  await lazy.open();
  expect(applied).toEqual([1, 2]);
  await lazy.close();
});
