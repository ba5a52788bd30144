import type { ApprovalServices, GateServices, PolicyParts } from '../admission/index.ts';
import type { Logger } from '../audit/index.ts';
import type { LazyToolPlane } from '../calls/index.ts';
import type { HomePaths } from '../config/index.ts';
import type { WayOut } from '../executors/index.ts';
import type { ConfigInForce, GroundServices, HomeSecrets } from '../ground/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { GatewayOptions } from './gateway-options.ts';
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
