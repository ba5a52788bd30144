import type { KeyObject } from 'node:crypto';
import type { AuditTrail } from '../../../audit/index.ts';
import type { Coordination } from '../../../coordination/index.ts';
import type { Gate } from '../../../gate/index.ts';
import type { Sessions } from '../../../identity/index.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Seat } from './connect-action.ts';

export interface OAuthParts {
  readonly gate: Pick<Gate, 'admit'>;
  readonly sessions: Pick<Sessions, 'open' | 'reissue' | 'end' | 'get' | 'peek' | 'signalOf' | 'onEnded'>;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  readonly coordination: Pick<Coordination, 'counters'>;
  /** marks the ids of clients */
  readonly key: KeyObject;
  /** chain of the trail for what no tenant is known of */
  readonly tenant: string;
  /** whom a session is for, as configured now; undefined where the config names nobody, or no such agent */
  readonly seatOf: (agent: string | undefined) => Seat | undefined;
  /** names of the credentials that may be lent to it, as configured now */
  readonly credentialsOf: (seat: Seat) => readonly string[];
  /** aborts when the gateway begins to stop */
  readonly stopping: AbortSignal;
  readonly onProblem: (error: unknown) => void;
}

/** How long a program may go on after a person's yes, in ms */
export const LIFE_MS = 7 * 86_400_000;
