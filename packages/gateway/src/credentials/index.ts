export { createEnvSource } from './sources/env-source.ts';
export { createFileSource } from './sources/file-source.ts';
export { resolveSecretReference } from './sources/resolve-secret-reference.ts';
export type { SecretSource } from './sources/secret-source.ts';
