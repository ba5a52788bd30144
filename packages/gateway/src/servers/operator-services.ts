import type {
  EventActor,
  NewRunSchema,
  RunSummary,
  SnapshotList,
  StartedRun,
  Status,
  TakenBackWire,
  UndoOrder,
  UndoPlanWire,
  UndoQuestion,
  UndoResult,
  VerifyReport,
} from '@sallyport/protocol';
import type { z } from 'zod';
import type { DecisionLinks, OpenApprovals, TelegramUpdates } from '../approvals/index.ts';
import type { Trail } from '../audit/index.ts';
import type { CredentialBroker, Placeholders, References } from '../credentials/index.ts';
import type { McpServers } from '../executors/index.ts';
import type { Grants } from '../gate/index.ts';
import type {
  AgentPeer,
  AgentProcesses,
  ApiKeys,
  EnrollmentSecrets,
  OperatorToken,
  Sessions,
} from '../identity/index.ts';
import type { PolicyQuestions } from '../rehearsal/index.ts';
import type { Secret } from '../shared/secret.ts';
import type { IdLookup, SessionsRepository } from '../store/index.ts';
import type { CommonServices, ConfigControl } from './services.ts';

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
  /** whole ids for shortened ones */
  readonly ids: Pick<IdLookup, 'startingWith'>;
  readonly approvals: OpenApprovals;
  readonly grants: Grants;
  readonly trail: TrailReader;
  readonly gateway: GatewayControl;
  readonly policyQuestions: PolicyQuestions;
  /** credentials, and what stands for them */
  readonly lending: {
    readonly broker: CredentialBroker;
    readonly placeholders: Placeholders;
    readonly references: References;
  };
  readonly runs: RunControl;
  readonly snapshots: SnapshotControl;
  /** MCP servers; loaded when somebody asks for them */
  readonly mcpServers: () => ServerControl | Promise<ServerControl>;
  readonly channelWays: ChannelWays;
}

/** MCP servers, and a person's word on what they say of themselves [TO-2]. */
export type ServerControl = Pick<McpServers, 'states' | 'pending' | 'accept' | 'restart'>;

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

/** A session that somebody holds. */
export interface OpenRun {
  readonly facts: Omit<StartedRun, 'session_token'>;
  /** handed to an unconfined run alone */
  readonly token: Secret;
  /** resolves with the reason once the session is over, whoever ended it */
  readonly ended: Promise<string>;
  /** Ends it; done when nothing of it is left. */
  readonly release: (by: EventActor) => Promise<void>;
}

/** Runs, as the operator side starts and ends them. */
export interface RunEnding {
  readonly reason: string;
  readonly by: EventActor;
  readonly withSummary: boolean;
  /** what the agent had written where it would run later, and was put back */
  readonly takenBack: readonly TakenBackWire[];
}

export interface RunControl {
  start(request: z.infer<typeof NewRunSchema>, by: EventActor): Promise<OpenRun>;
  /** Ends it if it is alive, and says what it did, if anybody wants to know. */
  end(id: string, end: RunEnding): Promise<RunSummary | null>;
  summary(id: string): Promise<RunSummary>;
}

/** Workspaces that are held, and a person's way back to them. */
export interface SnapshotControl {
  /** What is held of the workspace that a folder belongs to. */
  list(folder: string): Promise<SnapshotList>;
  plan(question: UndoQuestion): Promise<UndoPlanWire>;
  undo(order: UndoOrder, by: EventActor): Promise<UndoResult>;
  prune(by: EventActor): Promise<{ removed: number; bytes: number }>;
}

/** The channels that need a way in, as of now: the config may name another one at any time. */
export interface ChannelWays {
  readonly decisions: DecisionLinks | undefined;
  readonly telegram: TelegramUpdates | undefined;
}
