import type { Redactor } from '../audit/index.ts';
import type { HomePaths, Variables } from '../config/index.ts';
import {
  createEnvSource,
  createFileSource,
  createNamedSource,
  type NamedSecretResolver,
  resolveSecretReference,
} from '../credentials/index.ts';
import type { Secret } from '../shared/secret.ts';

export interface SecretContext {
  readonly paths: HomePaths;
  readonly env: Variables;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** finds the value of a credential; absent while there is no broker yet */
  readonly named?: NamedSecretResolver;
}

/** Reads a secret that the config names (`env:…`, `file:…`, `secret:…`) and keeps it out of everything that is written. */
export async function readSecret(
  reference: string,
  { env, paths, redactor, signal, named }: SecretContext,
): Promise<Secret> {
  const sources = [createEnvSource(env), createFileSource(paths.home)];
  if (named !== undefined) sources.push(createNamedSource(named));
  const secret = await resolveSecretReference(reference, sources, signal);
  redactor.learn(secret);
  return secret;
}

/** Secrets by the reference that they were read from. */
export type SecretsRead = ReadonlyMap<string, Secret>;

/** Whether all of them have the values that they had. */
export function areSame(before: SecretsRead, now: SecretsRead): boolean {
  if (before.size !== now.size) return false;
  for (const [reference, secret] of now) {
    const old = before.get(reference);
    if (old === undefined || !secret.equals(old)) return false;
  }
  return true;
}
