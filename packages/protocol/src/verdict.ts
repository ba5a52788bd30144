import type { Action } from './action.ts';
import type { ErrorCode } from './error-catalogue.ts';

export const LAYERS = [
  'identity',
  'visibility',
  'level',
  'rate',
  'boundary',
  'rules',
  'autonomy',
  'mode',
] as const;
export type LayerName = (typeof LAYERS)[number];

/** Who may answer: a reviewer < people or their grants < people only, each time. */
export const STRENGTHS = ['review', 'human', 'each-time'] as const;
export type Strength = (typeof STRENGTHS)[number];

/** Where a rule stands: `sallyport.yaml:12:7`. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What one layer says about one action. A silent layer says nothing and is not an objection. */
export type Opinion =
  | { readonly layer: LayerName; readonly says: 'nothing'; readonly reason?: string }
  | {
      readonly layer: LayerName;
      readonly says: 'allow';
      readonly reason: string;
      readonly rule?: string;
      readonly at?: Position;
    }
  | {
      readonly layer: LayerName;
      readonly says: 'ask';
      readonly strength: Strength;
      readonly reason: string;
      readonly rule?: string;
      readonly at?: Position;
      /** the host that no network rule names, where that is all that this is about */
      readonly newHost?: string;
    }
  | {
      readonly layer: LayerName;
      readonly says: 'deny';
      readonly violation: ErrorCode;
      readonly reason: string;
      readonly rule?: string;
      readonly at?: Position;
      /** what would open it, and who could */
      readonly hint?: string;
    };

/** What `judge` returns: the layers' opinions and what follows from them, before any person is asked. */
export type Judgement =
  | { readonly outcome: 'allow'; readonly opinions: readonly Opinion[] }
  | {
      readonly outcome: 'ask';
      readonly strength: Strength;
      readonly reason: string;
      readonly opinions: readonly Opinion[];
    }
  | {
      readonly outcome: 'deny';
      readonly violation: ErrorCode;
      readonly layer: LayerName;
      readonly reason: string;
      readonly opinions: readonly Opinion[];
    };

/** The gate's final answer. There is no `error` on purpose: a failure is a refusal. */
export type Verdict =
  | {
      readonly kind: 'allow';
      readonly by: 'policy' | 'grant' | 'review' | 'person';
      readonly grant?: string;
      readonly approval?: string;
      readonly note?: string;
      readonly override?: string;
      /** what was allowed in place of the action that was asked about: a person changed it */
      readonly action?: Action;
      readonly opinions: readonly Opinion[];
    }
  | {
      readonly kind: 'deny';
      readonly violation: ErrorCode;
      readonly layer?: LayerName;
      readonly rule?: string;
      readonly reason: string;
      /** what the agent may do instead */
      readonly hint?: string;
      /** the question that people were asked about this */
      readonly approval?: string;
      /** what the person wrote beside the answer */
      readonly note?: string;
      readonly opinions: readonly Opinion[];
    };
