import { homedir } from 'node:os';
import type { Ports } from '@sallyport/protocol';
import type { AuditTrail, Logger, Redactor } from '../audit/index.ts';
import type { Config, HomePaths, Variables } from '../config/index.ts';
import { CredentialBroker, Placeholders, References } from '../credentials/index.ts';
import { createEgress, type Egress } from '../egress/index.ts';
import type { Sessions } from '../identity/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { Secret } from '../shared/secret.ts';
import { CommandExecutor } from './command/command-executor.ts';
import { HttpExecutor } from './http/index.ts';

/** What carries allowed actions out: credentials and the network. */
export interface WayOut {
  readonly broker: CredentialBroker;
  readonly placeholders: Placeholders;
  readonly references: References;
  readonly http: HttpExecutor;
  readonly egress: Egress;
  readonly commands: CommandExecutor;
}

export interface WayOutOptions {
  readonly paths: HomePaths;
  /** the config of this moment */
  readonly config: { readonly config: Config };
  readonly trail: AuditTrail;
  readonly sessions: Pick<Sessions, 'peek' | 'onEnded'>;
  readonly clock: Clock;
  readonly env: Variables;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly operatorToken: Secret;
  /** the ports that are open, once they are */
  readonly ports: () => Ports | undefined;
  /** told of each command that runs, whose family is no person's */
  readonly onCommand: (pid: number) => void;
  readonly onClose: (close: () => Promise<void>) => void;
}

/** Opens the way out. Nothing leaves through it without the gate's own verdict. */
export function openWayOut(options: WayOutOptions): WayOut {
  const { paths, config, trail, sessions, clock, env, log, redactor, operatorToken, onClose } = options;
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
    commands: new CommandExecutor({
      egress,
      path: env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
      gatewayHome: paths.home,
      userHome: env.HOME ?? homedir(),
      onStarted: options.onCommand,
    }),
    http: new HttpExecutor({
      egress,
      broker,
      trail,
      onSessionEnded: (session, listener) => sessions.onEnded(session, listener),
    }),
  };
}
