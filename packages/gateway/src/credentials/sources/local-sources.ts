import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { readSecretFile, type Variables, writeSecretFile } from '../../config/index.ts';
import { Secret } from '../../shared/secret.ts';
import type { SecretSource } from './secret-source.ts';

/** `file:path`: a file that only its owner may touch; a relative path starts at the home. */
export function createFileSource(home: string): SecretSource {
  // Asked for with every request: the path is put together once.
  const paths = new Map<string, string>();
  const looked = new Map<string, string>();
  const pathOf = (path: string): string => {
    const known = paths.get(path);
    if (known !== undefined) return known;
    const made = resolve(home, path);
    paths.set(path, made);
    return made;
  };
  return {
    scheme: 'file',
    async read(path) {
      return readSecretFile(resolve(home, path));
    },
    async write(path, value) {
      writeSecretFile(resolve(home, path), value);
    },
    // A file that was changed, replaced or removed counts from the next use on, not when the cache runs out. Those who
    // ask in one turn of the event loop get one answer: nobody can tell which of them came before the change.
    revision(path) {
      let revision = looked.get(path);
      if (revision !== undefined) return revision;
      if (looked.size === 0) setImmediate(() => looked.clear());
      revision = revisionOf(pathOf(path));
      looked.set(path, revision);
      return revision;
    },
  };
}

function revisionOf(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'none';
    return `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.mode}`;
  } catch {
    return 'none';
  }
}

/** `env:NAME`: a variable of the gateway's own environment. */
export function createEnvSource(env: Variables): SecretSource {
  return {
    scheme: 'env',
    async read(name) {
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      if (value !== undefined && value !== '') return new Secret(value);
      throw new SallyportError('SecretUnreadable', {
        message: `variable \`${name}\` is ${value === undefined ? 'not set' : 'empty'}`,
        hint: `set \`${name}\` in the environment of the gateway`,
      });
    },
  };
}

/** Finds a secret by its name, wherever the gateway keeps named secrets. Rejects when there is none. */
export type NamedSecretResolver = (name: string, signal: AbortSignal) => Promise<Secret>;

/** `secret:name`: the value of a credential. `revisionOf` tells when it has another. */
export function createNamedSource(
  resolve: NamedSecretResolver,
  revisionOf?: (name: string) => string,
): SecretSource {
  return {
    scheme: 'secret',
    read: (name, signal) => resolve(name, signal),
    ...(revisionOf === undefined ? {} : { revision: revisionOf }),
  };
}
