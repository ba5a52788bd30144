import type { ConfigState, SallyportError, Status, VerifyReport } from '@sallyport/protocol';
import type { OpenApprovals } from '../approvals/index.ts';
import type { Logger, Trail } from '../audit/index.ts';
import type { Config } from '../config/index.ts';
import type { CredentialBroker, Placeholders, References } from '../credentials/index.ts';
import type { Gate, Grants } from '../gate/index.ts';
import type {
  AgentPeer,
  AgentProcesses,
  ApiKeys,
  EnrollmentSecrets,
  OperatorToken,
  Sessions,
} from '../identity/index.ts';
import type { PolicyDesk } from '../rehearsal/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { Secret } from '../shared/secret.ts';
import type { SessionsRepository } from '../store/index.ts';
import type { HttpLimits, TlsMaterial } from './http-server.ts';
import type { Metrics } from './metrics.ts';
import type { ChannelWays } from './operator/channel-ways.ts';
import type { RunControl } from './operator/runs.ts';

/** What both sides need. Handed in; nothing here is global. */
export interface CommonServices {
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly sessions: Sessions;
  readonly config: ConfigControl;
  /** why nothing can be recorded at present, for whoever asks; undefined while all is well */
  readonly trouble: () => SallyportError | undefined;
  readonly limits?: Partial<HttpLimits>;
  readonly tls?: TlsMaterial;
}

export interface AgentServices extends CommonServices {
  readonly keys: ApiKeys;
  /** told which processes are agents' */
  readonly agentProcesses: Pick<AgentProcesses, 'addClientOf' | 'addProgram'>;
  readonly gate: Gate;
  readonly grants: Grants;
  readonly approvals: OpenApprovals;
  readonly inboxSecret: Secret;
  /** time between two heartbeats of a stream, in ms */
  readonly heartbeatMs: number;
  /** aborts when the gateway begins to stop */
  readonly stopping: AbortSignal;
}

export interface OperatorServices extends AgentServices {
  readonly operatorToken: OperatorToken;
  readonly agentProcesses: AgentProcesses;
  /** a process of an agent came to the operator side */
  readonly onAgentRefused: (peer: AgentPeer, how: 'socket' | 'port') => void;
  readonly enrollment: EnrollmentSecrets;
  /** sessions of whatever tenant, for the operator only */
  readonly allSessions: Pick<SessionsRepository, 'findOfAnyTenant'>;
  readonly trail: TrailReader;
  readonly gateway: GatewayControl;
  readonly desk: PolicyDesk;
  /** credentials, and what stands for them */
  readonly lending: {
    readonly broker: CredentialBroker;
    readonly placeholders: Placeholders;
    readonly references: References;
  };
  readonly runs: RunControl;
  readonly channelWays?: ChannelWays;
}

/** The config in force. */
export interface ConfigControl {
  readonly config: Config;
  /** what the listeners were opened with */
  readonly atStart: Config;
  state(): ConfigState;
  /** Looks at the files now: whether anything changed. Rejects with `ConfigInvalid` and keeps the old config. */
  reload(): Promise<boolean>;
  /** The keys that a restart would be needed for if this file were the config. Throws `ConfigInvalid`. */
  compare(file: string): readonly string[];
}

/** The trail without the right to write. */
export type TrailReader = Pick<Trail, 'read' | 'get' | 'export' | 'subscribe'> & {
  verify(tenant?: string): Promise<VerifyReport>;
};

/** The process as a whole. */
export interface GatewayControl {
  status(): Promise<Status>;
  /** Ends every session of every tenant; how many were alive. */
  endAllSessions(): Promise<number>;
  /** Begins to stop and returns at once. */
  stop(how: 'stopped' | 'killed'): void;
  /** aborts when the gateway begins to stop */
  readonly stopping: AbortSignal;
  /** Keeps `enrollment.secret` in the home what it says it is, after a rotation. */
  readonly saveEnrollmentSecret: (tenant: string, secret: Secret) => void;
}
