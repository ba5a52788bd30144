import { SallyportError } from '@sallyport/protocol';
import type { AuditTrail, Redactor } from '../audit/index.ts';
import type { ApprovalsConfig } from '../config/index.ts';
import type { Codes } from '../coordination/index.ts';
import type { Clock } from '../shared/clock.ts';
import { newId } from '../shared/ids.ts';
import type {
  ApprovalFilter,
  ApprovalRow,
  ApprovalsRepository,
  IdempotencyKey,
  Page,
  PageRequest,
} from '../store/index.ts';
import type { Approval, Question, QuestionDraft } from './approval/approval.ts';
import { endedEvent, requestedEvent } from './approval/approval-events.ts';
import { newRow, toApproval } from './approval/approval-row.ts';
import { questionKey } from './approval/question-key.ts';
import type { Answer, ApprovalPort, AskOptions } from './approval-port.ts';
import { JobQueue } from './dispatch/job-queue.ts';
import { Gathering, listedTogether } from './gathering.ts';
import type { Settlement } from './settlement.ts';
import { completeQuestion } from './terms.ts';
import type { AwaitedCall, AwaitedQuestion, Waiter, WaitingCallers } from './waiting-callers.ts';
import type { Watchers } from './watchers.ts';

const WAITING_AT_MOST = 20_000;
const STORING_AT_ONCE = 32;
const PENDING_OF_CLIENT_AT_MOST = 1_000;

export interface ApprovalsParts {
  readonly repository: ApprovalsRepository;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  /** stable name of this gateway among those that share the store */
  readonly owner: string;
  readonly settingsOf: (tenant: string) => ApprovalsConfig | undefined;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly settlement: Settlement;
  readonly waiting: WaitingCallers;
  readonly watchers: Watchers;
  /** how long calls of one operation on one object wait for one another, to be asked about together; 0: they do not */
  readonly gatherMs: number;
  /** questions whose caller left, at whatever gateway, by `questionKey` */
  readonly left: Codes<LeftQuestion>;
  /** a question is open (again): ask people */
  readonly onOpened: (approval: Approval, again: boolean) => void;
  readonly onBackgroundError: (error: unknown) => void;
}

/** A question that nobody waits for any more: the caller that comes back soon finds its message as it was. */
export type LeftQuestion = { readonly id: string };

/** Questions to people: asked, looked at, withdrawn. Deciding them is `Decisions`'s. */
export class Approvals implements ApprovalPort {
  readonly #parts: ApprovalsParts;
  // process-local: cancellations that are under way here; what they leave is in `left`
  readonly #leaving = new Map<string, Promise<unknown>>();
  // process-local: work under way in this process, waited for at its end
  readonly #background = new Set<Promise<unknown>>();
  /** A burst of questions waits as questions, which are small, not as queries, which are not. */
  readonly #storing = new JobQueue(STORING_AT_ONCE);
  readonly #gathering: Gathering;

  constructor(parts: ApprovalsParts) {
    this.#parts = parts;
    this.#gathering = new Gathering(parts.gatherMs);
  }

