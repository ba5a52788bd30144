import { existsSync } from 'node:fs';
import { join } from 'node:path';

const PARTS = join(import.meta.dirname, '../../../parts');

export interface PartState {
  readonly missing: boolean;
  /** command that installs it: part of the name of what is skipped */
  readonly install: string;
}

/**
 * Looks for an optional part that some tests need: `describe.skipIf(requirePart('slack').missing)`.
 *
 * With `SALLYPORT_TEST_ALL=1` a missing part is an error that names the command that installs it.
 */
export function requirePart(name: string): PartState {
  const install = `npm ci --prefix parts/${name}`;
  const missing = !existsSync(join(PARTS, name, 'node_modules'));
  if (missing && process.env.SALLYPORT_TEST_ALL === '1')
    throw new Error(`the part \`${name}\` is missing: install it with \`${install}\``);
  return { missing, install };
}
