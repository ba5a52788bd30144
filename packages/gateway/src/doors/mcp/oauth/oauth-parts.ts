import type { KeyObject } from 'node:crypto';
import type { AuditTrail } from '../../../audit/index.ts';
import type { Coordination } from '../../../coordination/index.ts';
import type { Gate } from '../../../gate/index.ts';
import type { Sessions } from '../../../identity/index.ts';
import type { Clock } from '../../../shared/clock.ts';

/** Whom a session would be opened for. */
export interface Principal {
  readonly tenant: string;
  readonly user: string;
  readonly agent: string;
}

export interface OAuthParts {
  readonly gate: Pick<Gate, 'decide'>;
  readonly sessions: Pick<Sessions, 'open' | 'reissue' | 'end' | 'get' | 'peek' | 'signalOf' | 'onEnded'>;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  readonly coordination: Pick<Coordination, 'counters'>;
  /** marks the ids of clients */
  readonly key: KeyObject;
  /** chain of the trail for what no tenant is known of */
  readonly tenant: string;
  /** whom a session is for, as configured now; undefined where the config names nobody, or no such agent */
  readonly principalOf: (agent: string | undefined) => Principal | undefined;
  /** names of the credentials that may be lent to it, as configured now */
  readonly credentialsOf: (principal: Principal) => readonly string[];
  /** aborts when the gateway begins to stop */
  readonly stopping: AbortSignal;
  readonly onProblem: (error: unknown, what?: string) => void;
}

/** How long a program may go on after a person's yes, in ms */
export const LIFE_MS = 7 * 86_400_000;