  async ask(draft: QuestionDraft, { signal, checkOverride, onAsked }: AskOptions): Promise<Answer> {
    if (signal.aborted) return { kind: 'left' };
    const { waiting } = this.#parts;
    if (waiting.size >= WAITING_AT_MOST) throw tooMany('callers wait for an answer');
    const question = this.#redacted(draft);
    const key = questionKey(question);
    const call = waiting.find(key, question.binding) ?? this.#enter(question, key);
    const { question: awaited } = call;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const waiter: Waiter = { answer: resolve, checkOverride };
    call.waiters.add(waiter);
    awaited.stored.promise.then(onAsked, reject);
    const leave = (): void => {
      if (!call.waiters.delete(waiter)) return;
      resolve({ kind: 'left' });
      if (awaited.calls.every(({ waiters }) => waiters.size === 0)) this.#abandon(awaited);
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  quorumOf(draft: QuestionDraft): number {
    return this.#complete(draft).quorum;
  }

  /** A key that the client used before brings the first question back. `Conflict` for another request. */
  async open(draft: QuestionDraft, idempotency?: IdempotencyKey): Promise<Approval> {
    const { repository, trail, clock, owner } = this.#parts;
    const question = this.#redacted(draft);
    const { client, tenant } = question;
    if (
      client !== undefined &&
      (await repository.countPending(tenant, client, clock.now())) >= PENDING_OF_CLIENT_AT_MOST
    )
      throw tooMany('questions of this client are pending');
    const { session } = question.actor;
    if (question.sentAgain === true && session !== undefined) {
      // It was sent again before anyone answered: still the one question, whose consent is to the fingerprint.
      const same = await repository.findSame(tenant, session, question.fingerprint, clock.now());
      if (same !== undefined) return toApproval(same, clock.now());
    }
    const now = clock.now();
    const row = newRow(newId('appr', now), owner, question, now);
    const before = await this.#announce(row, () => repository.insert(row, idempotency));
    if (before === undefined) return toApproval(row, now);
    // Two requests with one key at the same moment: the later one was announced for nothing.
    await trail.append(
      endedEvent({ ...toApproval(row, now), status: 'cancelled', cancelReason: 'duplicate' }),
    );
    if (before.requestHash !== idempotency?.requestHash) throw otherRequest();
    return toApproval(before.approval, now);
  }

  /** Keeps a question that a grant answered before anyone was asked. The gate has recorded its verdict. */
  async keepAnswered(
    draft: QuestionDraft,
    answer: Required<Pick<Approval, 'decision' | 'decidedBy' | 'answeredBy'>>,
    idempotency?: IdempotencyKey,
  ): Promise<Approval> {
    const { repository, clock, owner } = this.#parts;
    const now = clock.now();
    const row: ApprovalRow = {
      ...newRow(newId('appr', now), owner, this.#redacted(draft), now),
      status: 'approved',
      decision: JSON.stringify(answer.decision),
      decided_by: answer.decidedBy,
      decided_via: 'grant',
      decided_at: now,
      answered_by: answer.answeredBy,
      ended_at: now,
    };
    const before = await repository.insert(row, idempotency);
    if (before !== undefined && before.requestHash !== idempotency?.requestHash) throw otherRequest();
    return toApproval(before?.approval ?? row, now);
  }

  /** What a client asked with this key before. `Conflict` when it asked something else. */
  async findKeyed(
    tenant: string,
    client: string,
    idempotency: IdempotencyKey,
  ): Promise<Approval | undefined> {
    const known = await this.#parts.repository.findKeyed(tenant, client, idempotency.key);
    if (known !== undefined && known.requestHash !== idempotency.requestHash) throw otherRequest();
    return known && toApproval(known.approval, this.#parts.clock.now());
  }

  /** Of whatever tenant and client: the caller compares it with what it may show. */
  async find(id: string): Promise<Approval | undefined> {
    const row = await this.#parts.repository.find(id);
    return row && toApproval(row, this.#parts.clock.now());
  }

  async list(filter: ApprovalFilter, page?: PageRequest): Promise<Page<Approval>> {
    const { repository, clock, onBackgroundError } = this.#parts;
    const now = clock.now();
    // The filter is the database's: what is due must be expired there. It holds at once, whether it can be recorded or not.
    await this.settleAll(await repository.expireDue(now)).catch(onBackgroundError);
    const { items, next_cursor } = await repository.list(filter, page);
    return { items: items.map((row) => toApproval(row, now)), next_cursor };
  }

  /** The approval once it has ended, by time as well, or as it is after `ms` or when `signal` aborts. */
  async wait(id: string, ms: number, signal: AbortSignal): Promise<Approval | undefined> {
    const ended = Promise.withResolvers<Approval | undefined>();
    const stop = this.#parts.watchers.watch(id, (approval) => {
      if (approval.status !== 'pending') ended.resolve(approval);
    });
    let timer = setTimeout(() => ended.resolve(undefined), ms);
    const leave = (): void => ended.resolve(undefined);
    signal.addEventListener('abort', leave, { once: true });
    try {
      // Watching began before the first look, so that nothing is missed between the two.
      const now = await this.find(id);
      if (now === undefined || now.status !== 'pending' || signal.aborted) return now;
      const leftMs = now.expiresAt === undefined ? ms : now.expiresAt - this.#parts.clock.now();
      if (leftMs < ms) {
        clearTimeout(timer);
        timer = setTimeout(() => ended.resolve(undefined), leftMs + 1);
      }
      return (await ended.promise) ?? (signal.aborted ? now : await this.find(id));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      stop();
    }
  }

  /** Calls `listener` on every change. */
  watch(id: string, listener: (approval: Approval) => void): () => void {
    return this.#parts.watchers.watch(id, listener);
  }

  /** Withdraws one. False when it had ended. */
  async cancel(id: string, reason: string): Promise<boolean> {
    const { repository, clock, settlement } = this.#parts;
    const row = await repository.cancel(id, reason, clock.now());
    if (row !== undefined) await settlement.settle(row);
    return row !== undefined;
  }

  /** The kill switch: nobody is asked anything any more. How many were pending. */
  async withdrawAll(reason = 'withdrawn'): Promise<number> {
    const { repository, clock } = this.#parts;
    return this.settleAll(await repository.cancelAll(reason, clock.now()));
  }

  async cancelOfSession(session: string): Promise<number> {
    const { repository, clock } = this.#parts;
    return this.settleAll(await repository.cancelOfSession(session, 'session-ended', clock.now()));
  }

  /** Every one of them is tried before the first failure is told. */
  async settleAll(rows: readonly ApprovalRow[]): Promise<number> {
    const results = await Promise.allSettled(rows.map((row) => this.#parts.settlement.settle(row)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return rows.length;
  }

  /** Asks nobody any more, and waits for cancellations that are under way. */
  async drained(): Promise<void> {
    for (const awaited of this.#gathering.stop())
      this.#parts.waiting.fail(awaited, undefined, new SallyportError('ApprovalUnavailable'));
    await Promise.allSettled(this.#background);
  }

  /**
   * SECURITY: before it is stored, shown or sent: what an asker quotes, a secret that we lent included, leaves for
   * chat services and mailboxes [CR-1].
   */
  #redacted(draft: QuestionDraft): Question {
    const { redactor } = this.#parts;
    const [title, preview] = [redactor.redactText(draft.title), redactor.redactText(draft.preview)];
    return this.#complete({ ...draft, title, preview });
  }

  #complete(draft: QuestionDraft): Question {
    const settings = this.#parts.settingsOf(draft.tenant);
    if (settings === undefined) throw new SallyportError('ApprovalUnavailable');
    return completeQuestion(draft, settings);
  }

  /** Begins to ask, or joins what is about to be asked; callers may join while it is being stored. */
  #enter(question: Question, key: string): AwaitedCall {
    const { waiting } = this.#parts;
    const together = this.#gathering.join(question);
    const call = waiting.open(key, question.binding, together);
    if (together === undefined)
      this.#gathering.begin(call.question, question, (asked) => this.#begin(call.question, asked));
    return call;
  }

  #begin(awaited: AwaitedQuestion, questions: readonly Question[]): void {
    const { waiting } = this.#parts;
    // Whoever left meanwhile is not asked about.
    const bindings = new Set(waiting.keepWaited(awaited).map(({ binding }) => binding));
    const [first, ...others] = questions.filter(({ binding }) => bindings.has(binding));
    if (first === undefined) return;
    const question = listedTogether([first, ...others]);
    awaited.key = questionKey(question);
    let named: string | undefined;
    const name = (id: string): void => {
      named = id;
      waiting.name(awaited, id);
    };
    this.#storing
      .run(() => this.#store(question, awaited.key, name))
      .then(awaited.stored.resolve, (error: unknown) => waiting.fail(awaited, named, error));
    // Somebody always waits for it, but a caller that left does not.
    awaited.stored.promise.catch(() => {});
  }

  async #store(question: Question, key: string, name: (id: string) => void): Promise<string> {
    const { repository, clock, owner } = this.#parts;
    await this.#leaving.get(key);
    const left = await this.#parts.left.take(key);
    if (left !== undefined && (await this.#takeOver(left.id, question, name))) return left.id;
    const now = clock.now();
    const row = newRow(newId('appr', now), owner, question, now);
    name(row.id);
    await this.#announce(row, () => repository.insert(row));
    return row.id;
  }

  /** The caller came back: the same approval, and the same messages, are open again. */
  async #takeOver(id: string, question: Question, name: (id: string) => void): Promise<boolean> {
    const { repository, trail, clock, owner, onOpened, watchers, waiting } = this.#parts;
    const row = newRow(id, owner, question, clock.now());
    name(id);
    if (!(await repository.takeOver(row))) {
      waiting.unname(id);
      return false;
    }
    const approval = toApproval(row, clock.now());
    try {
      await trail.append(requestedEvent(approval, true));
    } catch (error) {
      await repository.cancel(id, 'unrecorded', clock.now());
      throw error;
    }
    watchers.tell(approval);
    onOpened(approval, true);
    return true;
  }

  /** SECURITY: in the trail first: a question that cannot be recorded is not asked, and nobody can answer it. */
  async #announce<T>(row: ApprovalRow, store: () => Promise<T>): Promise<T> {
    const { trail, onOpened, clock } = this.#parts;
    const approval = toApproval(row, clock.now());
    await trail.append(requestedEvent(approval, false));
    const stored = await store();
    if (stored === undefined) onOpened(approval, false);
    return stored;
  }

  /** The last caller left: the action will not run, and people are told. */
  #abandon(awaited: AwaitedQuestion): void {
    const { waiting, left, onBackgroundError } = this.#parts;
    waiting.close(awaited);
    if (this.#gathering.drop(awaited)) return;
    const cancelled = awaited.stored.promise
      .then(async (id) => {
        // One that was answered meanwhile leaves nothing.
        if (await this.cancel(id, 'caller-left')) await left.keep(awaited.key, { id });
      })
      .catch(onBackgroundError);
    this.#leaving.set(awaited.key, cancelled);
    this.#background.add(cancelled);
    void cancelled.finally(() => {
      this.#background.delete(cancelled);
      if (this.#leaving.get(awaited.key) === cancelled) this.#leaving.delete(awaited.key);
    });
  }
}

function tooMany(what: string): SallyportError {
  return new SallyportError('TooManyRequests', {
    message: `too many ${what}`,
    hint: 'wait until some are answered',
  });
}

function otherRequest(): SallyportError {
  return new SallyportError('Conflict', {
    message: 'this `Idempotency-Key` was used for another request',
    hint: 'use a new key for a new request',
  });
}
