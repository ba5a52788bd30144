import { waitUntil } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Coordination, LeasedJob, type Woken } from '../../src/coordination/index.ts';

/** Two gateways with one state, and a way to let time pass for it. */
export interface SharedState {
  readonly red: Coordination;
  readonly blue: Coordination;
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

const AT_ONCE = 20;

/** What memory and Postgres promise of `Coordination`. */
export function describeCoordinationContract(name: string, open: () => Promise<SharedState>): void {
  describe(`${name} as Coordination`, () => {
    let state: SharedState;
    let red: Coordination;
    let blue: Coordination;
    beforeEach(async () => {
      state = await open();
      ({ red, blue } = state);
    });
    afterEach(() => state.close());

    // Minutes, because the clock of a real server goes on while a test runs.
    describe('counters', () => {
      const of = (over: 'window' | 'minutes' | 'total', ms: number, keys = 100) => {
        const space = { name: `test.${over}`, keys, over, ms };
        return [red.counters(space), blue.counters(space)] as const;
      };

      test.each(['window', 'minutes', 'total'] as const)(
        '%s: what one gateway counts the other sees, and each gets the count from before its own',
        async (over) => {
          const [here, there] = of(over, 3_600_000);
          expect(await here.read('a')).toBe(0);
          expect(await here.add('a')).toBe(0);
          expect(await there.add('a')).toBe(1);
          expect(await here.add('a')).toBe(2);
          expect([await here.read('a'), await there.read('a'), await there.read('b')]).toEqual([3, 3, 0]);
          expect(await here.read('a', 0)).toBe(2);
        },
      );

      test.each(['window', 'minutes', 'total'] as const)(
        '%s: those who count at the same moment all get different answers',
        async (over) => {
          const both = of(over, 3_600_000);
          const adds = Array.from({ length: AT_ONCE }, (_, i) => both[i % 2]?.add('a'));
          const answers = (await Promise.all(adds)).toSorted((a, b) => (a ?? 0) - (b ?? 0));
          expect(answers).toEqual(Array.from({ length: AT_ONCE }, (_, i) => i));
        },
      );

      test('a window begins with the first count, and further ones do not make it longer', async () => {
        const [here, there] = of('window', 600_000);
        await here.add('a');
        await state.advance(540_000);
        expect(await there.add('a')).toBe(1);
        await state.advance(60_000);
        expect(await there.read('a')).toBe(0);
        expect(await here.add('a')).toBe(0);
      });

      test('a total lasts as long as it is counted on', async () => {
        const [here, there] = of('total', 600_000);
        await here.add('a');
        await state.advance(540_000);
        await there.add('a');
        await state.advance(540_000);
        expect(await here.read('a')).toBe(2);
        await state.advance(60_000);
        expect(await here.read('a')).toBe(0);
      });

      test('minutes leave one after the other', async () => {
        const [here, there] = of('minutes', 3_600_000);
        await here.add('a');
        await state.advance(30 * 60_000);
        await there.add('a');
        expect(await here.read('a')).toBe(2);
        await state.advance(30 * 60_000);
        expect(await here.read('a')).toBe(1);
        // The caller's own is out of the hour by now, so nothing is taken off for it.
        expect(await here.read('a', 3_600_000)).toBe(1);
        await state.advance(30 * 60_000);
        expect(await here.read('a')).toBe(0);
      });
    });

    describe('sliding counters', () => {
      const limit = { windowMs: 600_000, calls: 3 };
      const space = { name: 'test.sliding', keys: 100 };

      test('a call is counted for exactly its window, at every gateway', async () => {
        const [here, there] = [red.slidingCounters(space), blue.slidingCounters(space)];
        expect([await here.add('a', limit), await there.add('a', limit)]).toEqual([0, 1]);
        await state.advance(360_000);
        expect(await here.add('a', limit)).toBe(2);
        await state.advance(240_001);
        expect(await there.read('a', limit)).toBe(1);
        expect(await there.read('a', limit, 240_001)).toBe(0);
        expect(await there.read('a', limit, 600_001)).toBe(1);
      });

      test('a flood of refused calls is over the limit, keeps the key busy, and grows nothing', async () => {
        const here = red.slidingCounters(space);
        for (let i = 0; i < 10; i += 1) await here.add('a', limit);
        expect(await here.read('a', limit)).toBe(limit.calls + 1);
        await state.advance(540_000);
        await here.add('a', limit);
        await state.advance(120_000);
        expect(await here.read('a', limit)).toBe(1);
      });

      test('no more than the limit pass, however many come at once to both', async () => {
        const both = [red.slidingCounters(space), blue.slidingCounters(space)] as const;
        const adds = Array.from({ length: AT_ONCE }, (_, i) => both[i % 2]?.add('a', limit));
        const passed = (await Promise.all(adds)).filter((before) => (before ?? 0) < limit.calls);
        expect(passed).toHaveLength(limit.calls);
      });
    });

    describe('one-time names', () => {
      const space = { name: 'test.once', ms: 600_000, most: 5 };

      test('a name is new once, at one gateway', async () => {
        const [here, there] = [red.oneTime(space), blue.oneTime(space)];
        expect(await here.take('n')).toBe('new');
        expect([await here.take('n'), await there.take('n')]).toEqual(['seen', 'seen']);
        expect(await there.take('n', 'another group')).toBe('new');
      });

      test('of many at the same moment one is first', async () => {
        const both = [red.oneTime(space), blue.oneTime(space)] as const;
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => both[i % 2]?.take('n')));
        expect(answers.filter((answer) => answer === 'new')).toHaveLength(1);
        expect(answers.filter((answer) => answer === 'seen')).toHaveLength(AT_ONCE - 1);
      });

      test('a name is remembered for all of its time', async () => {
        const here = red.oneTime(space);
        await state.advance(540_000);
        await here.take('n');
        await state.advance(540_000);
        expect(await here.take('n')).toBe('seen');
        await state.advance(1_800_000);
        expect(await here.take('n')).toBe('new');
      });

      test('a full group takes no more, forgets nothing, and is no trouble to another', async () => {
        const [here, there] = [red.oneTime(space), blue.oneTime(space)];
        for (let i = 0; i < space.most; i += 1) expect(await here.take(`n${i}`)).toBe('new');
        expect(await there.take('one more')).toBe('full');
        expect(await there.take('n0')).toBe('seen');
        expect(await here.take('one more', 'another')).toBe('new');
        await state.advance(1_800_000);
        expect(await there.take('one more')).toBe('new');
      });
    });

    describe('codes', () => {
      const space = { name: 'test.codes', ms: 600_000, most: 3, whenFull: 'refuse' } as const;

      test('a code is good once, at either gateway', async () => {
        const [here, there] = [red.codes(space), blue.codes(space)];
        expect(await here.keep('c', { for: 'you' })).toBe('kept');
        expect([await there.peek('c'), await there.peek('d')]).toEqual([{ for: 'you' }, undefined]);
        expect(await there.take('c')).toEqual({ for: 'you' });
        expect([await here.take('c'), await here.peek('c')]).toEqual([undefined, undefined]);
      });

      test('of many who send it at the same moment one gets what it stands for', async () => {
        const both = [red.codes(space), blue.codes(space)] as const;
        await both[0].keep('c', { n: 1 });
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => both[i % 2]?.take('c')));
        expect(answers.filter((answer) => answer !== undefined)).toEqual([{ n: 1 }]);
      });

      test('after its time it is nothing', async () => {
        const here = red.codes(space);
        await here.keep('c', { n: 1 });
        await state.advance(540_000);
        expect(await here.peek('c')).toEqual({ n: 1 });
        await state.advance(60_000);
        expect([await here.peek('c'), await here.take('c')]).toEqual([undefined, undefined]);
      });

      test('one that is kept again has the new meaning and the new time', async () => {
        const [here, there] = [red.codes(space), blue.codes(space)];
        await here.keep('c', { n: 1 });
        await state.advance(540_000);
        await there.keep('c', { n: 2 });
        await state.advance(540_000);
        expect(await here.take('c')).toEqual({ n: 2 });
      });

      test('a full space refuses, until one is taken or over', async () => {
        const [here, there] = [red.codes(space), blue.codes(space)];
        for (const name of ['a', 'b', 'c']) expect(await here.keep(name, {})).toBe('kept');
        expect(await there.keep('d', {})).toBe('full');
        expect(await there.keep('a', { again: true })).toBe('kept');
        await here.take('b');
        expect(await there.keep('d', {})).toBe('kept');
        await state.advance(600_000);
        expect(await there.keep('e', {})).toBe('kept');
      });

      test('a space that forgets gives up its oldest', async () => {
        const forgetful = { ...space, name: 'test.forgetful', whenFull: 'forget-oldest' } as const;
        const [here, there] = [red.codes(forgetful), blue.codes(forgetful)];
        for (const name of ['a', 'b', 'c', 'd']) {
          expect(await here.keep(name, { name })).toBe('kept');
          await state.advance(1);
        }
        expect([await there.peek('a'), await there.peek('b')]).toEqual([undefined, { name: 'b' }]);
      });
    });

    describe('leases', () => {
      test('one gateway has it; with the next holder its number grows', async () => {
        const held = await red.leases.take('job', 600_000);
        expect(held).toBeDefined();
        expect(await blue.leases.take('job', 600_000)).toBeUndefined();
        expect(await red.leases.take('job', 600_000)).toBeUndefined();
        expect(await blue.leases.take('another job', 600_000)).toBeDefined();
        await held?.release();
        const next = await blue.leases.take('job', 600_000);
        expect(next?.fence).toBeGreaterThan(held?.fence ?? Number.POSITIVE_INFINITY);
      });

      test('of many who want it at the same moment one gets it', async () => {
        const wants = Array.from({ length: AT_ONCE }, (_, i) =>
          (i % 2 === 0 ? red : blue).leases.take('j', 600_000),
        );
        expect((await Promise.all(wants)).filter((lease) => lease !== undefined)).toHaveLength(1);
      });

      test('who does not renew loses it, and is told so by everything it tries', async () => {
        const dead = await red.leases.take('job', 600_000);
        await state.advance(540_000);
        expect(await dead?.renew()).toBe(true);
        await state.advance(540_000);
        expect(await blue.leases.take('job', 600_000)).toBeUndefined();
        await state.advance(60_000);
        expect(await red.leases.isHeld('job', dead?.fence ?? 0)).toBe(false);
        const next = await blue.leases.take('job', 600_000);
        expect(next).toBeDefined();
        expect(await dead?.renew()).toBe(false);
        await dead?.release();
        expect(await red.leases.isHeld('job', next?.fence ?? 0)).toBe(true);
        expect(await red.leases.isHeld('job', dead?.fence ?? 0)).toBe(false);
      });

      test('a job runs at one gateway, and goes on at the other when it stops there', async () => {
        const ran: string[] = [];
        const job = (name: string, { leases }: Coordination) =>
          new LeasedJob({
            ...{ leases, name: 'job', ms: 600_000, everyMs: 0 },
            round: async () => {
              ran.push(name);
            },
            onProblem: (error) => ran.push(`${name}: ${String(error)}`),
          });
        const first = job('red', red);
        await waitUntil('a round', () => ran.length > 0);
        const second = job('blue', blue);
        await second.tick();
        await first.tick();
        expect(new Set(ran)).toEqual(new Set(['red']));
        await first.stop();
        ran.length = 0;
        await second.tick();
        await waitUntil('a round of the other', () => ran.length > 0);
        expect(new Set(ran)).toEqual(new Set(['blue']));
        await second.stop();
      });

      test('who lost the lease while it worked is told', async () => {
        const signals: AbortSignal[] = [];
        const job = new LeasedJob({
          ...{ leases: red.leases, name: 'job', ms: 3_600_000, everyMs: 0 },
          round: ({ signal }) => {
            signals.push(signal);
            const { promise, resolve } = Promise.withResolvers<void>();
            signal.addEventListener('abort', () => resolve(), { once: true });
            return promise;
          },
          onProblem: () => {},
        });
        const signal = await waitUntil('the round', () => signals[0]);
        await state.advance(3_600_000);
        expect(await blue.leases.take('job', 600_000)).toBeDefined();
        await job.tick();
        expect(signal.aborted).toBe(true);
        await job.stop();
      });
    });

    describe('wake-ups', () => {
      const heard = (gateway: Coordination, topic: string) => {
        const keys: string[] = [];
        const stop = gateway.wakeUps.listen(topic, (woken: Woken) => {
          keys.push(...(woken === 'all' ? ['all'] : woken));
        });
        return { keys, stop };
      };

      test('everybody who listens to the topic is woken, at every gateway', async () => {
        const [here, there, elsewhere] = [heard(red, 't'), heard(blue, 't'), heard(blue, 'other')];
        red.wakeUps.wake('t', 'k');
        await waitUntil('both', () => here.keys.includes('k') && there.keys.includes('k'));
        expect(elsewhere.keys).not.toContain('k');
      });

      test('a thousand at once all arrive', async () => {
        const there = heard(blue, 't');
        const keys = Array.from({ length: 1_000 }, (_, i) => `key-${i}`);
        for (const key of keys) red.wakeUps.wake('t', key);
        await waitUntil('all of them', () => new Set(there.keys).size >= keys.length);
        expect(new Set(there.keys)).toEqual(new Set(keys));
      });

      test('who stopped listening is left alone, and one that throws disturbs nobody', async () => {
        const gone = heard(red, 't');
        gone.stop();
        red.wakeUps.listen('t', () => {
          throw new Error('a listener of its own');
        });
        const here = heard(red, 't');
        red.wakeUps.wake('t', 'k');
        await waitUntil('the other one', () => here.keys.includes('k'));
        expect(gone.keys).toEqual([]);
      });
    });
  });
}
