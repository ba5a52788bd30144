import { factsOfDoor } from '@sallyport/protocol';
import type { Clock } from '../shared/clock.ts';
import type { ApprovalMessagesRepository, ApprovalRow, ApprovalsRepository } from '../store/index.ts';
import { refusalOf } from './answer-check.ts';
import type { Approval, Decision } from './approval/approval.ts';
import { toApproval } from './approval/approval-row.ts';
import { isWellFormed, MENU_HELP, parseMenu } from './approval/menu.ts';
import type { AnswerOutcome } from './approval/message.ts';
import { shownAs } from './approval/question-key.ts';
import type { StandingAnswers } from './approval-port.ts';
import type { Channel, ChannelAnswer, ChannelCeiling, OnAnswer } from './channels/channel.ts';
import type { Deciders } from './dispatch/deciders.ts';
import { ONCE_GRANT_MS, type Settlement } from './settlement.ts';
import type { WaitingCallers } from './waiting-callers.ts';

export interface DecisionsParts {
  readonly repository: ApprovalsRepository;
  readonly messages: ApprovalMessagesRepository;
  readonly clock: Clock;
  readonly deciders: Deciders;
  readonly settlement: Settlement;
  readonly standing: StandingAnswers;
  readonly waiting: WaitingCallers;
  readonly onError: (error: unknown) => void;
}

/** Who answers, after it was checked that they may. */
interface Person {
  readonly user: string;
  readonly via: string;
  readonly ceiling: ChannelCeiling;
  /** a listed user; the operator token names nobody */
  readonly known: boolean;
}

const AGREE_TRIES = 20;
const OPERATOR: Person = { user: 'operator', via: 'operator', ceiling: 'always', known: false };

/** Where answers arrive. It never throws: whatever is wrong comes back as an outcome, and nothing is decided. */
export class Decisions {
  readonly #parts: DecisionsParts;

  constructor(parts: DecisionsParts) {
    this.#parts = parts;
  }

  /** What a channel hands its authentic answers to. */
  onAnswer(channel: Pick<Channel, 'name' | 'ceiling' | 'hosts'>): OnAnswer {
    return (answer) => this.#guard(() => this.#fromChannel(channel, answer));
  }

