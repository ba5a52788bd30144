export { type ApiKeyRecord, ApiKeysRepository } from './api-keys-repository.ts';
export { ApprovalMessagesRepository } from './approval-messages-repository.ts';
export {
  type ApprovalFilter,
  type ApprovalMessageRow,
  type ApprovalRow,
  ApprovalsRepository,
  type Ending,
  type IdempotencyKey,
  type KeyedApproval,
} from './approvals-repository.ts';
export {
  type EnrollmentSecretHash,
  type EnrollmentSecretRecord,
  EnrollmentSecretsRepository,
} from './enrollment-secrets-repository.ts';
export { type GrantFilter, type GrantRow, GrantsRepository } from './grants-repository.ts';
export { IdLookup } from './id-lookup.ts';
export { type McpPinRow, McpPinsRepository } from './mcp-pins-repository.ts';
export { MetaRepository } from './meta-repository.ts';
export { openStore, type StoreLocation } from './open-store.ts';
export type { Page, PagePlan, PageRequest } from './page.ts';
export { SealWorkloadsRepository, type WorkloadRecord } from './seal-workloads-repository.ts';
export type { NewSession, SessionRecord } from './session-record.ts';
export { type SessionFilter, SessionsRepository } from './sessions-repository.ts';
export type { Database, Store } from './store.ts';
export { type StoreNeeds, storeNeeds } from './store-needs.ts';
