import { createSecretKey } from 'node:crypto';
import type { Approval } from '../../src/approvals/approval/approval.ts';
import { parseMenu } from '../../src/approvals/approval/menu.ts';
import type { AnswerOutcome } from '../../src/approvals/approval/message.ts';
import type { ChannelAnswer, OnAnswer } from '../../src/approvals/channels/channel.ts';

export { approvalFixture } from '../../src/approvals/render/approval.fixture.ts';

export const KEY = createSecretKey('a key that only the gateway has', 'utf8');

/** Takes answers as the core does: parses the menu, decides each approval once, and keeps what came. */
export class Answers {
  readonly taken: ChannelAnswer[] = [];
  readonly #approvals = new Map<string, Approval>();

  constructor(...approvals: readonly Approval[]) {
    for (const approval of approvals) this.put(approval);
  }

  put(approval: Approval): void {
    this.#approvals.set(approval.id, approval);
  }

  get(id: string): Approval | undefined {
    return this.#approvals.get(id);
  }

  readonly onAnswer: OnAnswer = async (given): Promise<AnswerOutcome> => {
    this.taken.push(given);
    const approval = this.#approvals.get(given.approvalId);
    if (approval === undefined) return { kind: 'refused', message: 'there is no such question' };
    const parsed = given.answer.kind === 'text' ? parseMenu(given.answer.text) : given.answer;
    if (parsed.kind === 'invalid') return parsed;
    const { decision } = parsed;
    if (decision.again === true) return { kind: 'kept', approval, until: approval.createdAt + 600_000 };
    if (approval.status !== 'pending') return { kind: 'too-late', approval };
    const decided: Approval = {
      ...approval,
      status: decision.code === '3' ? 'denied' : 'approved',
      decision,
      decidedBy: given.identity,
    };
    this.put(decided);
    return { kind: 'decided', approval: decided };
  };
}
