import type { Variables } from '../../config/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Secret } from '../../shared/secret.ts';
import {
  createEnvSource,
  createFileSource,
  createNamedSource,
  type NamedSecretResolver,
} from './local-sources.ts';
import { resolveSecretReference } from './resolve-secret-reference.ts';

/** What sources of a tenant are made with. */
export interface SourceContext {
  readonly home: string;
  readonly env: Variables;
  readonly clock: Clock;
  readonly learn: (secret: Secret) => void;
  /** finds the value of another credential of the tenant */
  readonly named: NamedSecretResolver;
  /** changes when the value of that credential may have */
  readonly namedRevision: (name: string) => string;
}

/** Reads what a store of secrets is opened with: from a plainer place, never from the store itself. */
export function plainReader({
  home,
  env,
  learn,
  named,
}: SourceContext): (reference: string, signal: AbortSignal) => Promise<Secret> {
  const sources = [createEnvSource(env), createFileSource(home), createNamedSource(named)];
  return async (reference, signal) => {
    const secret = await resolveSecretReference(reference, sources, signal);
    learn(secret);
    return secret;
  };
}
