import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const TOOLS = join(import.meta.dirname, '../../../tools');

export interface CachedTools {
  /** holds `node_modules`; outside the repo, one for each lock file */
  readonly folder: string;
  readonly missing: boolean;
  /** command that installs it: part of the name of what is skipped */
  readonly install: string;
}

/**
 * Looks for packages that only some tests need, and that `scripts/test-setup.sh` installs outside the repo:
 * `describe.skipIf(requireTools('clients').missing)`.
 *
 * With `SALLYPORT_TEST_ALL=1` missing ones are an error that names the command that installs them.
 */
export function requireTools(name: string): CachedTools {
  const cache = process.env.SALLYPORT_CACHE ?? join(homedir(), '.cache', 'sallyport');
  const lock = readFileSync(join(TOOLS, name, 'package-lock.json'));
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const folder = join(cache, name, version);
  const install = 'npm run test:setup';
  const missing = !existsSync(join(folder, 'node_modules', '.package-lock.json'));
  if (missing && process.env.SALLYPORT_TEST_ALL === '1')
    throw new Error(`tools/${name} is not installed: run \`${install}\``);
  return { folder, missing, install };
}
