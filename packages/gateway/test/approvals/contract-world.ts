import { createSecretKey } from 'node:crypto';
import { waitUntil } from '@sallyport/testkit';
import type { Channel, ChannelCeiling, DeliveryRef, OpenApprovals } from '../../src/approvals/index.ts';
import { push } from './actions.ts';
import { type ApprovalsFixture, CONFIG, openFixture } from './approvals-fixture.ts';
import { FakeChannel } from './fake-channel.ts';

/** Who somebody is on the channel under test, or whom they pretend to be. */
export interface Sender {
  readonly identity: string;
  /** a program in the person's place: a bot, an automatic reply */
  readonly isMachine?: boolean;
}

/** Something that must decide nothing. */
export interface Attempt {
  readonly id: 'AP-2' | 'AP-5' | 'AP-8';
  readonly why: string;
  /** resolves when the channel has dealt with it, as far as that can be seen */
  send(): Promise<unknown>;
}

/** One channel against the service (or the local server) that it speaks to. */
export interface ChannelUnderTest extends AsyncDisposable {
  readonly channel: Channel;
  /** where an agent with a credential could write to the channel itself */
  readonly writableHosts: readonly string[];
  /** what the person sees of this question now, everything of it in one text; undefined: no message */
  seen(ref: DeliveryRef): string | undefined;
  /** the person answers with a menu text (`1`, `4 a note`), as a person would; resolves with what they are told */
  answer(ref: DeliveryRef, approvalId: string, text: string, by?: Sender): Promise<string | undefined>;
  /** what a hostile sender could try on the message of `ref`, or with what is known of another question */
  attempts(ref: DeliveryRef, approvalId: string, other: DeliveryRef, otherId: string): readonly Attempt[];
  /** what the person's program would read as markup of ours; no word of an agent may be in it */
  markup?(ref: DeliveryRef): string;
  /** `down` refuses connections or calls, `slow` takes them and does not answer */
  setService(mode: 'up' | 'down' | 'slow'): void;
  /** the next message is refused for a while */
  limitNext(seconds: number): void;
  /** whether the service says for how long */
  readonly namesPause: boolean;
  /** the message is gone from the service; absent where nothing can take it back */
  remove?(ref: DeliveryRef): void;
}

/** What a channel under test is made with. */
export interface ContractWorld {
  readonly ceiling: ChannelCeiling;
  readonly key: typeof KEY;
  readonly isListed: (identity: string) => boolean;
  readonly onProblem: () => void;
  readonly find: OpenApprovals['approvals']['find'];
}

/** identities on the channel: Ana and Bob may decide, Eve is listed and may not, Mallory is not listed */
export interface People {
  readonly ana: string;
  readonly bob: string;
  readonly eve: string;
  readonly mallory: string;
}

export const KEY = createSecretKey('a key that only the gateway has', 'utf8');

export type World = Awaited<ReturnType<typeof openWorld>>;

/** The real core, which asks Ana and Bob on one channel, and on another that is only in memory. */
export async function openWorld(
  name: string,
  people: People,
  open: (world: ContractWorld) => Promise<ChannelUnderTest>,
  ceiling: ChannelCeiling = 'always',
) {
  const refs: { readonly id: string; readonly ref: DeliveryRef }[] = [];
  const pauses: number[] = [];
  let reach: readonly string[] = [];
  const late: { core?: ApprovalsFixture } = {};
  const listed = new Set([people.ana, people.bob, people.eve].map((identity) => identity.toLowerCase()));
  const under = await open({
    ceiling,
    key: KEY,
    isListed: (identity) => listed.has(identity.toLowerCase()),
    onProblem: () => {},
    find: async (id) => late.core?.open.approvals.find(id),
  });
  const { channel } = under;
  const deliver = channel.deliver.bind(channel);
  channel.deliver = async (...given) => {
    const ref = await deliver(...given);
    refs.push({ id: given[0].id, ref });
    return ref;
  };
  const elsewhere = new FakeChannel('elsewhere');
  const user = (role: string, who: keyof People) => ({
    roles: [role],
    identities: { [name]: people[who], elsewhere: who },
  });
  const users = { ana: user('owner', 'ana'), bob: user('lead', 'bob'), eve: user('viewer', 'eve') };
  const core = await openFixture({
    config: { tenants: { default: { ...CONFIG.tenants.default, users } } },
    channels: [channel, elsewhere],
    reachOf: () => reach,
    delay: async (ms) => void pauses.push(ms),
  });
  late.core = core;
  const refOf = (id: string, who: string) =>
    refs.findLast((found) => found.id === id && found.ref.recipient.user === who)?.ref;
  return {
    under,
    core,
    elsewhere,
    pauses,
    /** asks, and resolves once everyone has been asked wherever that was possible */
    async ask(over: Parameters<typeof push>[0] = {}) {
      asked += 1;
      const action = push({ fingerprint: `f${asked}`, binding: `b${asked}`, ...over });
      const verdict = core.gate.admit(action);
      let id = '';
      await waitUntil('the question to reach both', async () => {
        id = (await core.pending()).find(({ actionId }) => actionId === action.id)?.id ?? '';
        return elsewhere.messages.has(`${id}/ana`) && elsewhere.messages.has(`${id}/bob`);
      });
      await core.open.delivered();
      return {
        id,
        verdict,
        isAsked: (who: Who) => refOf(id, who) !== undefined,
        refOf(who: Who): DeliveryRef {
          const ref = refOf(id, who);
          if (ref === undefined) throw new Error(`\`${who}\` was not asked`);
          return ref;
        },
        answer(who: Who, text: string, by?: Sender) {
          return under.answer(this.refOf(who), id, text, by);
        },
        /** what the person sees of it now */
        seen(who: Who = 'ana') {
          return under.seen(this.refOf(who));
        },
        now: async () => {
          const found = await core.open.approvals.find(id);
          return { status: found?.status, code: found?.decision?.code, by: found?.decidedBy };
        },
      };
    },
    grants: async () => (await core.grants.list({ ended: true })).items,
    /** the agent holds credentials for these hosts from now on */
    setReach(hosts: readonly string[]) {
      reach = hosts;
    },
    /** what the trail says about deliveries of a question on the channel */
    notified: async (id: string) =>
      (await core.trail.read({ type: 'ApprovalEvent::Notified', limit: 500 })).items
        .map(({ json }) => JSON.parse(json))
        .filter((event) => event.approval_id === id && event.data.channel === name)
        .map((event) => event.data),
    async [Symbol.asyncDispose]() {
      under.setService('up');
      await core[Symbol.asyncDispose]();
      await under[Symbol.asyncDispose]();
    },
  };
}

let asked = 0;

export type Who = 'ana' | 'bob';
