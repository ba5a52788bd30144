import type { Actor, Json, JsonObject } from './action.ts';

/** Every type of event in the trail: `Group::Name`. Types are public: add freely, never rename. */
export const EVENT_TYPES = [
  'SessionEvent::Opened',
  'SessionEvent::Renewed',
  'SessionEvent::Ended',
  'SessionEvent::Refused',
  'OAuthEvent::ClientRegistered',
  'OAuthEvent::Issued',
  'OAuthEvent::Refused',
  'OAuthEvent::ReuseDetected',
  'IdentityEvent::KeyCreated',
  'IdentityEvent::KeyRevoked',
  'IdentityEvent::SecretRotated',
  'IdentityEvent::AuthorityRotated',
  'IdentityEvent::OperatorRefused',
  'ConfigEvent::Loaded',
  'ConfigEvent::Reloaded',
  'ConfigEvent::Rejected',
  'GatewayEvent::Started',
  'GatewayEvent::Stopped',
  'GatewayEvent::Killed',
  'AuditEvent::SinkFailed',
  'AuditEvent::SinkRecovered',
  'ActionEvent::Judged',
  'ApprovalEvent::Requested',
  'ApprovalEvent::Notified',
  'ApprovalEvent::Decided',
  'ApprovalEvent::AnswerRefused',
  'ApprovalEvent::Expired',
  'ApprovalEvent::Cancelled',
  'ReviewEvent::Reviewed',
  'ReviewEvent::ReviewFailed',
  'ReviewEvent::Told',
  'ReviewEvent::JudgePassed',
  'ReviewEvent::JudgeRefused',
  'ReviewEvent::JudgeFailed',
  'GrantEvent::Created',
  'GrantEvent::Used',
  'GrantEvent::Revoked',
  'GrantEvent::Expired',
  'CredentialEvent::Read',
  'CredentialEvent::Refreshed',
  'CredentialEvent::Failed',
  'CredentialEvent::Referenced',
  'ProxyEvent::RequestAllowed',
  'ProxyEvent::RequestBlocked',
  'ProxyEvent::CredentialInjected',
  'ProxyEvent::ResponseScrubbed',
  'MCPToolEvent::InvocationRequested',
  'MCPToolEvent::InvocationCompleted',
  'MCPToolEvent::InvocationFailed',
  'MCPToolEvent::ToolPolicyViolation',
  'MCPServerEvent::Started',
  'MCPServerEvent::Stopped',
  'MCPServerEvent::Failed',
  'MCPServerEvent::DefinitionsPinned',
  'MCPServerEvent::DefinitionsQuarantined',
  'MCPServerEvent::DefinitionsAccepted',
  'CommandExecutionEvent::CommandPolicyViolation',
  'CommandExecutionEvent::CommandExecutionStarted',
  'CommandExecutionEvent::CommandExecutionCompleted',
  'CommandExecutionEvent::CommandExecutionFailed',
  'SealEvent::WorkloadCreated',
  'SealEvent::WorkloadAttested',
  'SealEvent::AttestationRefused',
  'SealEvent::EnvelopeRefused',
  'SealEvent::SignatureVerificationFailed',
  'SealEvent::PolicyViolationBlocked',
  'StorageEvent::FileRead',
  'StorageEvent::FileWritten',
  'StorageEvent::PathTraversalBlocked',
  'StorageEvent::UnauthorizedVolumeAccess',
  'WorkspaceEvent::SnapshotTaken',
  'WorkspaceEvent::SnapshotFailed',
  'WorkspaceEvent::SnapshotsRemoved',
  'WorkspaceEvent::PlantsTakenBack',
  'WorkspaceEvent::UndoBegun',
  'WorkspaceEvent::UndoEnded',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** One line of the trail, as it is hashed, stored and written to sinks. */
export interface AuditEvent {
  /** `evt_…` */
  readonly id: string;
  /** 1, 2, 3, … within the tenant */
  readonly seq: number;
  /** ISO 8601, UTC, milliseconds */
  readonly at: string;
  readonly tenant: string;
  readonly type: EventType;
  readonly actor: EventActor;
  readonly action_id?: string;
  readonly approval_id?: string;
  readonly data: JsonObject;
}

/** Who caused it: an agent's actor, a person, an API client, or the gateway itself. */
export type EventActor =
  | ({ readonly kind: 'agent' } & Partial<Actor>)
  | { readonly kind: 'client'; readonly client: string }
  | { readonly kind: 'person'; readonly user: string; readonly via: string }
  | { readonly kind: 'operator'; readonly via: string }
  | { readonly kind: 'gateway' };

/** What a caller hands over; the trail adds `id`, `seq` and `at`. */
export type NewEvent = Omit<AuditEvent, 'id' | 'seq' | 'at'> & {
  readonly at?: string;
  /** enters the event as `data.detail`, as far as the configured level lets it */
  readonly detail?: EventDetail;
};

/** What goes beyond the facts that `judge` saw. */
export interface EventDetail {
  /** method, URL, headers, arguments; no body. From level `request` on */
  readonly request?: JsonObject;
  /** HTTP status, exit code. From level `request` on */
  readonly status?: number | string;
  /** at level `full` only */
  readonly request_body?: EventBody | Json;
  /** at level `full` only */
  readonly response_body?: EventBody | Json;
}

/** A body as it passed by: its beginning, and what is known of the whole. */
export interface EventBody {
  readonly start: Uint8Array;
  /** of all of it */
  readonly bytes: number;
  /** of all of it */
  readonly sha256?: string;
  /** `Content-Type` and `Content-Encoding`, as its head says */
  readonly type?: string;
  readonly encoding?: string;
}

/** How much of an action the trail keeps. */
export const AUDIT_LEVELS = ['metadata', 'request', 'full'] as const;
export type AuditLevel = (typeof AUDIT_LEVELS)[number];
