import type { EventActor, SallyportError } from '@sallyport/protocol';
import type { FastifyInstance } from 'fastify';
import type { AuditTrail } from '../../audit/index.ts';
import type { ToolCalls } from '../../calls/index.ts';
import type { CommandPath } from '../../executors/index.ts';
import type { Sessions } from '../../identity/index.ts';
import type { Clock } from '../../shared/clock.ts';
import { SealWorkloadsRepository, type Store } from '../../store/index.ts';
import { AttachedWorkers } from './attached-workers.ts';
import { EnvelopeCheck } from './envelope-check.ts';
import { SealDoor } from './seal-door.ts';
import { SealEvents } from './seal-events.ts';
import { loadSealKey, type SealKey } from './seal-key.ts';
import { type SealRoutesParts, sealRoutes } from './seal-routes.ts';
import { SecurityTokens } from './security-tokens.ts';
import { TimeWindow } from './time-window.ts';
import { type NewWorkload, Workloads } from './workloads.ts';

export interface SealParts {
  /** `seal.key` in the home; made when the first worker is announced */
  readonly keyFile: string;
  readonly store: Store;
  readonly trail: AuditTrail;
  readonly sessions: Pick<Sessions, 'peek' | 'onEnded' | 'signalOf'>;
  readonly calls: Pick<ToolCalls, 'call'>;
  readonly commands: Pick<CommandPath, 'serve' | 'settle' | 'lose'>;
  readonly clock: Clock;
  /** name of the security context that the config gives the agent */
  readonly scopeOf: (tenant: string, agent: string) => string | undefined;
  readonly systemTenant: string;
}

/** The SEAL door, to be put on the agent side. */
export interface Seal {
  /** for the operator side: a place for one worker, with its one-time secret */
  createWorkload(session: string, execution: string | undefined, by: EventActor): Promise<NewWorkload>;
  routes(app: FastifyInstance, boundSession: SealRoutesParts['boundSession']): Promise<void>;
}

export function openSeal(parts: SealParts): Seal {
  const { store, trail, sessions, commands, clock } = parts;
  let loaded: SealKey | undefined;
  const key = (): SealKey => {
    loaded ??= loadSealKey(parts.keyFile);
    return loaded;
  };
  const workers = new AttachedWorkers();
  const window = new TimeWindow(clock);
  const tokens = new SecurityTokens(key, clock);
  const events = new SealEvents(trail, clock, parts.systemTenant);
  const workloads = new Workloads({
    ...{ sessions, workers, tokens, key, events, window, clock },
    repository: new SealWorkloadsRepository(store),
    scopeOf: parts.scopeOf,
    onDetached: (execution) => commands.lose(execution),
  });
  const check = new EnvelopeCheck({ workers, tokens, sessions, window, clock });
  const door = new SealDoor({ check, calls: parts.calls, commands, sessions, events, key, clock });
  return {
    createWorkload: (session, execution, by) => workloads.create(session, execution, by),
    routes: (app, boundSession) =>
      sealRoutes(app, {
        ...{ door, workloads, boundSession },
        onRefusedUnread: (error: SallyportError) =>
          events.envelopeRefused(error.code, error.message, undefined),
      }),
  };
}
