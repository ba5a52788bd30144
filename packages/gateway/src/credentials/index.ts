export type { Broker, CredentialFacts, Injection, LendRequest, Loan } from './broker.ts';
export type { BodyRewriter } from './kinds/kind.ts';
export { ScrubPlan } from './scrub/scrub-plan.ts';
export { ScrubStream } from './scrub/scrub-stream.ts';
export { createEnvSource } from './sources/env-source.ts';
export { createFileSource } from './sources/file-source.ts';
export { resolveSecretReference } from './sources/resolve-secret-reference.ts';
export type { SecretSource } from './sources/secret-source.ts';
