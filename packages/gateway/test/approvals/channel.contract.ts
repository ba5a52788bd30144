import { waitFor, waitUntil } from '@sallyport/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Approval } from '../../src/approvals/index.ts';
import { approvalFixture } from '../../src/approvals/render/approval.fixture.ts';
import { HOSTILE_PREVIEWS, WORD } from './contract-previews.ts';
import {
  type Attempt,
  type ChannelUnderTest,
  type ContractWorld,
  openWorld,
  type People,
  type World,
} from './contract-world.ts';

const SIGNAL = new AbortController().signal;
/** What a reader must never meet raw: controls but line breaks and tabs, direction marks, invisible characters. */
const HIDDEN =
  /[^\P{Cc}\n\t]|[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;
const HOUR = 3_600_000;

/** Every `Channel` runs this suite with its real library against a server that speaks the protocol. */
export function describeChannelContract(
  name: string,
  people: People,
  open: (world: ContractWorld) => Promise<ChannelUnderTest>,
): void {
  describe(`${name} as a Channel`, () => {
    // One world for all: opening one takes longer than most of these tests.
    let world: World;
    let grantsBefore: number;
    beforeAll(async () => {
      world = await openWorld(name, people, open);
    });
    beforeEach(async () => {
      world.pauses.length = 0;
      grantsBefore = (await world.grants()).length;
    });
    afterEach(async () => {
      world.setReach([]);
      world.under.setService('up');
      await world.core.open.approvals.withdrawAll();
      await world.core.open.delivered();
    });
    afterAll(() => world[Symbol.asyncDispose]());

    test('asks everyone who may decide, with references that the database can keep', async () => {
      const question = await world.ask();
      for (const who of ['ana', 'bob'] as const) {
        const ref = question.refOf(who);
        expect(ref).toMatchObject({ channel: name, recipient: { user: who, identity: people[who] } });
        expect(JSON.parse(JSON.stringify(ref))).toEqual(ref);
        expect(question.seen(who)).toContain('git push origin x');
        expect(question.seen(who)).toContain(question.id);
      }
    });

    test('an answer releases the caller, and both see how it ended', async () => {
      const question = await world.ask();
      expect(await question.answer('ana', '1')).toMatch(/Allowed once/);
      expect(await question.verdict).toMatchObject({ kind: 'allow' });
      await world.core.open.delivered();
      for (const who of ['ana', 'bob'] as const) expect(question.seen(who)).toMatch(/Allowed once \(ana by/);
    });

    test('a note comes along', async () => {
      const question = await world.ask();
      expect(await question.answer('bob', '4 add logs')).toMatch(/add logs/);
      expect(await question.verdict).toMatchObject({ kind: 'allow' });
      expect(await question.now()).toEqual({ status: 'approved', code: '4', by: 'bob' });
    });

    test('edits the message when it was decided elsewhere', async () => {
      const question = await world.ask();
      expect(question.seen()).not.toMatch(/Denied/);
      await world.elsewhere.press(question.id, 'bob', { code: '3' });
      expect(await question.verdict).toMatchObject({ kind: 'deny' });
      await world.core.open.delivered();
      expect(question.seen()).toMatch(/Denied \(bob by elsewhere/);
    });

    test('edits with a reference from the database, and does not mind a message that is gone', async () => {
      const { under } = world;
      const approval = approvalFixture();
      const recipient = { user: 'ana', identity: people.ana };
      const ref = JSON.parse(JSON.stringify(await under.channel.deliver(approval, recipient, SIGNAL)));
      await under.channel.update(ref, { ...approval, status: 'expired' }, SIGNAL);
      expect(under.seen(ref)).toMatch(/Timed out/);
      under.remove?.(ref);
      await under.channel.update(ref, { ...approval, status: 'expired' }, SIGNAL);
    });

    test.each([
      { why: 'a person who may not decide', by: () => ({ identity: people.eve }) },
      { why: 'a stranger', by: () => ({ identity: people.mallory }) },
      { why: 'another person who was asked, with this copy', by: () => ({ identity: people.bob }) },
      { why: 'a program in her place', by: () => ({ identity: people.ana, isMachine: true }) },
    ])("[AP-2] with Ana's message, $why decides nothing", async ({ by }) => {
      const question = await world.ask();
      for (const text of ['1', '4 yes']) {
        const told = await question.answer('ana', text, by());
        if (told !== undefined) expect(told).toMatch(/Nothing was decided/);
      }
      await expectOpen(question);
    });

    test('[AP-3] an agent that can write to the channel is not asked about there, nor answered there', async () => {
      const before = await world.ask();
      for (const host of world.under.writableHosts) {
        world.setReach([host]);
        const during = await world.ask();
        expect([host, during.isAsked('ana'), during.isAsked('bob')]).toEqual([host, false, false]);
        await world.elsewhere.press(during.id, 'ana', { code: '3' });
      }
      expect(await before.answer('ana', '1')).toMatch(/can write to this channel itself/);
      world.setReach([]);
      await expectOpen(before);
    });

    test('[AP-4] of two people who answer at once one wins, and both are told', async () => {
      for (const order of ['yes first', 'no first']) {
        const question = await world.ask();
        const [yes, no] = [() => question.answer('ana', '1'), () => question.answer('bob', '3')];
        const told = await Promise.all(order === 'yes first' ? [yes(), no()] : [no(), yes()]);
        expect(told.filter((text) => /^Too late, your answer changed nothing/.test(text ?? ''))).toHaveLength(
          1,
        );
        const { status } = await question.now();
        const end = status === 'approved' ? /Allowed once/ : /Denied/;
        for (const text of told) expect(text).toMatch(end);
        expect(await question.verdict).toMatchObject({ kind: status === 'approved' ? 'allow' : 'deny' });
      }
    });

    test('[AP-4] the same answer five times decides once', async () => {
      const question = await world.ask();
      const told = await Promise.all(Array.from({ length: 5 }, () => question.answer('ana', '1')));
      expect(told.filter((text) => /^Too late/.test(text ?? ''))).toHaveLength(4);
      expect(await question.now()).toEqual({ status: 'approved', code: '1', by: 'ana' });
    });

    test('[AP-5] what is no answer decides nothing', async () => {
      await expectHarmless('AP-5');
    });

    test('[AP-8] forged, replayed and foreign data decides nothing', async () => {
      await expectHarmless('AP-8');
    });

    test('[AP-8] what was decided or expired stays so', async () => {
      const decided = await world.ask();
      await decided.answer('ana', '3');
      expect(await decided.answer('ana', '1')).toMatch(/^Too late, your answer changed nothing.*Denied/s);
      expect(await decided.answer('bob', '6')).toMatch(/^Too late/);
      expect(await decided.now()).toEqual({ status: 'denied', code: '3', by: 'ana' });

      const expired = await world.ask();
      world.core.clock.advance(HOUR);
      expect(await expired.answer('ana', '1')).toMatch(/^Too late.*Timed out/s);
      await world.core.open.sweep();
      await world.core.open.delivered();
      expect(await expired.now()).toMatchObject({ status: 'expired' });
      expect(expired.seen()).toMatch(/Timed out/);
      expect(await expired.answer('ana', '1')).toMatch(/^Too late/);
      expect(await world.grants()).toHaveLength(grantsBefore);
    });

    test.each(HOSTILE_PREVIEWS)('[AP-6] a preview with $why stays a preview', async ({ preview }) => {
      const { seen, markup } = await show({ preview });
      expect(seen).not.toMatch(HIDDEN);
      // Each line in which the agent speaks has our mark before it.
      const lines = seen.split('\n').filter((line) => line.includes(WORD));
      expect(lines.filter((line) => !/^[│┆] /.test(line))).toEqual([]);
      expect(lines.length).toBeGreaterThan(0);
      expect(markup).not.toContain(WORD);
    });

    test('[AP-6] hostile titles and names stay on their lines', async () => {
      const shown = HOSTILE_PREVIEWS.map(({ preview }, index) => {
        const actor = { ...approvalFixture().actor, agent: preview };
        const id = `appr_${String(index).padStart(26, '0')}`;
        return show({ id, title: preview, tool: preview, actor, credential: preview });
      });
      for (const { seen, markup } of await Promise.all(shown)) {
        expect(seen).not.toMatch(HIDDEN);
        expect(seen.split('\n').filter((line) => line.startsWith(WORD))).toEqual([]);
        expect(markup).not.toContain(WORD);
      }
    });

    test('shows a preview of a megabyte whole', async () => {
      const { seen } = await show({ preview: `${'line\n'.repeat(200_000)}THE-END` });
      expect(seen.match(/^│ line$/gm)?.length).toBeGreaterThanOrEqual(200_000);
      expect(seen).toMatch(/^│ THE-END$/m);
    });

    test('a service that is down is tried four times, the trail says so, and it works again after', async () => {
      world.under.setService('down');
      const missed = await world.ask();
      expect(missed.isAsked('ana')).toBe(false);
      await waitUntil(
        'both deliveries in the trail',
        async () => (await world.notified(missed.id)).length === 2,
      );
      expect((await world.notified(missed.id)).map(({ delivered }) => delivered)).toEqual([false, false]);
      expect(world.pauses).toHaveLength(6);
      world.under.setService('up');
      const question = await world.ask();
      expect(await question.answer('ana', '3')).toMatch(/Denied/);
    });

    test('a service that does not answer is given up when the caller says so', async () => {
      world.under.setService('slow');
      const recipient = { user: 'ana', identity: people.ana };
      const limit = AbortSignal.timeout(300);
      await expect(world.under.channel.deliver(approvalFixture(), recipient, limit)).rejects.toThrow();
    });

    test('a service that wants a pause gets it, then the message', async () => {
      const recipient = { user: 'ana', identity: people.ana };
      // The tests before left connections that are gone: one that works comes first.
      await waitFor('a delivery that works again', () =>
        world.under.channel.deliver(approvalFixture(), recipient, SIGNAL),
      );
      const started = performance.now();
      world.under.limitNext(1);
      const first = await world.under.channel
        .deliver(approvalFixture(), recipient, SIGNAL)
        .catch((e: unknown) => e);
      if (!(first instanceof Error)) {
        expect(performance.now() - started).toBeGreaterThanOrEqual(1_000);
        return;
      }
      if (world.under.namesPause) expect(first).toMatchObject({ details: { retry_after_seconds: 1 } });
      await world.under.channel.deliver(approvalFixture(), recipient, SIGNAL);
    });

    test('may be stopped twice', async () => {
      await world.under.channel.stop();
      await world.under.channel.stop();
    });

    /** It is open still, and the person's own answer decides it. */
    async function expectOpen(question: Awaited<ReturnType<World['ask']>>): Promise<void> {
      expect(await question.now()).toMatchObject({ status: 'pending' });
      expect(await question.answer('ana', '3')).toMatch(/Denied/);
      expect(await question.now()).toEqual({ status: 'denied', code: '3', by: 'ana' });
      expect(await world.grants()).toHaveLength(grantsBefore);
    }

    async function expectHarmless(id: Attempt['id']): Promise<void> {
      const [question, other] = [await world.ask(), await world.ask()];
      const attempts = world.under
        .attempts(question.refOf('ana'), question.id, other.refOf('ana'), other.id)
        .filter((attempt) => attempt.id === id);
      expect(attempts.length).toBeGreaterThan(0);
      for (const { why, send } of attempts) {
        await send();
        const states = [await question.now(), await other.now()].map(({ status }) => status);
        expect([why, ...states]).toEqual([why, 'pending', 'pending']);
      }
      await expectOpen(question);
      await expectOpen(other);
    }

    async function show(over: Partial<Approval>): Promise<{ seen: string; markup: string }> {
      const recipient = { user: 'ana', identity: people.ana };
      const ref = await world.under.channel.deliver(approvalFixture(over), recipient, SIGNAL);
      return { seen: world.under.seen(ref) ?? '', markup: world.under.markup?.(ref) ?? '' };
    }
  });

  describe(`${name} with a ceiling`, () => {
    test.each(['once', 'session'] as const)('allows no more than `%s`', async (ceiling) => {
      await using world = await openWorld(name, people, open, ceiling);
      const question = await world.ask();
      const beyond = ceiling === 'once' ? ['2', '6'] : ['6'];
      for (const text of beyond)
        expect(await question.answer('ana', text)).toMatch(/this channel may allow once/);
      expect(await question.now()).toMatchObject({ status: 'pending' });
      expect(await world.grants()).toEqual([]);
      expect(await question.answer('ana', ceiling === 'once' ? '1' : '2')).toMatch(/Allowed/);
      expect(await world.grants()).toHaveLength(ceiling === 'once' ? 0 : 1);
    });
  });
}
