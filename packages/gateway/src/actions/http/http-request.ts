import type { ActionType, Effect, RepositoryFact, Risk } from '@sallyport/protocol';
import type { OutlineMembers } from '../../shared/json-outline.ts';
import type { RequestTarget } from './request-target.ts';

export type HttpScheme = 'http' | 'https' | 'ws' | 'wss' | 'tunnel';

/** What is known of a request before its verdict: the head, and the first bytes of the body. */
export interface HttpRequestHead {
  readonly scheme: HttpScheme;
  /** canonical, as `parseHost` gives it: IPv6 without brackets */
  readonly host: string;
  readonly port: number;
  /** as it was sent: methods are case-sensitive */
  readonly method: string;
  /** path and query in origin form, as it was sent */
  readonly target: string;
  /** `target` in one spelling, where whoever hands the request over has read it already */
  readonly normalized?: RequestTarget;
  /** in the order they came; names in any case */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** first bytes of the body; absent or empty with `bodyComplete` means that there is none */
  readonly bodyPrefix?: Uint8Array;
  /** whether `bodyPrefix` is the whole body */
  readonly bodyComplete: boolean;
  /** members of a JSON body, where the door read on behind the prefix or decoded it: see `wantsOutline` */
  readonly outline?: OutlineMembers;
  /** protocol that the client wants to switch to */
  readonly upgrade?: string;
  /** a port of this machine that a person opened for this run */
  readonly forward?: true;
}

/** What a request does, as far as its provider's published operations tell. */
export interface HttpClassification {
  readonly effect: Effect;
  readonly type: ActionType;
  readonly risk: Risk;
  readonly reach: 'remote';
  /** classifier that knew the host: `github`, `aws`, … */
  readonly provider?: string;
  /** the provider's own name of the operation: `git/update-ref`, `s3:PutObject`, `mutation commentCreate` */
  readonly operation?: string;
  /** what the operation is done to, as the provider's classifier found it */
  readonly object?: string;
  readonly repo?: RepositoryFact;
  /** a known telemetry endpoint: refuse without a question, one event a minute */
  readonly quiet?: true;
  /** path and query in the one spelling that was classified */
  readonly target: RequestTarget;
  /** the whole body as text, where somebody had to decode it for this */
  readonly text?: string;
}
