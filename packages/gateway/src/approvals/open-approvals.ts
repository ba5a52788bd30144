import type { AuditTrail, Redactor } from '../audit/index.ts';
import type { ApprovalsConfig } from '../config/index.ts';
import type { Coordination } from '../coordination/index.ts';
import type { Sessions } from '../identity/index.ts';
import type { Clock } from '../shared/clock.ts';
import { ApprovalMessagesRepository, ApprovalsRepository, type Store } from '../store/index.ts';
import type { Approval } from './approval/approval.ts';
import { toApproval } from './approval/approval-row.ts';
import type { StandingAnswers } from './approval-port.ts';
import { Approvals } from './approvals.ts';
import type { Channel } from './channels/channel.ts';
import { Inbox } from './channels/inbox.ts';
import { type Delay, realDelay } from './channels/retry.ts';
import { type ChannelProblem, ChannelsInUse } from './channels-in-use.ts';
import { Decisions } from './decisions.ts';
import { Deciders, type DecidersParts } from './dispatch/deciders.ts';
import { Dispatcher, type DispatcherParts } from './dispatch/dispatcher.ts';
import { NoticeSender } from './dispatch/notice-sender.ts';
import { Settlement } from './settlement.ts';
import { Sweeper } from './sweeper.ts';
import { WaitingCallers } from './waiting-callers.ts';
import { Watchers } from './watchers.ts';

const SWEEP_MS = 1_000;
const WAKE_TOPIC = 'approvals';
/** A caller that comes back with the same question within this time takes its message over */
const LEFT = { name: 'approvals.left', ms: 120_000, most: 10_000, whenFull: 'forget-oldest' } as const;
const RESUMED_AT_MOST = 20_000;
/** How long a stop waits for messages to be edited; the next start does the rest, in ms */
const LAST_MESSAGES_MS = 2_000;

export interface OpenApprovalsParts extends DecidersParts {
  readonly store: Store;
  readonly coordination: Pick<Coordination, 'codes' | 'wakeUps'>;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  /** stable name of this gateway among those that share the store: a restart cancels what it left blocked */
  readonly owner: string;
  readonly settingsOf: (tenant: string) => ApprovalsConfig | undefined;
  /** takes secrets out of questions */
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly standing: StandingAnswers;
  readonly channels: readonly Channel[];
  readonly sessions: Pick<Sessions, 'onEnded'>;
  readonly onError: (error: unknown) => void;
  readonly onDelivery?: DispatcherParts['onDelivery'];
  /** how long parallel calls wait for one another, in ms, to be one question; absent: each is its own */
  readonly gatherMs?: number;
  /** for tests: how retries wait */
  readonly delay?: Delay;
  /** for tests: how often time is looked at, in ms */
  readonly sweepMs?: number;
}

/** The approval gate, open. */
export interface OpenApprovals extends AsyncDisposable {
  readonly approvals: Approvals;
  readonly decisions: Decisions;
  readonly deciders: Deciders;
  readonly inbox: Inbox;
  /** those that are open, or about to be */
  readonly channels: readonly Channel[];
  /** those of the start that could not be started */
  readonly notStarted: readonly ChannelProblem[];
  /**
   * From now on these; one that is the same object goes on. Open questions that stood on one that is gone are asked again
   * where they can be answered. What is returned could not be started; the others are.
   */
  useChannels(channels: readonly Channel[]): Promise<readonly ChannelProblem[]>;
  /** Other people may be listed than before: whoever may decide and was not asked yet is. */
  askAgain(): Promise<void>;
  /** tells people what passed without them */
  readonly notices: Pick<NoticeSender, 'tell'>;
  /** identities that got this question on a channel */
  askedOn(channel: string, approvalId: string): Promise<readonly string[]>;
  /** one round of what time does; it runs every second by itself */
  sweep(): Promise<void>;
  /** waits until every message is delivered and edited */
  delivered(): Promise<void>;
  /** cancels what callers wait for, stops the channels */
  close(): Promise<void>;
}

/**
 * Opens the approval gate: cancels what a former run left blocked, finishes what it left half done, starts the
 * channels, and asks again where nobody was reached.
 */
