import { type Action, type Judgement, SallyportError, type Verdict } from '@sallyport/protocol';
import type { Approval, QuestionDraft, Review, ReviewPort, ToolValidation } from '../../approvals/index.ts';
import type { Soon } from '../../coordination/index.ts';
import { issuePermit } from '../../shared/permit.ts';
import { askedOf, type Grant } from '../grants/grant.ts';
import { judge } from '../judge.ts';
import type { Snapshot } from '../policy/snapshot.ts';
import { type Considered, verdictOf } from './considered.ts';
import { announce, type Decided, keepVerdict, noteVerdict, type Unfinished } from './decision.ts';
import { type Foreseen, foreseen } from './foresee.ts';
import type { AdmitOptions, DecideOptions, GateParts } from './gate-parts.ts';
import { lookAround } from './look-around.ts';
import { leaveForNextDoor } from './next-door.ts';
import { questionOf, titleOf } from './question.ts';
import { validationKey, validationsFor } from './validations.ts';
import { allowedBy, denied, mayLag, noPolicy, type Refusal, refusal, refusedBy } from './verdicts.ts';

/** One action on its way to a verdict. A person may put another one in its place. */
interface Deliberation {
  action: Action;
  snapshot?: Snapshot;
  judgement?: Judgement;
  /** the action that was asked about, when a person changed it */
  replaced?: { readonly action: Action; readonly snapshot?: Snapshot; readonly judgement?: Judgement };
  /** a person's yes to `action` */
  consent?: Approval;
  /** likewise, given before */
  granted?: Grant | undefined;
  countedAt?: number;
  /** the first judgement, where the counts that it needs are not in this process */
  judging?: Promise<Judgement | undefined> | undefined;
  /** what the semantic judge let pass, by `validationKey` */
  validated?: Set<string>;
  /** the gatekeeper was asked about the action with this binding; no `review`: it gave none */
  reviewed?: { readonly binding: string; readonly review?: Review };
}

const NEVER = new AbortController().signal;
/** SECURITY: a failure while deciding is a refusal. The cause may hold what the agent sent, so it stays out. */
const FAILED = refusal('EvaluationFailed', 'the decision could not be made', []);

