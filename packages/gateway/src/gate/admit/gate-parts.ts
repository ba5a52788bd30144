import type { Action, EventBody } from '@sallyport/protocol';
import type { ApprovalPort, JudgePort, ReviewPort } from '../../approvals/index.ts';
import type { AuditTrail, HeldNote } from '../../audit/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { MachineFacts } from '../../shared/closed-address.ts';
import type { CompiledPolicy } from '../compiled-policy.ts';
import type { Grants } from '../grants/grants.ts';
import type { IdentityFacts } from '../snapshot.ts';
import type { RateCounters } from './rate-counters.ts';

export interface GateParts {
  /** the tenant's policy as it is in force now */
  readonly policyOf: (tenant: string) => CompiledPolicy | undefined;
  /** what the identity module knows of the actor now */
  readonly identityOf: (action: Action) => IdentityFacts;
  /** whether a router knows the tool */
  readonly isToolKnown: (action: Action) => boolean;
  /** whether the call is one that a door of ours gets next, and judges */
  readonly comesAgain?: (action: Action) => boolean;
  readonly counters: RateCounters;
  /** this machine as it is now; asked for with each judgement, so it must be at hand */
  readonly machine: () => MachineFacts;
  readonly grants: Pick<Grants, 'take'>;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  /** how people are asked; without it every ask that no grant answers is refused */
  readonly approvals?: ApprovalPort;
  /** the gatekeeper, before people are asked; without it they are asked at once */
  readonly reviewer?: ReviewPort;
  /** checks the calls of tools that have criteria; without it those are refused */
  readonly judge?: JudgePort;
  /** whether the operator left the semantic judge out for this call; every layer has its say all the same */
  readonly skipsJudge?: (action: Action) => boolean;
}

export interface AdmitOptions {
  /** aborts when the caller leaves; the action then does not run */
  readonly signal?: AbortSignal;
  /** the action with its input changed by a person (code 5); throws when the text does not fit the tool */
  readonly rebuild?: (action: Action, text: string) => Action;
  /**
   * The same action with everything that is still on its way (the rest of a body). Called at most once, when the
   * answer is not the policy's alone: people and their grants answer for the whole, never for a beginning.
   */
  readonly complete?: () => Promise<Action>;
  /** what came with the request besides, as far as it is here; asked for where the trail keeps the bodies of refused ones */
  readonly body?: (() => EventBody | undefined) | undefined;
  /** false: do not wait for people; consent leaves a once-grant, and the caller sends again */
  readonly wait?: boolean;
  /** told which question people are asked, while the caller waits for its end */
  readonly onAsked?: (approval: string) => void;
  /**
   * Takes the event of an allowed action, so that how it ended becomes part of it. Called at most once, and only where the
   * chain may get it a moment later: a read, or what is on disk already. It is in the trail's hands, whatever the caller does.
   */
  readonly onHeld?: (held: HeldNote) => void;
  /** Told first, before anything is recorded or anybody is asked, when the answer is not one for `onHeld` at once. */
  readonly onSlow?: () => void;
}