  /** The operator side. The caller holds the operator token; no agent credential ever leads here [ID-2]. */
  fromOperator(id: string, decision: Decision, binding?: string): Promise<AnswerOutcome> {
    return this.#guard(async () => {
      const row = await this.#parts.repository.find(id);
      if (row === undefined) return UNKNOWN;
      if (binding !== undefined && binding !== row.binding)
        return { kind: 'refused', message: 'the question has changed: read it again, then answer' };
      return this.#decide(row, toApproval(row, this.#parts.clock.now()), decision, OPERATOR);
    });
  }

  async #fromChannel(
    channel: Pick<Channel, 'name' | 'ceiling' | 'hosts'>,
    { approvalId, identity, answer }: ChannelAnswer,
  ): Promise<AnswerOutcome> {
    const { repository, messages, deciders, clock } = this.#parts;
    const row = await repository.find(approvalId);
    if (row === undefined) return UNKNOWN;
    const approval = toApproval(row, this.#parts.clock.now());
    const user = deciders.userOf(approval.tenant, channel.name, identity);
    // SECURITY: a stranger learns nothing, not even that the approval exists [AP-2].
    if (user === undefined) return UNKNOWN;
    const refusal = deciders.refusal(approval, user, clock.now());
    if (refusal !== undefined) return { kind: 'refused', message: refusal };
    if (await deciders.isVoid(channel, approval.actor))
      return {
        kind: 'refused',
        message: 'the agent that asks can write to this channel itself: answer somewhere else',
      };
    if (approval.status === 'pending') {
      const shown = await messages.shownTo(approvalId, channel.name, user);
      // SECURITY: the caller came back with other words, and this message does not show them yet [AP-1].
      if (shown !== undefined && shown !== shownAs(approval)) {
        // Or somebody else was quicker, and the message already shows how it ended.
        if ((await repository.find(approvalId))?.status !== 'pending') return this.#tooLate(approvalId);
        return { kind: 'refused', message: 'the question has changed: read it again, then answer' };
      }
    }
    const parsed =
      answer.kind === 'text'
        ? parseMenu(answer.text)
        : { kind: 'decision' as const, decision: answer.decision };
    if (parsed.kind === 'invalid') return parsed;
    const person = { user, via: channel.name, ceiling: channel.ceiling, known: true };
    return this.#decide(row, approval, parsed.decision, person);
  }

  async #decide(
    row: ApprovalRow,
    approval: Approval,
    decision: Decision,
    person: Person,
  ): Promise<AnswerOutcome> {
    const { standing, waiting } = this.#parts;
    if (!isWellFormed(decision)) return { kind: 'invalid', message: MENU_HELP };
    if (decision.again === true) return this.#keep(approval, person);
    if (row.status !== 'pending') return this.#tooLate(row.id);
    if (approval.status === 'expired') return { kind: 'too-late', approval };
    const refusal = refusalOf(approval, decision, person.ceiling, standing);
    if (refusal !== undefined) return { kind: 'refused', message: refusal };
    // What is handed back goes as it is; what is carried out must fit the tool's input.
    const isCarriedOut = factsOfDoor(approval.door).override === 'carried out';
    if (decision.override !== undefined && isCarriedOut) {
      const problem = approval.blocked
        ? waiting.checkOverride(row.id, decision.override)
        : 'nobody waits for this, so it cannot be changed: allow it once, or deny it';
      if (problem !== undefined) return { kind: 'refused', message: problem };
    }
    if (approval.quorum > 1 && decision.code !== '3')
      return this.#agree(row, decision, person, approval.quorum);
    return this.#end(row, decision, person);
  }

  /** One more of several people says yes. */
  async #agree(
    first: ApprovalRow,
    decision: Decision,
    person: Person,
    quorum: number,
  ): Promise<AnswerOutcome> {
    const { repository } = this.#parts;
    if (!person.known)
      return {
        kind: 'refused',
        message: 'several people decide this, and the operator token names none: answer on your own channel',
      };
    let row: ApprovalRow | undefined = first;
    for (let tries = 0; tries < AGREE_TRIES && row?.status === 'pending'; tries += 1) {
      const approval = toApproval(row, this.#parts.clock.now());
      // SECURITY: different people: the same one twice, on whatever channel, counts once.
      const agreed = [...new Set([...approval.agreed, person.user])];
      if (agreed.length >= quorum) return this.#end(row, decision, person, JSON.stringify(agreed));
      const after = JSON.stringify(agreed);
      if (after === row.agreed || (await repository.agree(row.id, row.agreed, after)))
        return { kind: 'counted', approval: { ...approval, agreed }, missing: quorum - agreed.length };
      row = await repository.find(row.id);
    }
    return this.#tooLate(first.id);
  }

  async #end(row: ApprovalRow, decision: Decision, person: Person, agreed?: string): Promise<AnswerOutcome> {
    const { repository, clock, settlement } = this.#parts;
    const now = clock.now();
    const ending = {
      status: decision.code === '3' ? 'denied' : 'approved',
      decision: JSON.stringify(decision),
      decided_by: person.user,
      decided_via: person.via,
      decided_at: now,
      ended_at: now,
      ...(agreed === undefined ? {} : { agreed }),
    };
    // INVARIANT: this is the one place where an answer wins; everyone else is told that it came too late [AP-4].
    const ended = await repository.end(row.id, ending, now, agreed === undefined ? undefined : row.agreed);
    if (ended === undefined) {
      const current = agreed === undefined ? undefined : await repository.find(row.id);
      if (current?.status === 'pending')
        return this.#decide(current, toApproval(current, now), decision, person);
      return this.#tooLate(row.id);
    }
    return { kind: 'decided', approval: await settlement.settle(ended) };
  }

  /** "Allow if it asks again": the caller left, but the person wants it to pass next time. */
  async #keep(approval: Approval, person: Person): Promise<AnswerOutcome> {
    const { repository, clock, standing } = this.#parts;
    if (approval.status !== 'cancelled' || approval.cancelReason !== 'caller-left')
      return this.#tooLate(approval.id);
    // SECURITY: no grant answers what is asked each time, so none is made [AP-7].
    if (approval.strength === 'each-time' || approval.quorum > 1)
      return { kind: 'refused', message: 'this is asked each time: it will be asked again' };
    if (approval.answeredBy !== undefined || !(await repository.claimAgain(approval.id, person.user)))
      return this.#tooLate(approval.id);
    const until = clock.now() + ONCE_GRANT_MS;
    await standing.createOnce(approval, person.user, person.via, until);
    return { kind: 'kept', approval, until };
  }

  /** What the winner said, once that is in the trail. */
  async #tooLate(id: string): Promise<AnswerOutcome> {
    await this.#parts.settlement.idle(id);
    const row = await this.#parts.repository.find(id);
    return row === undefined
      ? UNKNOWN
      : { kind: 'too-late', approval: toApproval(row, this.#parts.clock.now()) };
  }

  async #guard(answer: () => Promise<AnswerOutcome>): Promise<AnswerOutcome> {
    try {
      return await answer();
    } catch (error) {
      this.#parts.onError(error);
      return {
        kind: 'refused',
        message: 'the answer could not be recorded, so nothing is decided: try again',
      };
    }
  }
}

const UNKNOWN: AnswerOutcome = { kind: 'refused', message: 'there is no such question for you' };
