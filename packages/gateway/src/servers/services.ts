import type { KeyObject } from 'node:crypto';
import type { ConfigState, SallyportError } from '@sallyport/protocol';
import type { ActionBuilder, HttpActionBuilder } from '../actions/index.ts';
import type { Approvals, Channel, Deciders, Inbox } from '../approvals/index.ts';
import type { AuditTrail, Logger } from '../audit/index.ts';
import type { AccessRequests, CommandCalls, ToolCalls } from '../calls/index.ts';
import type { Config, HomePaths } from '../config/index.ts';
import type { Coordination } from '../coordination/index.ts';
import type { Broker, Placeholders, References } from '../credentials/index.ts';
import type { HttpExecutor } from '../executors/http/index.ts';
import type { CommandPath, McpServers } from '../executors/index.ts';
import type { ClientRules, Gate } from '../gate/index.ts';
import type { AgentProcesses, ApiKeys, Sessions } from '../identity/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { Secret } from '../shared/secret.ts';
import type { Spools } from '../shared/spool.ts';
import type { SealWorkloadsRepository } from '../store/index.ts';
import type { HttpLimits, TlsMaterial } from './http-server.ts';
import type { Metrics } from './metrics.ts';

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
  readonly gate: Pick<Gate, 'decide' | 'consider'>;
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
  /** programs that the gateway runs for agents */
  readonly commands: Pick<CommandCalls, 'run'>;
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
  readonly paths: Pick<HomePaths, 'home' | 'caKey' | 'caCertificate' | 'sshHostKey'>;
  /** where bodies wait while people are asked */
  readonly spools: Pick<Spools, 'open'>;
  /** chain of the trail for what no tenant is known of */
  readonly systemTenant: string;
  /** when this process began, in ms since epoch */
  readonly startedAt: number;
}

/** Tools as doors use them: what changes the servers themselves is the operator's. */
export interface AgentTools {
  readonly calls: ToolCalls;
  readonly access: Pick<AccessRequests, 'call'>;
  readonly servers: Pick<McpServers, 'get' | 'ofTenant' | 'nameOf' | 'onChange' | 'dropPeer'>;
  readonly commands: Pick<CommandPath, 'settle' | 'lose'>;
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
