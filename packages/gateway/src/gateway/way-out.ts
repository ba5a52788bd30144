import type { Ports } from '@sallyport/protocol';
import type { Logger, Redactor } from '../audit/index.ts';
import type { HomePaths, Variables } from '../config/index.ts';
import { CredentialBroker, Placeholders, References } from '../credentials/index.ts';
import { createEgress, type Egress } from '../egress/index.ts';
import { HttpExecutor } from '../executors/http/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { Secret } from '../shared/secret.ts';
import type { ConfigInForce } from './config-in-force.ts';
import type { GroundServices } from './services.ts';

/** What carries allowed actions out: credentials and the network. */
export interface WayOut {
  readonly broker: CredentialBroker;
  readonly placeholders: Placeholders;
  readonly references: References;
  readonly http: HttpExecutor;
  readonly egress: Egress;
}

export interface WayOutOptions {
  readonly paths: HomePaths;
  readonly config: ConfigInForce;
  readonly ground: GroundServices;
  readonly clock: Clock;
  readonly env: Variables;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly operatorToken: Secret;
  /** the ports that are open, once they are */
  readonly ports: () => Ports | undefined;
  readonly onClose: (close: () => Promise<void>) => void;
}

/** Opens the way out. Nothing leaves through it without the gate's own verdict. */
export function openWayOut(options: WayOutOptions): WayOut {
  const { paths, config, ground, clock, env, log, redactor, operatorToken, onClose } = options;
  const { trail, sessions } = ground;
  const broker = new CredentialBroker({
    config: () => config.config,
    sessionOf: (id) => sessions.peek(id),
    trail,
    redactor,
    log,
    clock,
    env,
    home: paths.home,
  });
  onClose(() => broker.close());
  const egress = createEgress({
    config: () => config.config,
    folder: paths.home,
    ownListeners: () => Object.values(options.ports() ?? {}).map((port) => ({ port })),
    onProblem: (error) => log.warn({ err: error }, 'a network setting cannot be used'),
  });
  onClose(() => egress.close());
  return {
    broker,
    placeholders: new Placeholders(operatorToken),
    references: new References(clock),
    egress,
    http: new HttpExecutor({
      egress,
      broker,
      trail,
      onSessionEnded: (session, listener) => sessions.onEnded(session, listener),
    }),
  };
}
