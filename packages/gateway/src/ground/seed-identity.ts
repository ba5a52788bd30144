import { existsSync } from 'node:fs';
import type { EventActor } from '@sallyport/protocol';
import type { Redactor } from '../audit/index.ts';
import { type HomePaths, writeSecretFile } from '../config/index.ts';
import { type ApiKeys, type EnrollmentSecrets, newToken } from '../identity/index.ts';
import type { Secret } from '../shared/secret.ts';
import { MetaRepository, type Store } from '../store/index.ts';
import { readIfPresent } from './home-files.ts';

/** The tenant that a first start makes, and whose chain has the events about the gateway itself. */
export const SYSTEM_TENANT = 'default';

const SEEDED = 'home.seeded';

/**
 * Gives a new store its first enrollment secret and API key: those in the home, made when there are none.
 *
 * Happens once for each store: a key that the operator revoked later does not come back with a restart.
 * What the files hold is taught to the redactor in any case.
 */
export async function seedIdentity(
  paths: HomePaths,
  parts: { readonly store: Store; readonly keys: ApiKeys; readonly enrollment: EnrollmentSecrets },
  redactor: Redactor,
): Promise<void> {
  const present = [readIfPresent(paths.enrollmentSecret), readIfPresent(paths.apiKey)];
  for (const secret of present) if (secret !== undefined) redactor.learn(secret);
  const meta = new MetaRepository(parts.store);
  if ((await meta.get(SEEDED)) !== undefined) return;

  const [enrollmentSecret = newToken('enrollment'), apiKey = newToken('apiKey')] = present;
  redactor.learn(enrollmentSecret);
  redactor.learn(apiKey);
  const by: EventActor = { kind: 'gateway' };
  // Stored first, written last: a start that breaks off in between begins anew and makes others.
  await parts.enrollment.adopt({ tenant: SYSTEM_TENANT, by }, enrollmentSecret);
  await parts.keys.adopt({ tenant: SYSTEM_TENANT, name: 'first key', by }, apiKey);
  writeIfMissing(paths.enrollmentSecret, enrollmentSecret);
  writeIfMissing(paths.apiKey, apiKey);
  await meta.set(SEEDED, 'yes');
}

function writeIfMissing(path: string, secret: Secret): void {
  if (!existsSync(path)) writeSecretFile(path, secret, { exclusive: true });
}
