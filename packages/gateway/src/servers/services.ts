import type { KeyObject } from 'node:crypto';
import type { ConfigState, SallyportError, Status, VerifyReport } from '@sallyport/protocol';
import type { ActionBuilder, HttpActionBuilder } from '../actions/index.ts';
import type { Approvals, Channel, Deciders, Inbox, OpenApprovals } from '../approvals/index.ts';
import type { AuditTrail, Logger, Trail } from '../audit/index.ts';
import type { ToolCalls } from '../calls/index.ts';
import type { Config, HomePaths } from '../config/index.ts';
import type { Coordination } from '../coordination/index.ts';
import type { Broker, CredentialBroker, Placeholders, References } from '../credentials/index.ts';
import type { HttpExecutor } from '../executors/http/index.ts';
import type { CommandPath, McpServers } from '../executors/index.ts';
import type { ClientRules, Gate, Grants } from '../gate/index.ts';
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
import type { SealWorkloadsRepository, SessionsRepository } from '../store/index.ts';
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
  readonly config: Pick<ConfigControl, 'config' | 'atStart'>;
  /** why nothing can be recorded at present, for whoever asks; undefined while all is well */
  readonly trouble: () => SallyportError | undefined;
  /** time between two heartbeats of a stream, in ms */
  readonly heartbeatMs: number;
  /** aborts when the gateway begins to stop */
  readonly stopping: AbortSignal;
  readonly limits?: Partial<HttpLimits>;
  readonly tls?: TlsMaterial;
}

/**
 * What the agent side is handed, and every door with it.
 *
 * SECURITY: nothing in here decides, grants, configures, stops, or speaks for the operator [ID-1].
 */
export interface AgentServices extends CommonServices {
  readonly sessions: Pick<
    Sessions,
    | ('authenticate' | 'authenticateHash' | 'peek' | 'get' | 'signalOf' | 'onEnded')
    | ('open' | 'enroll' | 'renew' | 'prolong' | 'reissue' | 'end')
  >;
  readonly keys: Pick<ApiKeys, 'authenticate'>;
  /** told which processes are agents' */
  readonly agentProcesses: Pick<AgentProcesses, 'addClientOf' | 'addProgram'>;
  readonly gate: Pick<Gate, 'admit' | 'decide' | 'consider'>;
  /** Reads tool calls of a tenant as its policy of this moment says. */
  readonly builderFor: (tenant: string) => ActionBuilder | Promise<ActionBuilder>;
  /** Reads requests of a tenant as its policy of this moment says. */
  readonly httpBuilderFor: (tenant: string) => HttpActionBuilder;
  /** questions to people: asked and looked at, never answered */
  readonly approvals: {
    readonly approvals: Pick<Approvals, 'open' | 'keepAnswered' | 'find' | 'findKeyed' | 'wait' | 'watch'>;
    readonly deciders: Pick<Deciders, 'userOf' | 'mayDecide'>;
    readonly channels: readonly Pick<Channel, 'name'>[];
    readonly inbox: Pick<Inbox, 'take'>;
  };
  readonly inboxSecret: Secret;
  /** permanent allows of API clients, each client's own alone */
  readonly clientRules: ClientRules;
  /** tools that the gateway carries out itself */
  readonly tools: {
    /** At once when they are open; most starts need none. */
    open(): AgentTools | Promise<AgentTools>;
  };
  readonly http: Pick<HttpExecutor, 'send' | 'connect' | 'upgrade'>;
  /** what is known of credentials, and what stands for them; never a value */
  readonly lending: {
    readonly broker: Pick<Broker, 'facts'>;
    readonly placeholders: Pick<Placeholders, 'resolve'>;
    readonly references: Pick<References, 'peek' | 'redeem'>;
  };
  readonly trail: AuditTrail;
  /** counts, nonces and codes that doors keep for all gateways */
  readonly coordination: Pick<Coordination, 'counters' | 'oneTime' | 'codes'>;
  readonly sealWorkloads: SealWorkloadsRepository;
  /** marks the ids of clients that registered themselves */
  readonly clientIdKey: () => KeyObject;
  readonly paths: Pick<HomePaths, 'home' | 'caKey' | 'caCertificate'>;
  /** An empty folder of that name in the home, for the gateway alone; what an earlier run left there is gone. */
  readonly freshFolder: (name: string) => string;
  /** chain of the trail for what no tenant is known of */
  readonly systemTenant: string;
  /** when this process began, in ms since epoch */
  readonly startedAt: number;
}

/** Tools as doors use them: what changes the servers themselves is the operator's. */
export interface AgentTools {
  readonly calls: ToolCalls;
  readonly servers: Pick<McpServers, 'get' | 'ofTenant' | 'nameOf' | 'onChange' | 'dropPeer'>;
  readonly commands: Pick<CommandPath, 'serve' | 'settle' | 'lose'>;
}

/** What the operator side is handed. */
export interface OperatorServices extends CommonServices {
  readonly operatorToken: OperatorToken;
  readonly config: ConfigControl;
  readonly sessions: Sessions;
  readonly keys: ApiKeys;
  readonly agentProcesses: Pick<AgentProcesses, 'peerOf' | 'addRun'>;
  /** a process of an agent came to the operator side */
  readonly onAgentRefused: (peer: AgentPeer, how: 'socket' | 'port') => void;
  readonly enrollment: EnrollmentSecrets;
  /** sessions of whatever tenant, for the operator only */
  readonly allSessions: Pick<SessionsRepository, 'findOfAnyTenant'>;
  readonly approvals: OpenApprovals;
  readonly grants: Grants;
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
  /** MCP servers; loaded when somebody asks for them */
  readonly mcpServers: () => ServerControl | Promise<ServerControl>;
  readonly channelWays: ChannelWays;
}

/** MCP servers, and a person's word on what they say of themselves [TO-2]. */
export type ServerControl = Pick<McpServers, 'states' | 'pending' | 'accept' | 'restart'>;

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
  /** Keeps `enrollment.secret` in the home what it says it is, after a rotation. */
  readonly saveEnrollmentSecret: (tenant: string, secret: Secret) => void;
}
