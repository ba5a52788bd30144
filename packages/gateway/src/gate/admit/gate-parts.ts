import type { Action, NewEvent } from '@sallyport/protocol';
import type { ApprovalPort, JudgePort, ReviewPort } from '../../approvals/index.ts';
import type { AuditTrail, BodyTee } from '../../audit/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { MachineFacts } from '../../shared/closed-address.ts';
import type { Grants } from '../grants/grants.ts';
import type { CompiledPolicy } from '../policy/compiled-policy.ts';
import type { IdentityFacts } from '../policy/snapshot.ts';
import type { RateCounters } from './rate-counters.ts';
import type { ReadBudget } from './read-budget.ts';

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
  /** counts what reads carry out; without it they may carry anything */
  readonly reads?: ReadBudget;
  /** this machine as it is now; asked for with each judgement, so it must be at hand */
  readonly machine: () => MachineFacts;
  readonly grants: Pick<Grants, 'take' | 'refusing'>;
  /** keeps the answer for requests that an allowed action makes at another door; without it they are asked about */
  readonly nextDoor?: Pick<Grants, 'create'>;
  /** whether a snapshot that is taken now holds what an action would destroy in its workspace; without it nothing is held */
  readonly holds?: (action: Action) => Promise<boolean>;
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
  readonly rebuild?: ((action: Action, text: string) => Action) | undefined;
  /** the same call with the files of this moment, for what is looked up when it is built; absent: nothing is */
  readonly again?: (() => Action) | undefined;
  /** The keys of the requests that an action makes itself, at another door: the same yes is the answer to those. */
  readonly leadsTo?: ((action: Action) => readonly string[]) | undefined;
  /** what came with the request besides, as far as it is here: kept of a refused one, where the trail keeps bodies */
  readonly sent?: Pick<BodyTee, 'body'> | undefined;
  /** false: do not wait for people; consent leaves a once-grant, and the caller sends again */
  readonly wait?: boolean | undefined;
  /** told which question people are asked, while the caller waits for its end */
  readonly onAsked?: ((approval: string) => void) | undefined;
}

export interface DecideOptions extends AdmitOptions {
  /** that it came in: part of the one event of what is allowed at once, and otherwise the first thing that is recorded */
  readonly announced?: NewEvent | undefined;
  /** Only the beginning of it is here (of a body): what the policy alone does not answer is left unfinished. */
  readonly isPart?: boolean;
  /**
   * How it ends will be told to what the decision holds. Only where the chain may get the event a moment later: a read,
   * or what is on disk already. The event is in the trail's hands, whatever the caller does.
   */
  readonly hasEnd?: boolean | undefined;
}
