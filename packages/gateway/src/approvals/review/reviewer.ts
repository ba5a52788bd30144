import type { Action } from '@sallyport/protocol';
import type { AuditTrail, Redactor } from '../../audit/index.ts';
import type { GatekeeperConfig } from '../../config/index.ts';
import { actionData } from './action-data.ts';
import { higherRisk, isWithin, REVIEW_TASK, ReviewAnswerSchema } from './answers.ts';
import { CallSlots } from './call-slots.ts';
import { type ModelClient, ModelFailure } from './model-client.ts';
import { type Review, type ReviewPort, reviewEvent } from './review.ts';

export interface ReviewerParts {
  /** the gatekeeper of a tenant, as configured now */
  readonly settingsOf: (tenant: string) => GatekeeperConfig | undefined;
  readonly client: Pick<ModelClient, 'ask'>;
  readonly redactor: Pick<Redactor, 'redactJson'>;
  readonly trail: AuditTrail;
  /** tells people what passed without them */
  readonly onApproved: (action: Action, title: string, review: Review) => void;
}

/** The gatekeeper: a model that rates an action before people are asked. Whatever goes wrong, they are asked. */
export class Reviewer implements ReviewPort {
  readonly #parts: ReviewerParts;
  readonly #slots = new CallSlots();

  constructor(parts: ReviewerParts) {
    this.#parts = parts;
  }

  isOn(tenant: string): boolean {
    return this.#parts.settingsOf(tenant) !== undefined;
  }

  async review(action: Action, reason: string, signal: AbortSignal): Promise<Review | undefined> {
    const { settingsOf, trail } = this.#parts;
    const settings = settingsOf(action.actor.tenant);
    if (settings === undefined) return undefined;
    try {
      const review = await this.#ask(action, reason, settings, signal);
      const { risk, summary, reasons, model } = review;
      const data = { model, risk, static_risk: action.risk, summary, reasons: [...reasons] };
      await trail.append(reviewEvent('ReviewEvent::Reviewed', action, data));
      return review;
    } catch (error) {
      const why = error instanceof ModelFailure ? error.message : 'the review could not be made';
      const event = reviewEvent('ReviewEvent::ReviewFailed', action, { model: settings.model, reason: why });
      // A trail that takes nothing takes no question either: then the answer is no, and that is the gate's to say.
      await trail.append(event).catch(() => {});
      return undefined;
    }
  }

  mayAnswer(action: Action, review: Review): boolean {
    const settings = this.#parts.settingsOf(action.actor.tenant);
    // SECURITY: the threshold, and the model that it was set for, are those of this moment.
    if (settings === undefined || settings.model !== review.model) return false;
    return isWithin(higherRisk(action.risk, review.risk), settings.auto_approve);
  }

  tell(action: Action, title: string, review: Review): void {
    this.#parts.onApproved(action, title, review);
  }

  async #ask(
    action: Action,
    reason: string,
    settings: GatekeeperConfig,
    signal: AbortSignal,
  ): Promise<Review> {
    const { client, redactor } = this.#parts;
    const data = actionData(action, redactor, { reason });
    if (data === undefined)
      throw new ModelFailure('the action is too long for a model, or not at hand as a whole');
    const limited = AbortSignal.any([signal, AbortSignal.timeout(settings.timeout_seconds * 1_000)]);
    const { model } = settings;
    const call = { settings, model, task: REVIEW_TASK, data, signal: limited };
    const answer = await this.#slots.run(action.actor.tenant, limited, async () => ({
      value: await client.ask(call),
    }));
    if (answer === undefined) throw new ModelFailure('too many reviews are under way');
    const parsed = ReviewAnswerSchema.safeParse(answer.value);
    if (!parsed.success) throw new ModelFailure('the answer of the model is not what was asked for');
    const { risk, summary, reasons } = parsed.data;
    // SECURITY: whatever the action talked the model into, it is as risky as its type and classifier say.
    return { risk: higherRisk(action.risk, risk), summary, reasons, model };
  }
}
