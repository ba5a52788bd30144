export type { Broker, CredentialFacts, Injection, LendRequest, Loan } from './broker.ts';
export type { CommandLendRequest, CommandLoan } from './command-loan.ts';
export {
  type BrokerOptions,
  CredentialBroker,
  type CredentialState,
  type Selection,
} from './credential-broker.ts';
export type { CredentialPut, PartName, PutFile } from './kinds/command-put.ts';
export { findCredentials } from './kinds/index.ts';
export type { BodyRewriter, FoundCredential } from './kinds/kind.ts';
export { findMentions, mayMention } from './mentions.ts';
export { isAlone, isInPlace, type Places, replaceInPlaces } from './placeholder-places.ts';
export { Placeholders } from './placeholders.ts';
export { References } from './references.ts';
export { compileRoutes, type RouteFor } from './routes.ts';
export { ScrubPlan } from './scrub/scrub-plan.ts';
export { ScrubStream } from './scrub/scrub-stream.ts';
export {
  createEnvSource,
  createFileSource,
  createNamedSource,
  type NamedSecretResolver,
} from './sources/local-sources.ts';
export { resolveSecretReference } from './sources/resolve-secret-reference.ts';
export type { SecretSource } from './sources/secret-source.ts';
export { SCHEMES, SOURCE_WAYS } from './sources/sources.ts';
export { TenantSources } from './sources/tenant-sources.ts';
