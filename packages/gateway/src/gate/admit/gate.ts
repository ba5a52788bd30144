import {
  type Action,
  type Judgement,
  type NewEvent,
  SallyportError,
  type Verdict,
} from '@sallyport/protocol';
import type { Approval, QuestionDraft, Review, ReviewPort, ToolValidation } from '../../approvals/index.ts';
import type { HeldNote } from '../../audit/index.ts';
import type { Soon } from '../../coordination/index.ts';
import { issuePermit } from '../../shared/permit.ts';
import type { Grant } from '../grants/grant.ts';
import { judge } from '../judge.ts';
import type { Snapshot } from '../snapshot.ts';
import { type Considered, verdictOf } from './considered.ts';
import type { AdmitOptions, GateParts } from './gate-parts.ts';
import { judgedEventOf } from './judged-detail.ts';
import { lookAround } from './look-around.ts';
import { questionOf, titleOf } from './question.ts';
import { validationKey, validationsFor } from './validations.ts';
import {
  allowedBy,
  denied,
  mayLag,
  noPolicy,
  type Refusal,
  refusal,
  refusedBy,
  unrecorded,
} from './verdicts.ts';

/** One action on its way to a verdict. A person may put another one in its place. */
interface Course {
  action: Action;
  snapshot?: Snapshot;
  judgement?: Judgement;
  /** the action that was asked about, when a person changed it */
  replaced?: { readonly action: Action; readonly snapshot?: Snapshot; readonly judgement?: Judgement };
  /** a person's yes to `action` */
  consent?: Approval;
  countedAt?: number;
  /** the first judgement, where the counts that it needs are not in this process */
  judging?: Promise<Judgement | undefined> | undefined;
  isComplete?: boolean;
  /** what the semantic judge let pass, by `validationKey` */
  readonly validated: Set<string>;
  /** the gatekeeper was asked about the action with this binding; no `review`: it gave none */
  reviewed?: { readonly binding: string; readonly review?: Review };
}

const NEVER = new AbortController().signal;
/** SECURITY: a failure while deciding is a refusal. The cause may hold what the agent sent, so it stays out. */
const FAILED = refusal('EvaluationFailed', 'the decision could not be made', []);

/**
 * The one way to a verdict. Every door calls `admit` and carries out nothing without its `allow`.
 *
 * Contract:
 * - It never throws and never rejects: whatever goes wrong inside is a `deny`.
 * - The verdict on a write, and every refusal, is durable in the trail before it is returned; if the trail
 *   cannot take it, the verdict is `deny` with `AuditUnavailable`.
 * - Each action is one event of a verdict, however long people were asked.
 * - After any wait the action is judged again, with the policy, session and counters of that moment.
 */