/**
 * The one way to a verdict: nothing is carried out without its `allow`.
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

  /** `decide` for whoever needs the verdict alone. */
  async admit(action: Action, options: AdmitOptions = {}): Promise<Verdict> {
    const decision = await this.decide(action, options);
    // INVARIANT: without `isPart` there is always a verdict.
    return decision.verdict ?? FAILED;
  }

  /** At once where nothing is to be waited for: a read that the policy allows by itself. */
  decide(action: Action, options: DecideOptions = {}): Decided | Promise<Decided> {
    const { trail } = this.#parts;
    const deliberation: Deliberation = { action };
    let verdict: Verdict | undefined;
    try {
      verdict = this.#atOnce(deliberation, options);
    } catch {
      verdict = FAILED;
    }
    if (verdict === undefined || !mayLag(verdict, action)) {
      announce(trail, options);
      return this.#settle(deliberation, options, verdict);
    }
    const decision = noteVerdict(trail, deliberation, verdict, options);
    issuePermit(decision.verdict, action);
    return decision;
  }

  /** `known`: the verdict, where nobody has to be asked for it. */
  async #settle(deliberation: Deliberation, options: DecideOptions, known?: Verdict): Promise<Decided> {
    let verdict: Verdict;
    try {
      const found = known ?? (await this.#deliberate(deliberation, options));
      if (found === undefined) return this.#unfinished(deliberation, options);
      verdict = found;
    } catch {
      verdict = FAILED;
    }
    const { trail } = this.#parts;
    const { action, replaced, reviewed } = deliberation;
    if (replaced !== undefined) {
      const gone = refusal('ApprovalDenied', `a person changed it into \`${action.id}\``, verdict.opinions);
      const { verdict: kept } = await keepVerdict(trail, replaced, gone, { sent: options.sent });
      if (kept.kind === 'deny' && kept.violation === 'AuditUnavailable') verdict = kept;
    }
    const decision = await keepVerdict(trail, deliberation, verdict, options);
    const final = decision.verdict;
    await leaveForNextDoor(this.#parts, deliberation, final, options.leadsTo);
    issuePermit(final, action);
    if (final.kind === 'allow' && final.by === 'review' && reviewed?.review !== undefined)
      this.#parts.reviewer?.tell(action, titleOf(action), reviewed.review);
    return decision;
  }

  #unfinished(deliberation: Deliberation, options: DecideOptions): Unfinished {
    return {
      verdict: undefined,
      finish: (whole) => {
        deliberation.action = whole;
        return this.#settle(deliberation, { ...options, isPart: false });
      },
      giveUp: (error) => {
        const opinions = deliberation.judgement?.opinions ?? [];
        // What is too large, or finds no room, is refused by that name.
        const isKnown = error instanceof SallyportError;
        const verdict = isKnown ? refusal(error.code, error.message, opinions) : FAILED;
        return this.#settle(deliberation, options, verdict);
      },
    };
  }

  /** For the approval API: what the policy and the grants say to a declared action. Never asks anyone by itself. */
  async consider(action: Action): Promise<Considered> {
    const deliberation: Deliberation = { action };
    let result: Considered;
    try {
      result = await this.#weigh(deliberation);
    } catch {
      result = {
        kind: 'refused',
        verdict: refusal('EvaluationFailed', 'the decision could not be made', []),
      };
    }
    const verdict = verdictOf(result, deliberation.judgement?.opinions ?? []);
    const { verdict: kept } = await keepVerdict(this.#parts.trail, deliberation, verdict, {});
    return kept !== verdict && kept.kind === 'deny' ? { kind: 'refused', verdict: kept } : result;
  }

  /** What would become of an action if it came now: for what an agent asks for beforehand. Counts, records and asks nothing. */
  async foresee(action: Action): Promise<Foreseen> {
    const deliberation: Deliberation = { action, countedAt: this.#parts.clock.now() };
    const judgement = await this.#judge(deliberation);
    if (judgement === undefined) return { kind: 'denied', reason: 'there is no policy for it' };
    if (judgement.outcome !== 'ask') return foreseen(action, judgement, false);
    const no = await this.#standingNo(deliberation, judgement);
    if (no !== undefined) return { kind: 'denied', reason: no.reason };
    const quorum = this.#parts.approvals?.quorumOf(this.#draft(deliberation, judgement)) ?? 1;
    return foreseen(action, judgement, quorum <= 1);
  }

  async #weigh(deliberation: Deliberation): Promise<Considered> {
    const judgement = await this.#judge(deliberation);
    if (judgement === undefined) return { kind: 'refused', verdict: noPolicy(deliberation.action) };
    if (judgement.outcome === 'deny') return { kind: 'refused', verdict: denied(judgement) };
    // SECURITY: what a client declares is at least asked; no rule allows it.
    if (judgement.outcome === 'allow') throw new Error('a declared action cannot be allowed by policy');
    const draft = { ...this.#draft(deliberation, judgement), blocked: false };
    const no = await this.#standingNo(deliberation, judgement);
    if (no !== undefined) return { kind: 'refused', verdict: no };
    const grant = await this.#grantFor(deliberation, judgement, draft);
    return grant === undefined ? { kind: 'asked', draft } : { kind: 'granted', grant, draft };
  }

  /** What the policy allows by itself needs no wait, and most of what agents do is that. */
  #atOnce(deliberation: Deliberation, { signal }: AdmitOptions): Verdict | undefined {
    const judgement = this.#judge(deliberation);
    if (judgement instanceof Promise) {
      deliberation.judging = judgement;
      return undefined;
    }
    if (judgement?.outcome !== 'allow' || signal?.aborted === true) return undefined;
    return this.#unchecked(deliberation).length === 0
      ? allowedBy('policy', undefined, undefined, judgement.opinions)
      : undefined;
  }

  /** undefined: only a beginning is here, and the answer is not the policy's alone. */
  async #deliberate(deliberation: Deliberation, options: DecideOptions): Promise<Verdict | undefined> {
    const { signal = NEVER } = options;
    for (;;) {
      const judging = deliberation.judging ?? this.#judge(deliberation);
      deliberation.judging = undefined;
      const judgement = judging instanceof Promise ? await judging : judging;
      if (judgement === undefined) return noPolicy(deliberation.action);
      if (signal.aborted) return refusal('ApprovalCancelled', 'the caller left', judgement.opinions);
      const { consent } = deliberation;
      // SECURITY: nothing answers a deny, also not the yes that a person gave a moment ago [GA-4, AP-9].
      if (judgement.outcome === 'deny')
        return { ...denied(judgement), ...(consent === undefined ? {} : { approval: consent.id }) };
      const changed = deliberation.replaced === undefined ? undefined : deliberation.action;
      const unchecked = this.#unchecked(deliberation);
      const isPolicys = judgement.outcome === 'allow' && unchecked.length === 0;
      // People and their grants answer for the whole, never for a beginning.
      if (!isPolicys && options.isPart === true) return undefined;
      if (unchecked.length > 0) {
        const no = await this.#check(deliberation, unchecked, judgement.opinions, signal);
        if (no !== undefined) return { ...no, ...(consent === undefined ? {} : { approval: consent.id }) };
        // The judge took its time: the policy may be another one now [AP-9].
        continue;
      }
      if (judgement.outcome === 'allow') return allowedBy('policy', consent, changed, judgement.opinions);
      const draft = this.#draft(deliberation, judgement);
      if (consent !== undefined && this.#covers(consent, deliberation.action, draft)) {
        this.#parts.reads?.beginAgain(deliberation.action);
        return allowedBy('person', consent, changed, judgement.opinions);
      }
      const no = await this.#standingNo(deliberation, judgement);
      if (no !== undefined) return no;
      const grant = await this.#grantFor(deliberation, judgement, draft);
      deliberation.granted = grant;
      if (grant !== undefined)
        return { kind: 'allow', by: 'grant', grant: grant.id, opinions: judgement.opinions };
      const reviewer = this.#reviewerFor(draft);
      if (reviewer !== undefined && deliberation.reviewed?.binding !== deliberation.action.binding) {
        const { action } = deliberation;
        const review = await reviewer.review(action, judgement.reason, signal);
        deliberation.reviewed = { binding: action.binding, ...(review === undefined ? {} : { review }) };
        continue;
      }
      const review =
        deliberation.reviewed?.binding === deliberation.action.binding
          ? deliberation.reviewed.review
          : undefined;
      if (review !== undefined && reviewer?.mayAnswer(deliberation.action, review) === true)
        return allowedBy('review', consent, changed, judgement.opinions);
      const asked = review === undefined ? draft : { ...draft, review };
      const end = await this.#ask(deliberation, asked, judgement, { ...options, signal });
      if (end !== undefined) return end;
    }
  }

  /** What the semantic judge has not looked at yet, as configured now. */
  #unchecked({ action, snapshot, validated }: Deliberation): readonly ToolValidation[] {
    if (snapshot === undefined) throw new Error('checked before it was judged');
    const validations = validationsFor(snapshot.policy, action);
    if (validations.length === 0 || this.#parts.skipsJudge?.(action) === true) return [];
    return validations.filter((validation) => validated?.has(validationKey(action, validation)) !== true);
  }

  /** A refusal, or undefined when every one of them passed: the judge never allows anything. */
  async #check(
    deliberation: Deliberation,
    validations: readonly ToolValidation[],
    opinions: Verdict['opinions'],
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    const { judge: semantic } = this.#parts;
    const { action } = deliberation;
    for (const validation of validations) {
      const answer = await semantic?.judge(action, validation, signal);
      if (signal.aborted) return refusal('ApprovalCancelled', 'the caller left', opinions);
      if (answer?.kind === 'refused') return refusal('SemanticJudgeRefused', answer.reason, opinions);
      // SECURITY: what is to be checked and cannot be is refused [GA-5].
      if (answer?.kind !== 'passed')
        return refusal('SemanticJudgeUnavailable', answer?.reason ?? 'there is no judge', opinions);
      deliberation.validated ??= new Set();
      deliberation.validated.add(validationKey(action, validation));
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
    deliberation: Deliberation,
    draft: QuestionDraft,
    { opinions, reason }: Judgement & { readonly outcome: 'ask' },
    { signal, rebuild, again, wait, onAsked }: AdmitOptions & { readonly signal: AbortSignal },
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
    const { action } = deliberation;
    const answer = await approvals.ask(draft, {
      ...{ signal, onAsked },
      ...(rebuild === undefined ? {} : { checkOverride: (text) => problemWith(() => rebuild(action, text)) }),
    });
    if (answer.kind === 'again') return undefined;
    if (answer.kind === 'left') return refusal('ApprovalCancelled', 'the caller left', opinions);
    const { approval } = answer;
    if (approval.status !== 'approved') return refusedBy(approval, opinions);
    const override = approval.decision?.override;
    deliberation.consent = approval;
    // SECURITY: a link or a git config may lead elsewhere than when people were asked [AP-9].
    if (override === undefined && again !== undefined && again().binding !== action.binding)
      return {
        ...refusal('Conflict', 'what it would do changed while people were asked', opinions),
        hint: 'make the same call again: people are asked about what it does now',
        approval: approval.id,
      };
    if (override === undefined) return undefined;
    if (rebuild === undefined) return refusal('EvaluationFailed', 'this door takes no replacement', opinions);
    const changed = rebuild(action, override);
    const { snapshot, judgement } = deliberation;
    deliberation.replaced = {
      action,
      ...(snapshot === undefined ? {} : { snapshot }),
      ...(judgement === undefined ? {} : { judgement }),
    };
    deliberation.action = changed;
    // The person wrote this very thing: their yes is bound to it, and to nothing else.
    deliberation.consent = { ...approval, binding: changed.binding };
    return undefined;
  }

  #judge(deliberation: Deliberation): Soon<Judgement | undefined> {
    const snapshot = lookAround(deliberation, this.#parts);
    return snapshot instanceof Promise
      ? snapshot.then((known) => judged(deliberation, known))
      : judged(deliberation, snapshot);
  }

  #draft(
    { action, snapshot }: Deliberation,
    judgement: Judgement & { readonly outcome: 'ask' },
  ): QuestionDraft {
    if (snapshot === undefined) throw new Error('asked before it was judged');
    return questionOf(action, judgement, snapshot.policy);
  }

  /** What somebody said no to for good is not asked again. */
  async #standingNo({ action }: Deliberation, judgement: Judgement): Promise<Refusal | undefined> {
    const no = await this.#parts.grants.refusing(askedOf(action, judgement));
    if (no === undefined) return undefined;
    const reason = `\`${no.createdBy}\` said no to this until further notice (${no.id})`;
    return refusal('ApprovalDenied', reason, judgement.opinions);
  }

  async #grantFor(
    { action }: Deliberation,
    judgement: Judgement,
    draft: QuestionDraft,
  ): Promise<Grant | undefined> {
    const { grants, approvals } = this.#parts;
    // SECURITY: `each-time` and quorum are for people alone; no grant is even looked up [AP-7].
    if (draft.strength === 'each-time') return undefined;
    if (approvals !== undefined && approvals.quorumOf(draft) > 1) return undefined;
    return grants.take(askedOf(action, judgement));
  }

  /** SECURITY: consent is to one action, all of it, and by as many people as are needed now [AP-1]. */
  #covers(consent: Approval, action: Action, draft: QuestionDraft): boolean {
    const needed = this.#parts.approvals?.quorumOf(draft) ?? 1;
    return consent.binding === action.binding && consent.quorum >= needed;
  }
}

function judged(deliberation: Deliberation, snapshot: Snapshot | undefined): Judgement | undefined {
  if (snapshot === undefined) return undefined;
  deliberation.snapshot = snapshot;
  deliberation.judgement = judge(deliberation.action, snapshot);
  return deliberation.judgement;
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
