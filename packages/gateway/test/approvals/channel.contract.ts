import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Approval, Channel, ChannelAnswer, DeliveryRef, Recipient } from '../../src/approvals/index.ts';

/** One channel against the service (or the local server) that it speaks to. */
export interface ChannelUnderTest extends AsyncDisposable {
  readonly channel: Channel;
  /** somebody whom the channel can reach */
  readonly recipient: Recipient;
  /** what the person sees of this approval now, everything of it in one text; undefined: no message */
  seen(ref: DeliveryRef): Promise<string | undefined>;
  /** the person answers the message, as a person would; resolves when the channel has dealt with it */
  answer(ref: DeliveryRef, text: string): Promise<void>;
  /** the same answer, by somebody else than the person asked */
  answerAsStranger(ref: DeliveryRef, text: string): Promise<void>;
  /** from now on the service refuses messages */
  breakService(): void;
  /** the message is gone from the service */
  removeMessage(ref: DeliveryRef): Promise<void>;
}

const SIGNAL = new AbortController().signal;

export const APPROVAL: Approval = {
  id: 'appr_01jxt21q0097t5vx8sezkem8gz',
  tenant: 'default',
  status: 'pending',
  createdAt: 1_750_000_000_000,
  expiresAt: 1_750_003_600_000,
  expiresInMs: 3_600_000,
  agreed: [],
  actionId: 'act_1',
  binding: 'b',
  fingerprint: 'f',
  actor: {
    tenant: 'default',
    user: 'ana',
    agent: 'dev',
    session: 'sess_1',
    chain: ['dev'],
    confinement: 'jailed',
  },
  door: 'hook',
  tool: 'Bash',
  type: 'vcs:push',
  effect: 'write',
  risk: 'high',
  strength: 'human',
  title: 'Bash: git push origin x',
  preview: 'git push origin x',
  reason: { layer: 'mode', reason: 'a remote write that no exception covers' },
  covers: { session: 'every push by `dev`, in this session' },
  selfDeclared: false,
  policyRevision: 'test',
  quorum: 1,
  blocked: true,
};

/** Every `Channel` runs this suite against its real library and a server that speaks the protocol. */
export function describeChannelContract(name: string, open: () => Promise<ChannelUnderTest>): void {
  describe(`${name} as a Channel`, () => {
    let it: ChannelUnderTest;
    let answers: ChannelAnswer[];
    beforeEach(async () => {
      it = await open();
      answers = [];
      await it.channel.start(async (answer) => {
        answers.push(answer);
        return { kind: 'decided', approval: { ...APPROVAL, status: 'approved' } };
      }, SIGNAL);
    });
    afterEach(async () => {
      await it.channel.stop();
      await it[Symbol.asyncDispose]();
    });

    const deliver = (over: Partial<Approval> = {}) =>
      it.channel.deliver({ ...APPROVAL, ...over }, it.recipient, SIGNAL);

    test('delivers the question with a reference that the database can keep', async () => {
      const ref = await deliver();
      expect(ref).toMatchObject({ channel: it.channel.name, recipient: it.recipient });
      expect(JSON.parse(JSON.stringify(ref))).toEqual(ref);
      expect(await it.seen(ref)).toContain('git push origin x');
    });

    test('shows a long preview whole', async () => {
      const preview = `${'x'.repeat(200_000)}THE-END`;
      expect(await it.seen(await deliver({ preview }))).toContain('THE-END');
    });

    test('[AP-2] hands over an answer of the person asked, and of nobody else', async () => {
      const ref = await deliver();
      await it.answerAsStranger(ref, '1');
      // What a stranger sent is dropped here, or handed over as theirs: never as the person's.
      expect(answers.filter(({ identity }) => identity === it.recipient.identity)).toEqual([]);
      await it.answer(ref, '1');
      const own = answers.filter(({ identity }) => identity === it.recipient.identity);
      expect(own).toHaveLength(1);
      expect(own[0]).toMatchObject({ approvalId: APPROVAL.id });
    });

    test('edits the message when the question has ended, also with a reference from the database', async () => {
      const ref = await deliver();
      const before = await it.seen(ref);
      const kept: DeliveryRef = JSON.parse(JSON.stringify(ref));
      await it.channel.update(kept, { ...APPROVAL, status: 'denied', decidedBy: 'bob' }, SIGNAL);
      expect(await it.seen(ref)).not.toBe(before);
    });

    test('does not mind a message that is gone', async () => {
      const ref = await deliver();
      await it.removeMessage(ref);
      await it.channel.update(ref, { ...APPROVAL, status: 'expired' }, SIGNAL);
    });

    test('rejects what the service did not accept', async () => {
      it.breakService();
      await expect(deliver()).rejects.toThrow();
    });

    test('may be stopped twice', async () => {
      await it.channel.stop();
      await it.channel.stop();
    });
  });
}
