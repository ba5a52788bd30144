import type {
  Answer,
  Approval,
  ApprovalPort,
  DecisionCode,
  QuestionDraft,
  StandingAnswers,
} from '../../../packages/gateway/src/approvals/index.ts';

/**
 * Who answers. All three say no to what must not pass.
 *
 * `sensible`: somebody who reads the question and would rather not read it again. Reading a host, and an ordinary write where
 * the team works (its repositories, its tracker, its channels): always. What changes a running system or moves money: for the
 * session, however often it comes. What no standing answer covers: once.
 * `session`, `always`: 2 or 6 to everything else that takes it; between them lies whoever is more careful, or less.
 */
export type Character = 'sensible' | 'session' | 'always';

/** One question that was put to the person. */
export interface Asked {
  readonly title: string;
  readonly layer: string;
  readonly reason: string;
  readonly code: DecisionCode;
  /** it was answered with 2 or 6 before, and that answer should still hold */
  readonly isRepeat: boolean;
}

const DAY_MS = 86_400_000;

/** What a person sees of a question whose object runs, or costs something: clusters, clouds, payments, deployments. */
const RUNS_OR_COSTS =
  /amazonaws\.com|azure|googleapis\.com|kube|terraform|helm|stripe|pay(?:ment|out)|deploy|prod(?:uction)?\b|ssh /i;

/** People's side of the gate: answers at once, and leaves the standing answers that its codes leave. */
export class Person implements ApprovalPort {
  /** what the step that is under way is */
  isHarm = false;
  readonly asked: Asked[] = [];
  readonly #character: Character;
  readonly #standing: StandingAnswers;
  readonly #held = new Set<string>();
  #number = 0;

  constructor(character: Character, standing: StandingAnswers) {
    this.#character = character;
    this.#standing = standing;
  }

  async ask(draft: QuestionDraft): Promise<Answer> {
    this.#number += 1;
    const now = Date.now();
    const base: Approval = {
      ...draft,
      id: `appr_${String(this.#number).padStart(10, '0')}`,
      quorum: 1,
      expiresInMs: DAY_MS,
      status: 'pending',
      createdAt: now,
      expiresAt: now + DAY_MS,
      agreed: [],
    };
    const code = this.isHarm ? '3' : this.#codeFor(base);
    const { session = '' } = draft.actor;
    const [forSession, forEver] = [`${session}/${draft.fingerprint}`, draft.fingerprint];
    const isRepeat = this.#held.has(forSession) || this.#held.has(forEver);
    if (code === '2') this.#held.add(forSession);
    if (code === '6') this.#held.add(forEver);
    const { layer, reason } = draft.reason;
    this.asked.push({ title: draft.title, layer, reason, code, isRepeat });
    const approval: Approval = {
      ...base,
      status: code === '3' ? 'denied' : 'approved',
      decision: { code },
      decidedBy: 'ana',
      decidedVia: 'terminal',
      decidedAt: now,
    };
    if (approval.status === 'approved') await this.#standing.create(approval);
    return { kind: 'ended', approval };
  }

  open(): Promise<Approval> {
    throw new Error('the day has no caller that does not wait');
  }

  quorumOf(): number {
    return 1;
  }

  #codeFor(approval: Approval): DecisionCode {
    const may = (code: '2' | '6'): boolean =>
      (code === '2' ? approval.covers.session : approval.covers.always) !== undefined &&
      this.#standing.refusal(approval, code === '2' ? 'session' : 'always') === undefined;
    const isForEver =
      this.#character === 'always' || (this.#character === 'sensible' && !RUNS_OR_COSTS.test(approval.title));
    if (isForEver && may('6')) return '6';
    return may('2') ? '2' : '1';
  }
}
