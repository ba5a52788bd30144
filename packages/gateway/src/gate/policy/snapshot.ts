import type { MachineFacts } from '../../shared/closed-address.ts';
import type { CompiledPolicy } from './compiled-policy.ts';

/** Who acts, as the identity module knows it at this moment. */
export type IdentityFacts =
  | {
      readonly kind: 'session';
      /** not ended, not revoked */
      readonly alive: boolean;
      /** ms since epoch */
      readonly expiresAt: number;
      readonly rights: Rights;
      /** canonical folders that access levels measure with; undefined when the session has none */
      readonly workspace?: string;
      readonly project?: string;
      /** what the remotes of the workspace named before the agent started: `github.com/acme/app` */
      readonly repositories?: readonly string[];
    }
  /** a client of the approval API */
  | { readonly kind: 'client'; readonly active: boolean }
  | { readonly kind: 'none' };

/** What the roles of the user give to every agent in the chain, for this action. */
export type Rights = { readonly permitted: true } | { readonly permitted: false; readonly reason: string };

/** Calls before this one, refused ones included. `admit` counts, `judge` reads. */
export interface Counters {
  /** calls in this execution */
  readonly executionCalls: number;
  /** calls in the sliding window of each `RateLimit.key`; absent means none */
  readonly windows: ReadonlyMap<string, number>;
}

/** What a read carries to a host in its address and headers, in characters. */
export interface Carried {
  readonly host: string;
  /** by this one */
  readonly request: number;
  /** of that, what the session has not sent there before */
  readonly fresh: number;
  /** by the reads of this session before it */
  readonly before: number;
}

/** Everything that `judge` needs beside the action. Data only: it is what a replay hands in. */
export interface Snapshot {
  /** ms since epoch */
  readonly now: number;
  readonly policy: CompiledPolicy;
  readonly identity: IdentityFacts;
  readonly counters: Counters;
  /** this machine and the gateway's own listeners, which are closed to agents */
  readonly machine: MachineFacts;
  /** whether a router knows the tool; doors that route by themselves (proxy, ssh) say true */
  readonly toolKnown: boolean;
  /** the same call comes to a door of ours next, which judges it with everything that is known of the tool there */
  readonly comesAgain: boolean;
  /** a snapshot of the workspace holds what this action would destroy there */
  readonly held?: boolean | undefined;
  /** absent for what is no read of another host */
  readonly carried?: Carried | undefined;
}
