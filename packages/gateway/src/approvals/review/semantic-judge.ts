import type { Action } from '@sallyport/protocol';
import type { AuditTrail, Redactor } from '../../audit/index.ts';
import type { GatekeeperConfig } from '../../config/index.ts';
import { actionData } from './action-data.ts';
import { JUDGE_TASK, JudgeAnswerSchema } from './answers.ts';
import { CallSlots } from './call-slots.ts';
import { type ModelClient, ModelFailure } from './model-client.ts';
import { type JudgeAnswer, type JudgePort, reviewEvent, type ToolValidation } from './review.ts';

export interface SemanticJudgeParts {
  /** where the tenant's models are, as configured now */
  readonly settingsOf: (tenant: string) => GatekeeperConfig | undefined;
  readonly client: Pick<ModelClient, 'ask'>;
  readonly redactor: Pick<Redactor, 'redactJson'>;
  readonly trail: AuditTrail;
}

/** A model that checks every call of a tool against criteria. It may only refuse, and so does whatever goes wrong. */
export class SemanticJudge implements JudgePort {
  readonly #parts: SemanticJudgeParts;
  readonly #slots = new CallSlots();

  constructor(parts: SemanticJudgeParts) {
    this.#parts = parts;
  }

  async judge(action: Action, validation: ToolValidation, signal: AbortSignal): Promise<JudgeAnswer> {
    const { settingsOf, trail } = this.#parts;
    const settings = settingsOf(action.actor.tenant);
    const model = validation.model ?? settings?.model ?? '';
    try {
      if (settings === undefined) throw new ModelFailure('no model is configured');
      const { verdict, reason } = await this.#ask(action, validation, settings, model, signal);
      const type = verdict === 'pass' ? 'ReviewEvent::JudgePassed' : 'ReviewEvent::JudgeRefused';
      await trail.append(reviewEvent(type, action, { model, validates: validation.tool, reason }));
      return verdict === 'pass' ? { kind: 'passed' } : { kind: 'refused', reason };
    } catch (error) {
      const reason = error instanceof ModelFailure ? error.message : 'the judge could not be asked';
      const data = { model, validates: validation.tool, reason };
      // SECURITY: a refusal needs no record of its own; the verdict that it leads to is recorded by the gate.
      await trail.append(reviewEvent('ReviewEvent::JudgeFailed', action, data)).catch(() => {});
      return { kind: 'failed', reason };
    }
  }

  async #ask(
    action: Action,
    { criteria }: ToolValidation,
    settings: GatekeeperConfig,
    model: string,
    signal: AbortSignal,
  ): Promise<{ readonly verdict: 'pass' | 'refuse'; readonly reason: string }> {
    const { client, redactor } = this.#parts;
    const data = actionData(action, redactor, { criteria });
    if (data === undefined)
      throw new ModelFailure('the action is too long for a model, or not at hand as a whole');
    const limited = AbortSignal.any([signal, AbortSignal.timeout(settings.timeout_seconds * 1_000)]);
    const call = { settings, model, task: JUDGE_TASK, data, signal: limited };
    const answer = await this.#slots.run(action.actor.tenant, limited, async () => ({
      value: await client.ask(call),
    }));
    if (answer === undefined) throw new ModelFailure('too many calls are being judged');
    const parsed = JudgeAnswerSchema.safeParse(answer.value);
    if (!parsed.success) throw new ModelFailure('the answer of the judge is not what was asked for');
    return parsed.data;
  }
}