export async function openApprovals(parts: OpenApprovalsParts): Promise<OpenApprovals> {
  const { store, trail, clock, owner, settingsOf, standing, sessions, onError } = parts;
  const { wakeUps } = parts.coordination;
  const repository = new ApprovalsRepository(store);
  const messages = new ApprovalMessagesRepository(store);
  const deciders = new Deciders(parts);
  const waiting = new WaitingCallers();
  const watchers = new Watchers();
  const inbox = new Inbox();
  const delay = parts.delay ?? realDelay;
  const dispatcher = new Dispatcher({
    channels: () => channels.open,
    deciders,
    approvals: repository,
    messages,
    trail,
    clock,
    delay,
    redactor: parts.redactor,
    onError,
    onDelivery: parts.onDelivery,
  });
  const { redactor } = parts;
  const notices = new NoticeSender({
    ...{ deciders, trail, clock, delay, redactor, onError },
    channels: () => channels.open,
  });
  const channels = new ChannelsInUse({
    onAnswer: (channel) => decisions.onAnswer(channel),
    sayClosed: (channel, signal) => dispatcher.sayClosed(channel, signal),
    onChanged: (gone) => dispatcher.channelsChanged(gone),
    onError,
  });
  const followed = new Map<string, () => void>();

  const onSettled = (approval: Approval): void => {
    waiting.release(approval);
    watchers.tell(approval);
    sweeper.forget(approval.id);
  };
  const settlement = new Settlement({
    repository,
    trail,
    standing,
    onSettled,
    onStored: (approval) => {
      dispatcher.ended(approval);
      wakeUps.wake(WAKE_TOPIC, approval.id);
    },
  });
  const followSession = ({ actor: { session } }: Approval): void => {
    if (session === undefined || followed.has(session)) return;
    const stop = sessions.onEnded(session, () => {
      followed.delete(session);
      approvals.cancelOfSession(session).catch(onError);
    });
    followed.set(session, stop);
  };
  const ask = (approval: Approval): void => {
    dispatcher.notify(approval).catch(onError);
  };
  const approvals = new Approvals({
    repository,
    trail,
    clock,
    owner,
    settingsOf,
    redactor: parts.redactor,
    settlement,
    waiting,
    watchers,
    gatherMs: parts.gatherMs ?? 0,
    left: parts.coordination.codes(LEFT),
    onOpened(approval, again) {
      followSession(approval);
      sweeper.follow(approval);
      if (again) dispatcher.reopen(approval).catch(onError);
      else ask(approval);
    },
    onBackgroundError: onError,
  });
  const watched = (): readonly string[] => [...new Set([...waiting.ids(), ...watchers.ids()])];
  const sweeper = new Sweeper({
    approvals,
    repository,
    settlement,
    clock,
    owner,
    shared: store.engine === 'postgres',
    watched,
    onEnded: onSettled,
    onEscalated: ask,
  });
  const stopListening = wakeUps.listen(WAKE_TOPIC, (woken) => {
    const ids = woken === 'all' ? watched() : woken.filter((id) => waiting.has(id) || watchers.has(id));
    if (ids.length > 0) sweeper.takeOver(ids).catch(onError);
  });
  const decisions = new Decisions({
    repository,
    messages,
    clock,
    deciders,
    settlement,
    standing,
    waiting,
    onError,
  });

  await approvals.settleAll(await repository.cancelBlocked(owner, 'restart', clock.now()));
  await approvals.settleAll(await repository.unsettled(owner, clock.now()));
  const notStarted = await channels.use(parts.channels);
  await dispatcher.mendStale();
  for (const row of await repository.pendingOf(owner, RESUMED_AT_MOST)) {
    const approval = toApproval(row, clock.now());
    followSession(approval);
    sweeper.follow(approval);
    await dispatcher.reopen(approval);
  }
  const timer = setInterval(() => void sweeper.sweep().catch(onError), parts.sweepMs ?? SWEEP_MS).unref();

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    clearInterval(timer);
    stopListening();
    for (const stop of followed.values()) stop();
    await approvals.drained();
    await repository
      .cancelBlocked(owner, 'restart', clock.now())
      .then((rows) => approvals.settleAll(rows))
      .catch(onError);
    notices.hurry();
    await withinTime(Promise.all([dispatcher.drained(), notices.drained()]), LAST_MESSAGES_MS);
    dispatcher.stop();
    notices.stop();
    await channels.stop();
    await sweeper.sweep().catch(onError);
    await dispatcher.drained();
  };
  const closeOnce = (): Promise<void> => {
    closing ??= close();
    return closing;
  };
  return {
    approvals,
    decisions,
    deciders,
    inbox,
    get channels() {
      return channels.wanted;
    },
    notStarted,
    useChannels: (next) => channels.use(next),
    askAgain: () => dispatcher.askAgain(),
    notices,
    askedOn: async (channel, approvalId) => {
      const sent = (await messages.of(approvalId)).filter((message) => message.channel === channel);
      return [...new Set(sent.map(({ identity }) => identity))];
    },
    sweep: () => sweeper.sweep(),
    delivered: async () => {
      await Promise.all([dispatcher.drained(), notices.sent()]);
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
