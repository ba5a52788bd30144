export { type ApiClient, ApiKeys, type NewApiKey } from './api-keys.ts';
export { type AttemptLimit, AttemptLimiter, attemptSpace } from './attempt-limiter.ts';
export type { EnrollRequest } from './enrollment.ts';
export type { EnrollmentLimits } from './enrollment-gate.ts';
export { type EnrollmentScope, EnrollmentSecrets } from './enrollment-secrets.ts';
export { type AgentPeer, AgentProcesses } from './peers/agent-processes.ts';
export type {
  Bearer,
  Rbac,
  RbacPolicy,
  Rights,
  RolePolicy,
} from './rbac.ts';
export type { ToolUse } from './role-rights.ts';
export { type SessionFacts, toEventActor } from './session-facts.ts';
export type { OpenedSession, OpenSession, SessionLimits } from './session-opener.ts';
export { type Sessions, type SessionsOptions, startSessions } from './sessions.ts';
export { rbacOf, type TenantOf, type TenantPolicy, tenantPolicyOf } from './tenant-directory.ts';
export {
  clientIdOf,
  deriveKey,
  hashToken,
  matchesToken,
  newToken,
  OperatorToken,
  sameHash,
  sessionTokenHash,
  type TokenKind,
} from './tokens.ts';
