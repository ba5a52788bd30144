import type { ListenerUrls, Ports } from '@sallyport/protocol';
import type { HomePaths, Variables } from '../config/index.ts';
import type { HttpLimits } from '../servers/index.ts';
import type { Clock } from '../shared/clock.ts';

export interface GatewayOptions {
  /** the home folder; before `SALLYPORT_HOME` */
  readonly home?: string;
  /** the config file; before `SALLYPORT_CONFIG` */
  readonly configFile?: string;
  /** before those of the config; 0 = any free one */
  readonly ports?: Partial<Ports>;
  /** the environment: the only one the gateway looks at */
  readonly env: Variables;
  readonly clock?: Clock;
  /** stops the gateway in order when it aborts */
  readonly signal?: AbortSignal;
  /** where log lines go; standard error when absent */
  readonly log?: { write(line: string): void };
  /**
   * Whether SIGTERM and SIGINT stop it and an uncaught error ends the process; yes when absent. `false` for
   * a gateway inside another program's process.
   */
  readonly ownsProcess?: boolean;
  readonly limits?: Partial<HttpLimits>;
  /** time between two heartbeats of an event stream, in ms */
  readonly heartbeatMs?: number;
  /** how long parallel calls wait for one another to be one question, in ms; 0: each is its own */
  readonly gatherMs?: number;
}

/** A gateway that answers. */
export interface RunningGateway {
  /** the ports that are open; a door that does not exist yet has none */
  readonly ports: Ports;
  readonly urls: ListenerUrls;
  readonly home: HomePaths;
  /** whether this start made the home's config and secrets */
  readonly firstStart: boolean;
  /** resolves when it has stopped, whoever stopped it */
  readonly closed: Promise<void>;
  /** Stops it in order. Calling it again waits for the same stop. */
  close(): Promise<void>;
  /** The kill switch: every session ends, every connection is cut, then it stops. */
  killNow(): Promise<void>;
}
