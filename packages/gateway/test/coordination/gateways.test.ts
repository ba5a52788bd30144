import type { Action } from '@sallyport/protocol';
import { FakeClock, requireEngine, startPostgres, type TestPostgres, waitUntil } from '@sallyport/testkit';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openCoordination } from '../../src/coordination/index.ts';
import { bash, fact } from '../../src/gate/gate.fixture.ts';
import { openStore } from '../../src/store/index.ts';
import { push } from '../approvals/actions.ts';
import { type ApprovalsFixture, openFixture } from '../approvals/approvals-fixture.ts';
import { FakeChannel } from '../approvals/fake-channel.ts';
import { IdentityFixture, OPERATOR, outcome, request } from '../identity/identity-fixture.ts';

const engine = requireEngine('postgres');
/** Nothing here may be found by looking now and then. */
const NEVER_MS = 86_400_000;
const LIMIT = 5;
let made = 0;

describe.skipIf(engine.missing)(`what gateways on one Postgres know together (${engine.install})`, () => {
  let server: TestPostgres;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    url = await server.createDatabase();
  });

  describe('the gate', () => {
    const limited = {
      agents: {
        dev: {
          limits: { max_calls_per_execution: LIMIT },
          permissions: ['allow:*'],
        },
        windowed: { security_context: 'few', permissions: ['allow:*'] },
        free: { permissions: ['allow:*'] },
      },
      security_contexts: {
        few: { capabilities: [{ tool: '*', rate: { calls: LIMIT, per_seconds: 3600 } }] },
      },
    };
    let red: ApprovalsFixture;
    let blue: ApprovalsFixture;
    let chats: { readonly red: FakeChannel; readonly blue: FakeChannel };
    const open = async (config: object = {}) => {
      chats = { red: new FakeChannel('chat'), blue: new FakeChannel('chat') };
      const clock = new FakeClock(1_750_000_000_000);
      // Two seconds apart: it must not matter.
      const late = new FakeClock(1_750_000_002_000);
      const common = { url, config, sweepMs: NEVER_MS };
      red = await openFixture({ ...common, owner: 'red', clock, channels: [chats.red] });
      blue = await openFixture({ ...common, owner: 'blue', clock: late, channels: [chats.blue] });
    };
    afterEach(async () => {
      await red[Symbol.asyncDispose]();
      await blue[Symbol.asyncDispose]();
    });
    const readBy = (agent: string, execution?: string): Action => {
      made += 1;
      const action = bash([fact('cat notes.txt')], { id: `act_read_${made}` });
      return {
        ...action,
        actor: { ...action.actor, agent, chain: [], ...(execution === undefined ? {} : { execution }) },
      };
    };

    test.each([
      { what: 'calls of an execution', agent: 'dev', execution: 'exec_1' },
      { what: 'calls of an hour', agent: 'dev', execution: undefined },
      { what: 'calls of a window', agent: 'windowed', execution: undefined },
    ])('a limit on $what holds over both as one, however many come at once', async ({ agent, execution }) => {
      await open(limited);
      const verdicts = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 ? red : blue).gate.admit(readBy(agent, execution))),
      );
      const allowed = verdicts.filter(({ kind }) => kind === 'allow');
      expect(allowed).toHaveLength(LIMIT);
      for (const verdict of verdicts)
        if (verdict.kind === 'deny') expect(verdict.violation).toBe('RateLimitExceeded');
    });

    test('a call that cannot be counted is refused; one that nothing limits waits for nobody', async () => {
      await open(limited);
      await sql`alter table coordination_counters rename to gone`.execute(red.store.db);
      expect(await red.gate.admit(readBy('dev'))).toMatchObject({ kind: 'deny' });
      expect(await red.gate.admit(readBy('windowed'))).toMatchObject({ kind: 'deny' });
      expect(await red.gate.admit(readBy('free'))).toMatchObject({ kind: 'allow' });
      await sql`alter table gone rename to coordination_counters`.execute(red.store.db);
      expect(await red.gate.admit(readBy('dev'))).toMatchObject({ kind: 'allow' });
    });

    const ask = async (fixture: ApprovalsFixture, signal?: AbortSignal) => {
      const action = push();
      const verdict = fixture.gate.admit(action, signal === undefined ? {} : { signal });
      const id = await waitUntil(
        'the question',
        async () => (await fixture.pending()).find(({ actionId }) => actionId === action.id)?.id,
      );
      return { id, verdict };
    };

    test('a decision at one wakes the caller at the other', async () => {
      await open();
      const { id, verdict } = await ask(red);
      expect(await chats.blue.reply(id, 'ana-1', '4 fine')).toMatchObject({ kind: 'decided' });
      expect(await verdict).toMatchObject({ kind: 'allow', by: 'person', note: 'fine' });
    });

    test('a decision that was made while the listener was away is found when it is back', async () => {
      await open();
      const { id, verdict } = await ask(red);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'sallyport wake-ups' and datname = current_database()`.execute(
        blue.store.db,
      );
      expect(await chats.blue.reply(id, 'ana-1', '1')).toMatchObject({ kind: 'decided' });
      expect(await verdict).toMatchObject({ kind: 'allow', by: 'person' });
    });

    test('a caller that left one and comes back to the other finds the same question', async () => {
      await open();
      const leaving = new AbortController();
      const { id, verdict } = await ask(red, leaving.signal);
      leaving.abort();
      expect(await verdict).toMatchObject({ kind: 'deny' });
      await waitUntil(
        'the question to be withdrawn',
        async () => (await red.open.approvals.find(id))?.status === 'cancelled',
      );
      await red.open.approvals.drained();
      const again = await ask(blue);
      expect(again.id).toBe(id);
      await blue.open.decisions.fromOperator(id, { code: '1' });
      expect(await again.verdict).toMatchObject({ kind: 'allow' });
    });
  });

  describe('sessions', () => {
    const openBoth = async (limit = 30) => {
      const store = await openStore({ url });
      const world = new IdentityFixture(store);
      const onProblem = (): void => {};
      const coordinations = [0, 1].map(() => openCoordination({ store, url, clock: world.clock, onProblem }));
      const [one, two] = await Promise.all(coordinations);
      if (one === undefined || two === undefined) throw new Error('two were asked for');
      const enrollmentLimits = { perAddress: limit, perTenant: 1_000 };
      return {
        world,
        here: await world.gateway({ coordination: one, enrollmentLimits }),
        there: await world.gateway({ coordination: two, enrollmentLimits }),
        async [Symbol.asyncDispose]() {
          await world.reset();
          for (const coordination of [one, two]) await coordination.close();
          await store.close();
        },
      };
    };

    test('what one ends is cut at the other by a wake-up', async () => {
      await using both = await openBoth();
      const { here, there } = both;
      const { token, session } = await here.open(request());
      await there.authenticate(token.reveal());
      const ended = Promise.withResolvers<unknown>();
      const signal = there.signalOf(session.id);
      signal.addEventListener('abort', () => ended.resolve(signal.reason), { once: true });
      const asked = performance.now();
      await here.end(session.id, 'revoked', OPERATOR);
      expect(await ended.promise).toBe('revoked');
      expect(performance.now() - asked).toBeLessThan(60_000);
    });

    test('failed enrollments count at both together, also in a burst', async () => {
      await using both = await openBoth(LIMIT);
      const { here, there, world } = both;
      const secret = await world.secrets.rotate({ tenant: 'red', by: OPERATOR });
      const enroll = (enrollmentSecret: string, i: number) =>
        outcome(
          (i % 2 ? here : there).enroll({ tenantId: 'red', enrollmentSecret, remoteAddress: '203.0.113.9' }),
        );
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => enroll('spe_wrong', i)));
      const wrong = answers.filter((answer) => JSON.stringify(answer).includes('NotAuthenticated'));
      expect(wrong).toHaveLength(LIMIT);
      for (const i of [0, 1])
        expect(await enroll(secret.reveal(), i)).toMatchObject({ code: 'TooManyRequests' });
    });
  });
});
