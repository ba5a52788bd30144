import type { Logger } from '../audit/index.ts';
import type { LazyToolPlane } from '../calls/index.ts';
import type { HomePaths } from '../config/index.ts';
import type { WayOut } from '../executors/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { ApprovalServices } from './approval-services.ts';
import type { ConfigInForce } from './config-in-force.ts';
import type { GateServices } from './gate-services.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { HomeSecrets } from './home-files.ts';
import type { PolicyParts } from './policy-parts.ts';
import type { GroundServices } from './services.ts';
import type { StopHow } from './shutdown.ts';

/** What the sides and their doors are built from. */
export interface DoorParts {
  readonly version: string;
  readonly options: GatewayOptions;
  readonly paths: HomePaths;
  readonly config: ConfigInForce;
  readonly secrets: HomeSecrets;
  readonly clock: Clock;
  readonly log: Logger;
  readonly ground: GroundServices;
  readonly gate: GateServices;
  readonly approvals: ApprovalServices;
  readonly wayOut: WayOut;
  readonly policy: PolicyParts;
  readonly tools: LazyToolPlane;
  /** when this process began, in ms since epoch */
  readonly startedAt: number;
  /** aborts when the gateway begins to stop */
  readonly stopping: AbortSignal;
  /** Begins to stop and returns at once. */
  readonly stop: (how: StopHow) => void;
  /** Ends every session of every tenant; how many were alive. */
  readonly endAllSessions: () => Promise<number>;
}