export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  async admit(action: Action, options: AdmitOptions = {}): Promise<Verdict> {
    return this.decide(action, options);
  }

  /** `admit`, but at once where nothing is to be waited for: a read that the policy allows by itself. */
  decide(action: Action, options: AdmitOptions = {}): Verdict | Promise<Verdict> {
    const course: Course = { action, validated: new Set() };
    let verdict: Verdict | undefined;
    try {
      verdict = this.#atOnce(course, options);
    } catch {
      verdict = FAILED;
    }
    if (verdict === undefined || !mayLag(verdict, action)) {
      options.onSlow?.();
      return this.#admit(course, options, verdict);
    }
    if (options.onHeld === undefined || this.#parts.trail.hold === undefined) options.onSlow?.();
    const allowed = verdict;
    const eventOf = (): NewEvent => judgedEventOf(this.#parts.trail, course, allowed, options);
    const final = this.#noteSoon(allowed, eventOf, options.onHeld);
    issuePermit(final, action);
    return final;
  }

  async #admit(course: Course, options: AdmitOptions, known: Verdict | undefined): Promise<Verdict> {
    let verdict: Verdict;
    try {
      verdict = known ?? (await this.#deliberate(course, options));
    } catch {
      verdict = FAILED;
    }
    const { replaced } = course;
    if (replaced !== undefined) {
      const gone = refusal(
        'ApprovalDenied',
        `a person changed it into \`${course.action.id}\``,
        verdict.opinions,
      );
      const kept = await this.#remember(gone, replaced.action, () =>
        judgedEventOf(this.#parts.trail, replaced, gone, options),
      );
      if (kept.kind === 'deny' && kept.violation === 'AuditUnavailable') verdict = kept;
    }
    const eventOf = (): NewEvent => judgedEventOf(this.#parts.trail, course, verdict, options);
    const final = mayLag(verdict, course.action)
      ? this.#noteSoon(verdict, eventOf, options.onHeld)
      : await this.#remember(verdict, course.action, eventOf, options.onHeld);
    issuePermit(final, course.action);
    if (final.kind === 'allow' && final.by === 'review' && course.reviewed?.review !== undefined)
      this.#parts.reviewer?.tell(course.action, titleOf(course.action), course.reviewed.review);
    return final;
  }

  /** For the approval API: what the policy and the grants say to a declared action. Never asks anyone by itself. */
  async consider(action: Action): Promise<Considered> {
    const course: Course = { action, validated: new Set() };
    let result: Considered;
    try {
      result = await this.#weigh(course);
    } catch {
      result = {
        kind: 'refused',
        verdict: refusal('EvaluationFailed', 'the decision could not be made', []),
      };
    }
    const verdict = verdictOf(result, course.judgement?.opinions ?? []);
    const kept = await this.#remember(verdict, action, () =>
      judgedEventOf(this.#parts.trail, course, verdict, {}),
    );
    return kept !== verdict && kept.kind === 'deny' ? { kind: 'refused', verdict: kept } : result;
  }

  async #weigh(course: Course): Promise<Considered> {
    const judgement = await this.#judge(course);
    if (judgement === undefined) return { kind: 'refused', verdict: noPolicy(course.action) };
    if (judgement.outcome === 'deny') return { kind: 'refused', verdict: denied(judgement) };
    // SECURITY: what a client declares is at least asked; no rule allows it.
    if (judgement.outcome === 'allow') throw new Error('a declared action cannot be allowed by policy');
    const draft = { ...this.#draft(course, judgement), blocked: false };
    const grant = await this.#grantFor(course, draft);
    return grant === undefined ? { kind: 'asked', draft } : { kind: 'granted', grant, draft };
  }

  /** What the policy allows by itself needs no wait, and most of what agents do is that. */
  #atOnce(course: Course, { signal }: AdmitOptions): Verdict | undefined {
    const judgement = this.#judge(course);
    if (judgement instanceof Promise) {
      course.judging = judgement;
      return undefined;
    }
    if (judgement?.outcome !== 'allow' || signal?.aborted === true) return undefined;
    return this.#unchecked(course).length === 0
      ? allowedBy('policy', undefined, undefined, judgement.opinions)
      : undefined;
  }

  async #deliberate(course: Course, options: AdmitOptions): Promise<Verdict> {
    const { signal = NEVER } = options;
    for (;;) {
      const judging = course.judging ?? this.#judge(course);
      course.judging = undefined;
      const judgement = judging instanceof Promise ? await judging : judging;
      if (judgement === undefined) return noPolicy(course.action);
      if (signal.aborted) return refusal('ApprovalCancelled', 'the caller left', judgement.opinions);
      const { consent } = course;
      // SECURITY: nothing answers a deny, also not the yes that a person gave a moment ago [GA-4, AP-9].
      if (judgement.outcome === 'deny')
        return { ...denied(judgement), ...(consent === undefined ? {} : { approval: consent.id }) };
      const changed = course.replaced === undefined ? undefined : course.action;
      const unchecked = this.#unchecked(course);
      const isPolicys = judgement.outcome === 'allow' && unchecked.length === 0;
      if (!isPolicys && options.complete !== undefined && course.isComplete !== true) {
        course.isComplete = true;
        try {
          course.action = await options.complete();
        } catch (error) {
          // What is too large, or finds no room, is refused by that name.
          if (error instanceof SallyportError) return refusal(error.code, error.message, judgement.opinions);
          throw error;
        }
        continue;
      }
      if (unchecked.length > 0) {
        const no = await this.#check(course, unchecked, judgement.opinions, signal);
        if (no !== undefined) return { ...no, ...(consent === undefined ? {} : { approval: consent.id }) };
        // The judge took its time: the policy may be another one now [AP-9].
        continue;
      }
      if (judgement.outcome === 'allow') return allowedBy('policy', consent, changed, judgement.opinions);
      const draft = this.#draft(course, judgement);
      if (consent !== undefined && this.#covers(consent, course.action, draft))
        return allowedBy('person', consent, changed, judgement.opinions);
      const grant = await this.#grantFor(course, draft);
      if (grant !== undefined)
        return { kind: 'allow', by: 'grant', grant: grant.id, opinions: judgement.opinions };
      const reviewer = this.#reviewerFor(draft);
      if (reviewer !== undefined && course.reviewed?.binding !== course.action.binding) {
        const { action } = course;
        const review = await reviewer.review(action, judgement.reason, signal);
        course.reviewed = { binding: action.binding, ...(review === undefined ? {} : { review }) };
        continue;
      }
      const review = course.reviewed?.binding === course.action.binding ? course.reviewed.review : undefined;
      if (review !== undefined && reviewer?.mayAnswer(course.action, review) === true)
        return allowedBy('review', consent, changed, judgement.opinions);
      const asked = review === undefined ? draft : { ...draft, review };
      const end = await this.#ask(course, asked, judgement, { ...options, signal });
      if (end !== undefined) return end;
    }
  }

  /** What the semantic judge has not looked at yet, as configured now. */
  #unchecked({ action, snapshot, validated }: Course): readonly ToolValidation[] {
    if (snapshot === undefined) throw new Error('checked before it was judged');
    const validations = validationsFor(snapshot.policy, action);
    if (validations.length === 0 || this.#parts.skipsJudge?.(action) === true) return [];
    return validations.filter((validation) => !validated.has(validationKey(action, validation)));
  }

  /** A refusal, or undefined when every one of them passed: the judge never allows anything. */
  async #check(
    { action, validated }: Course,
    validations: readonly ToolValidation[],
    opinions: Verdict['opinions'],
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    const { judge: semantic } = this.#parts;
    for (const validation of validations) {
      const answer = await semantic?.judge(action, validation, signal);
      if (signal.aborted) return refusal('ApprovalCancelled', 'the caller left', opinions);
      if (answer?.kind === 'refused') return refusal('SemanticJudgeRefused', answer.reason, opinions);
      // SECURITY: what is to be checked and cannot be is refused [GA-5].
      if (answer?.kind !== 'passed')
        return refusal('SemanticJudgeUnavailable', answer?.reason ?? 'there is no judge', opinions);
      validated.add(validationKey(action, validation));
    }
    return undefined;
  }

  /** Who may answer in the place of people; undefined: nobody. */
  #reviewerFor(draft: QuestionDraft): ReviewPort | undefined {
    const { reviewer, approvals } = this.#parts;
    // SECURITY: `human` and `each-time` are for people, and so is what several of them decide [AP-7].
    if (draft.strength !== 'review') return undefined;
    if (approvals !== undefined && approvals.quorumOf(draft) > 1) return undefined;
    return reviewer?.isOn(draft.tenant) === true ? reviewer : undefined;
  }

  /** A refusal, or undefined when the action is to be judged again. */
  async #ask(
    course: Course,
    draft: QuestionDraft,
    { opinions, reason }: Judgement & { readonly outcome: 'ask' },
    { signal, rebuild, wait, onAsked }: AdmitOptions & { readonly signal: AbortSignal },
  ): Promise<Verdict | undefined> {
    const { approvals } = this.#parts;
    if (approvals === undefined)
      return refusal('ApprovalUnavailable', `this needs a person: ${reason}`, opinions);
    if (wait === false) {
      // SECURITY: what is asked each time is answered to a caller that waits, or not at all [AP-7].
      if (draft.strength === 'each-time' || approvals.quorumOf(draft) > 1)
        return refusal(
          'ApprovalUnavailable',
          `this is asked each time, so the caller must wait: ${reason}`,
          opinions,
        );
      const { id } = await approvals.open({ ...draft, blocked: false, sentAgain: true });
      return { ...refusal('ApprovalPending', `a person has been asked: ${reason}`, opinions), approval: id };
    }
    const { action } = course;
    const answer = await approvals.ask(draft, {
      ...{ signal, onAsked },
      ...(rebuild === undefined ? {} : { checkOverride: (text) => problemWith(() => rebuild(action, text)) }),
    });
    if (answer.kind === 'again') return undefined;
    if (answer.kind === 'left') return refusal('ApprovalCancelled', 'the caller left', opinions);
    const { approval } = answer;
    if (approval.status !== 'approved') return refusedBy(approval, opinions);
    const override = approval.decision?.override;
    course.consent = approval;
    if (override === undefined) return undefined;
    if (rebuild === undefined) return refusal('EvaluationFailed', 'this door takes no replacement', opinions);
    const changed = rebuild(action, override);
    const { snapshot, judgement } = course;
    course.replaced = {
      action,
      ...(snapshot === undefined ? {} : { snapshot }),
      ...(judgement === undefined ? {} : { judgement }),
    };
    course.action = changed;
    // The person wrote this very thing: their yes is bound to it, and to nothing else.
    course.consent = { ...approval, binding: changed.binding };
    return undefined;
  }

  #judge(course: Course): Soon<Judgement | undefined> {
    const snapshot = lookAround(course, this.#parts);
    return snapshot instanceof Promise
      ? snapshot.then((known) => judged(course, known))
      : judged(course, snapshot);
  }

  #draft({ action, snapshot }: Course, judgement: Judgement & { readonly outcome: 'ask' }): QuestionDraft {
    if (snapshot === undefined) throw new Error('asked before it was judged');
    return questionOf(action, judgement, snapshot.policy);
  }

  async #grantFor({ action }: Course, draft: QuestionDraft): Promise<Grant | undefined> {
    const { grants, approvals } = this.#parts;
    // SECURITY: `each-time` and quorum are for people alone; no grant is even looked up [AP-7].
    if (draft.strength === 'each-time') return undefined;
    if (approvals !== undefined && approvals.quorumOf(draft) > 1) return undefined;
    return grants.take(action);
  }

  /** SECURITY: consent is to one action, all of it, and by as many people as are needed now [AP-1]. */
  #covers(consent: Approval, action: Action, draft: QuestionDraft): boolean {
    const needed = this.#parts.approvals?.quorumOf(draft) ?? 1;
    return consent.binding === action.binding && consent.quorum >= needed;
  }

  async #remember(
    verdict: Verdict,
    action: Action,
    eventOf: () => NewEvent,
    onHeld?: (held: HeldNote) => void,
  ): Promise<Verdict> {
    if (mayLag(verdict, action)) return this.#noteSoon(verdict, eventOf);
    const { trail } = this.#parts;
    try {
      // What is refused has no outcome to wait for.
      const takesOutcome = verdict.kind === 'allow' && onHeld !== undefined;
      if (!takesOutcome || trail.keep === undefined) await trail.append(eventOf());
      else {
        const held = await trail.keep(eventOf());
        if (held !== undefined) onHeld(held);
      }
      return verdict;
    } catch {
      return unrecorded(verdict);
    }
  }

  #noteSoon(verdict: Verdict, eventOf: () => NewEvent, onHeld?: (held: HeldNote) => void): Verdict {
    const { trail } = this.#parts;
    try {
      if (onHeld !== undefined && trail.hold !== undefined) onHeld(trail.hold(eventOf()));
      else trail.note(eventOf());
      return verdict;
    } catch {
      return unrecorded(verdict);
    }
  }
}

function judged(course: Course, snapshot: Snapshot | undefined): Judgement | undefined {
  if (snapshot === undefined) return undefined;
  course.snapshot = snapshot;
  course.judgement = judge(course.action, snapshot);
  return course.judgement;
}

function problemWith(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error instanceof SallyportError
      ? error.message
      : 'the replacement does not fit the input of the tool';
  }
}
