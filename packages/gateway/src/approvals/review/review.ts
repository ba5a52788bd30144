import type { Action, JsonObject, NewEvent, Risk } from '@sallyport/protocol';

/** What a model thinks of an action. Advice: its words may have been shaped by whoever wrote the action. */
export interface Review {
  /** never below the static risk of the action */
  readonly risk: Risk;
  /** one line */
  readonly summary: string;
  readonly reasons: readonly string[];
  /** `anthropic:claude-haiku-4-5`: which model said so */
  readonly model: string;
}

/**
 * The gatekeeper, as the gate sees it. It answers nothing by itself: the gate asks it only about asks of strength
 * `review`, judges the action again afterwards, and then asks `mayAnswer`.
 */
export interface ReviewPort {
  /** Whether the tenant has a gatekeeper now. */
  isOn(tenant: string): boolean;
  /** Undefined when there is none, whatever the cause: then people are asked. It never rejects. */
  review(action: Action, reason: string, signal: AbortSignal): Promise<Review | undefined>;
  /** Whether the threshold that a person set, as it is now, lets this review answer. */
  mayAnswer(action: Action, review: Review): boolean;
  /** Tells people what passed without them. It never throws. */
  tell(action: Action, title: string, review: Review): void;
}

/** What every call of a tool must satisfy: `execution.tool_validation` of an agent. */
export interface ToolValidation {
  /** as the config names the tool */
  readonly tool: string;
  readonly criteria: string;
  /** absent: the gatekeeper's */
  readonly model?: string;
}

export type JudgeAnswer =
  | { readonly kind: 'passed' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** no answer that counts */
  | { readonly kind: 'failed'; readonly reason: string };

/** The semantic judge, as the gate sees it: it may only refuse. It never rejects. */
export interface JudgePort {
  judge(action: Action, validation: ToolValidation, signal: AbortSignal): Promise<JudgeAnswer>;
}

type ReviewEventType = Extract<NewEvent['type'], `ReviewEvent::${string}`>;

/** What a model said, or did not say, about an action. Nothing of the action's input is in it. */
export function reviewEvent(type: ReviewEventType, action: Action, data: JsonObject): NewEvent {
  return {
    tenant: action.actor.tenant,
    type,
    actor: { kind: 'gateway' },
    action_id: action.id,
    data: { tool: action.tool, binding: action.binding, ...data },
  };
}
