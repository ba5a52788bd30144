import { FakeClock, requireEngine, startPostgres, type TestPostgres, waitUntil } from '@sallyport/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { push } from './actions.ts';
import { type ApprovalsFixture, openFixture } from './approvals-fixture.ts';
import { FakeChannel } from './fake-channel.ts';

const engine = requireEngine('postgres');

describe.skipIf(engine.missing)(`two gateways on one Postgres (${engine.install})`, () => {
  let server: TestPostgres;
  let url: string;
  let clock: FakeClock;
  let red: ApprovalsFixture;
  let blue: ApprovalsFixture;
  const chats = { red: new FakeChannel('chat'), blue: new FakeChannel('chat') };
  const open = (owner: 'red' | 'blue') => {
    chats[owner] = new FakeChannel('chat');
    return openFixture({ url, owner, clock, channels: [chats[owner]] });
  };
  const statusAt = async ({ open: { approvals } }: ApprovalsFixture, id: string) =>
    (await approvals.find(id))?.status;
  /** asks at one gateway, with a caller that waits */
  const ask = async (fixture: ApprovalsFixture) => {
    const action = push();
    const verdict = fixture.gate.admit(action);
    let id: string | undefined;
    await waitUntil('the question', async () => {
      id = (await fixture.pending()).find(({ actionId }) => actionId === action.id)?.id;
      return id !== undefined;
    });
    return { id: id ?? '', action, verdict };
  };

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    url = await server.createDatabase();
    clock = new FakeClock(1_750_000_000_000);
    red = await open('red');
    blue = await open('blue');
  });
  afterEach(async () => {
    await red[Symbol.asyncDispose]();
    await blue[Symbol.asyncDispose]();
  });

  test('an answer at one releases the caller at the other, and both see the end', async () => {
    const { id, verdict, action } = await ask(red);
    expect(await chats.blue.reply(id, 'ana-1', '4 fine')).toMatchObject({ kind: 'decided' });
    await red.open.sweep();
    expect(await verdict).toMatchObject({ kind: 'allow', by: 'person', note: 'fine' });
    expect(await Promise.all([statusAt(red, id), statusAt(blue, id)])).toEqual(['approved', 'approved']);
    expect(await chats.red.reply(id, 'bob-1', '3')).toMatchObject({
      kind: 'too-late',
      approval: { status: 'approved', decidedBy: 'ana' },
    });
    const decided = (await red.eventsOf(action)).filter((type) => type === 'ApprovalEvent::Decided');
    expect(decided).toHaveLength(1);
  });

  test('a long poll at one is answered by a decision at the other', async () => {
    const { id, verdict } = await ask(red);
    const waiting = red.open.approvals.wait(id, 60_000, new AbortController().signal);
    await blue.open.decisions.fromOperator(id, { code: '3' });
    await red.open.sweep();
    expect(await waiting).toMatchObject({ status: 'denied' });
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalDenied' });
  });

  test('[AP-4] of an answer at each at the same moment exactly one wins, fifty times, and both see it', async () => {
    const { id: first, verdict } = await ask(red);
    const { id: _id, status: _status, ...asked } = (await red.open.approvals.find(first))!;
    const draft = { ...asked, blocked: false, expiresInMs: 60_000 };
    let approved = 0;
    for (let round = 0; round < 50; round += 1) {
      const { id } = await red.open.approvals.open(draft);
      const yes = () => chats.red.reply(id, 'ana-1', '1');
      const no = () => chats.blue.reply(id, 'bob-1', '3');
      const outcomes = await Promise.all(round % 2 === 0 ? [yes(), no()] : [no(), yes()]);
      expect(outcomes.map(({ kind }) => kind).toSorted(), JSON.stringify(outcomes).slice(0, 900)).toEqual([
        'decided',
        'too-late',
      ]);
      const [atRed, atBlue] = await Promise.all([statusAt(red, id), statusAt(blue, id)]);
      expect(atRed).toBe(atBlue);
      if (atRed === 'approved') approved += 1;
    }
    expect(approved).toBeGreaterThan(0);
    expect(approved).toBeLessThan(50);
    await blue.open.decisions.fromOperator(first, { code: '3' });
    await red.open.sweep();
    await verdict;
  });

  test('a restart of one cancels what its own callers waited for, and nothing of the other', async () => {
    const [atRed, atBlue] = [await ask(red), await ask(blue)];
    await red[Symbol.asyncDispose]();
    red = await open('red');
    expect(await atRed.verdict).toMatchObject({ kind: 'deny' });
    expect(await red.open.approvals.find(atRed.id)).toMatchObject({
      status: 'cancelled',
      cancelReason: 'restart',
    });
    expect(await statusAt(red, atBlue.id)).toBe('pending');
    expect(await chats.red.reply(atBlue.id, 'ana-1', '1')).toMatchObject({ kind: 'decided' });
    await blue.open.sweep();
    expect(await atBlue.verdict).toMatchObject({ kind: 'allow' });
  });

  test('a crash of one leaves its questions to its next start, not to the other', async () => {
    const crashed = await ask(red);
    await blue[Symbol.asyncDispose]();
    blue = await open('blue');
    expect(await statusAt(blue, crashed.id)).toBe('pending');
    // The same name again, while the first has not hung up.
    const again = await open('red');
    expect(await again.open.approvals.find(crashed.id)).toMatchObject({ status: 'cancelled' });
    await again[Symbol.asyncDispose]();
    await red.open.sweep();
    expect(await crashed.verdict).toMatchObject({ kind: 'deny' });
  });

  test('time ends a question once, however many gateways look', async () => {
    const { id, action, verdict } = await ask(red);
    clock.advance(3_600_000);
    await Promise.all([red.open.sweep(), blue.open.sweep(), red.open.sweep(), blue.open.sweep()]);
    await red.open.sweep();
    expect(await verdict).toMatchObject({ kind: 'deny', violation: 'ApprovalTimeout' });
    expect(await statusAt(blue, id)).toBe('expired');
    const ends = (await red.eventsOf(action)).filter((type) => type === 'ApprovalEvent::Expired');
    expect(ends).toHaveLength(1);
  });
});
