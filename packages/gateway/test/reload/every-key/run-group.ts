import { waitFor } from '@sallyport/testkit';
import { sample } from '@sallyport/testkit/rounds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Case, changedPaths, type Draft, type Group, isOf, type OpenWorld } from './cases.ts';

const PATIENCE = { timeoutMs: 10_000, intervalMs: 50 };

interface Reloaded {
  readonly config: { readonly needs_restart: readonly string[] };
}

/** Writes a config, and has it read: what is named as needing a restart. */
export async function put({ gateway }: Pick<OpenWorld, 'gateway'>, draft: Draft): Promise<readonly string[]> {
  await gateway.writeConfig(JSON.stringify(draft));
  const answer = await gateway.operator('/v1/config/reload', { method: 'POST' });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<Reloaded>().config.needs_restart;
}

/** Changes each key of a group on one running gateway, and sees that something else happens then. */
export function runGroup<See, World extends OpenWorld>(group: Group<See, World>): void {
  describe(`[CF-1] ${group.name}`, () => {
    let world: World;
    const seen = new Map<string, unknown>();
    beforeAll(async () => {
      world = await group.open();
    });
    afterAll(() => world?.[Symbol.asyncDispose]());

    const look = async (draft: Draft, see: See): Promise<unknown> => {
      const key = JSON.stringify([draft, see]);
      // What was settled is so no more once another config was in force.
      if (!seen.has(key) || group.settle !== undefined) {
        await put(world, draft);
        await group.settle?.(world, see, draft);
        seen.set(key, await group.look(world, see));
      }
      return seen.get(key);
    };

    const cases = Object.entries(group.cases).flatMap(([key, value]) =>
      (Array.isArray(value) ? (value as readonly Case<See>[]) : [value as Case<See>]).map((one, index) => ({
        key: index === 0 ? key : `${key} (${index + 1})`,
        pattern: key,
        one,
      })),
    );
    for (const { key, pattern, one } of sample(cases)) {
      test(key, async () => {
        const before = structuredClone(world.base);
        one.given?.(before);
        const after = structuredClone(before);
        one.change(after);
        const changed = changedPaths(before, after);
        expect(changed.length, 'nothing was changed').toBeGreaterThan(0);
        for (const path of changed) {
          const isMeant = [pattern, ...(one.also ?? [])].some((own) => isOf(own, path));
          expect(isMeant, `${path} was changed`).toBe(true);
        }
        const first = await look(before, one.see);
        expect(await put(world, after)).toEqual([]);
        // Within a second; the machine of a test may be busy.
        await waitFor(
          'something else to be seen',
          async () => expect(await group.look(world, one.see)).not.toEqual(first),
          PATIENCE,
        );
      });
    }
  });
}
