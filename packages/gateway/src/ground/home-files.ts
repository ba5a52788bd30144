import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import {
  firstConfigText,
  type HomePaths,
  readSecretFile,
  type Variables,
  writeFileAtomically,
  writeSecretFile,
} from '../config/index.ts';
import { newToken } from '../identity/index.ts';
import { Secret } from '../shared/secret.ts';

/** Writes a first `sallyport.yaml` into the home when there is none. A config elsewhere is the user's own. */
export function ensureConfig(paths: HomePaths, env: Variables): boolean {
  if (existsSync(paths.config) || dirname(paths.config) !== paths.home) return false;
  writeFileAtomically(paths.config, firstConfigText({ osUser: osUser(env) }));
  return true;
}

/** Secrets that live in the home only: made by the first start, read by every later one. */
export interface HomeSecrets {
  readonly operatorToken: Secret;
  readonly inboxSecret: Secret;
}

export function ensureHomeSecrets(paths: HomePaths): HomeSecrets {
  return {
    operatorToken: ensureSecret(paths.operatorToken, () => newToken('operator')),
    inboxSecret: ensureSecret(
      paths.inboxSecret,
      () => new Secret(`spi_${randomBytes(32).toString('base64url')}`),
    ),
  };
}

/** What a secret file holds; undefined when there is no such file. Throws when others can read it. */
export function readIfPresent(path: string): Secret | undefined {
  return existsSync(path) ? readSecretFile(path) : undefined;
}

function ensureSecret(path: string, make: () => Secret): Secret {
  const present = readIfPresent(path);
  if (present !== undefined) return present;
  const made = make();
  writeSecretFile(path, made, { exclusive: true });
  return made;
}

function osUser(env: Variables): string {
  return env.USER ?? env.LOGNAME ?? userInfo().username;
}
