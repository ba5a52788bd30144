import type {
  ActionType,
  Actor,
  ApprovalStatus,
  DecisionCode,
  Door,
  Effect,
  JsonObject,
  LayerName,
  Position,
  Risk,
  Strength,
  WiderScope,
} from '@sallyport/protocol';
import type { Review } from '../review/review.ts';

export type { ApprovalStatus, DecisionCode };

/** What somebody answered, as it was understood. */
export interface Decision {
  readonly code: DecisionCode;
  readonly note?: string;
  readonly override?: string;
  /** a timed allow: code 1 with a length */
  readonly minutes?: number;
  /** a standing answer that is wider than what was offered, on purpose */
  readonly scope?: WiderScope;
  /** a standing no: code 3 that holds until somebody revokes it */
  readonly always?: true;
  /** "allow if it asks again": code 1 for a question whose caller left; leaves a once-grant for 10 minutes */
  readonly again?: true;
}

/** Who answered: a person listed under `users.*.identities`, or the operator. Never an agent, never an API key. */
export interface Decider {
  readonly user: string;
  /** `telegram`, `email`, `terminal`, `operator`, `webhook`, … */
  readonly via: string;
}

/** What is asked. Made by the gate from an action that it judged `ask`. */
export interface Question {
  readonly tenant: string;
  readonly actionId: string;
  readonly binding: string;
  readonly fingerprint: string;
  readonly actor: Actor;
  readonly door: Door;
  readonly tool: string;
  readonly type: ActionType;
  readonly effect: Effect;
  readonly risk: Risk;
  readonly strength: Strength;
  /** one line: what */
  readonly title: string;
  /** complete and redacted */
  readonly preview: string;
  /** operation and object in words; absent: only the whole of it can be named */
  readonly does?: string;
  /** why it is asked: the layer and rule that said so, and what the other layers ask: one answer is for all of it */
  readonly reason: AskReason & { readonly also?: readonly AskReason[] };
  /** Several actions that are asked about together; `binding` and `fingerprint` are then of the whole list. */
  readonly listed?: readonly ListedAction[];
  /** nothing can be put in its place: `5` is not offered */
  readonly isFixed?: true;
  /** in words what each standing answer would cover; absent where it may not be given */
  readonly covers: {
    readonly session?: string;
    readonly minutes?: string;
    readonly always?: string;
    /** short, for the menu: what `2` and `6` are about */
    readonly what?: string;
  };
  /** what a person may give on purpose beside that */
  readonly wider?: Readonly<Partial<Record<WiderScope, WiderOffer>>>;
  /** the asker chose the words (API door) */
  readonly selfDeclared: boolean;
  /** NAME of the credential that would be lent */
  readonly credential?: string;
  /** what the gatekeeper said; absent: it was not asked, or gave no answer */
  readonly review?: Review;
  readonly policyRevision: string;
  /** how many different people must agree */
  readonly quorum: number;
  /** a caller is waiting on an open connection: a restart cancels it, and so does the caller's leaving */
  readonly blocked: boolean;
  /** ms from now; undefined: no limit */
  readonly expiresInMs: number | undefined;
  /** the one channel and identity that the asker named (API door); absent: the tenant's fan-out */
  readonly to?: { readonly channel: string; readonly target: string };
  /** API door */
  readonly client?: string;
  readonly sessionId?: string;
  /** every type that is in it: a shell line has one for each command */
  readonly types?: readonly ActionType[];
  /** what a standing answer would cover, as data: the gate makes and reads it, nobody else */
  readonly offer?: JsonObject;
  /** nobody waits, but the same will be sent again: consent leaves a once-grant on the fingerprint */
  readonly sentAgain?: boolean;
  /** roles that are asked one after the other; absent: everyone who may decide, at once */
  readonly escalation?: readonly EscalationStep[];
}

/** One of several actions that a question is about: what consent to it is bound to. */
export interface ListedAction {
  readonly actionId: string;
  readonly binding: string;
  readonly fingerprint: string;
  readonly title: string;
}

/** Why one layer asks. */
export interface AskReason {
  readonly layer: LayerName;
  readonly reason: string;
  readonly rule?: string;
  readonly at?: Position;
}

/** A wider standing answer, in words and as the gate's own data. */
export interface WiderOffer {
  readonly words: string;
  readonly offer: JsonObject;
}

/** From when on, counted from the question, the people of a role are asked and may decide. */
export interface EscalationStep {
  readonly role: string;
  readonly afterMs: number;
}

/** A question before the configured terms (time, quorum, escalation) are added. */
export type QuestionDraft = Omit<Question, 'quorum' | 'expiresInMs' | 'escalation'> & {
  /** wished for by the asker (API door); absent: as configured */
  readonly expiresInMs?: number;
};

/** One question to people, with its lifecycle. */
export interface Approval extends Question {
  /** `appr_…` */
  readonly id: string;
  readonly status: ApprovalStatus;
  readonly createdAt: number;
  /** ms since epoch; undefined: waits without limit */
  readonly expiresAt: number | undefined;
  readonly decision?: Decision;
  readonly decidedBy?: string;
  readonly decidedVia?: string;
  readonly decidedAt?: number;
  /** people who agreed so far, where a quorum is needed */
  readonly agreed: readonly string[];
  /** id of the grant or rule that answered without a question */
  readonly answeredBy?: string;
  /** why it was cancelled: `caller-left`, `restart`, `session-ended`, `withdrawn` */
  readonly cancelReason?: string;
}
