import { resolve } from 'node:path';
import { readSecretFile } from '../../config/index.ts';
import type { SecretSource } from './secret-source.ts';

/** `file:path`: a file that only its owner may touch; a relative path starts at the home. */
export function createFileSource(home: string): SecretSource {
  return {
    scheme: 'file',
    async read(path) {
      return readSecretFile(resolve(home, path));
    },
  };
}
