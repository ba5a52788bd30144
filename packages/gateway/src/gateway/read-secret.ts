import type { Redactor } from '../audit/index.ts';
import type { HomePaths, Variables } from '../config/index.ts';
import { createEnvSource, createFileSource, resolveSecretReference } from '../credentials/index.ts';
import type { Secret } from '../shared/secret.ts';

export interface SecretContext {
  readonly paths: HomePaths;
  readonly env: Variables;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
}

/** Reads a secret that the config names (`env:…`, `file:…`) and keeps it out of everything that is written. */
export async function readSecret(
  reference: string,
  { env, paths, redactor, signal }: SecretContext,
): Promise<Secret> {
  const sources = [createEnvSource(env), createFileSource(paths.home)];
  const secret = await resolveSecretReference(reference, sources, signal);
  redactor.learn(secret);
  return secret;
}
