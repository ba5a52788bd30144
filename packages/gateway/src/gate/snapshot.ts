import type { CompiledPolicy } from './compiled-policy.ts';

/** Who acts, as the identity module knows it at this moment. */
export type IdentityFacts =
  | {
      readonly kind: 'session';
      /** not ended, not revoked */
      readonly alive: boolean;
      /** ms since epoch */
      readonly expiresAt: number;
      readonly rights: ToolRights;
      /** canonical folders that access levels measure with; undefined when the session has none */
      readonly workspace?: string;
      readonly project?: string;
    }
  /** a client of the approval API */
  | { readonly kind: 'client'; readonly active: boolean }
  | { readonly kind: 'none' };

/** What the user's roles give, through every agent of the chain. `identity/` compiles it; no I/O, no clock. */
export interface ToolRights {
  mayUseTool(use: ToolUse): boolean;
}

/** One use of a tool. A shell line is several: each of its commands, and each file that it writes. */
export interface ToolUse {
  readonly tool: string;
  /** whether a role's pattern covers it; what cannot be known is covered by every deny and by no allow */
  matches(pattern: string, as: 'allow' | 'deny'): boolean;
}

/** Calls before this one, refused ones included. `admit` counts, `judge` reads. */
export interface Counters {
  /** calls in this execution */
  readonly executionCalls: number;
  /** calls in the sliding window of each `RateLimit.key`; absent means none */
  readonly windows: ReadonlyMap<string, number>;
}

/** Everything that `judge` needs beside the action. Data only: it is what a replay hands in. */
export interface Snapshot {
  /** ms since epoch */
  readonly now: number;
  readonly policy: CompiledPolicy;
  readonly identity: IdentityFacts;
  readonly counters: Counters;
  /** whether a router knows the tool; doors that route by themselves (proxy, ssh) say true */
  readonly toolKnown: boolean;
}
