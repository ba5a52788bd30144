export type { Broker, CredentialFacts, Injection, LendRequest, Loan } from './broker.ts';
export {
  type BrokerOptions,
  CredentialBroker,
  type CredentialState,
  type Selection,
} from './credential-broker.ts';
export type { BodyRewriter } from './kinds/kind.ts';
export { isAlone, isInPlace, type Places, replaceInPlaces } from './placeholder-places.ts';
export { Placeholders } from './placeholders.ts';
export { References } from './references.ts';
export { ScrubPlan } from './scrub/scrub-plan.ts';
export { ScrubStream } from './scrub/scrub-stream.ts';
export { createEnvSource } from './sources/env-source.ts';
export { createFileSource } from './sources/file-source.ts';
export { createNamedSource, type NamedSecretResolver } from './sources/named-source.ts';
export { resolveSecretReference } from './sources/resolve-secret-reference.ts';
export type { SecretSource } from './sources/secret-source.ts';
export { SCHEMES, SOURCE_WAYS } from './sources/sources.ts';
export { findStandIns, mayHoldStandIn } from './stand-ins.ts';
