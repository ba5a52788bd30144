import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SallyportError } from '@sallyport/protocol';

const PARTS = join(import.meta.dirname, '../../../../parts');

/** Each is a folder of `parts/` with its own lock file; its `index.js` re-exports what is used of its libraries. */
export type PartName = 'aws' | 'discord' | 'gcp' | 'github' | 'mail' | 'models' | 'slack';

/**
 * Loads an optional part: a heavy library that most installations do without.
 *
 * The caller names the little that it uses of the library as `Part`; the tests run the real one. Throws
 * `PartMissing`, whose hint is the command that installs it.
 */
export async function loadPart<Part>(name: PartName, what: string): Promise<Part> {
  if (!isPartInstalled(name)) throw partMissing(name, what);
  // The library's own types are not there unless the part is installed: `Part` is what the caller relies on.
  return (await import(pathToFileURL(entryOf(name)).href)) as Part;
}

export function isPartInstalled(name: PartName): boolean {
  return existsSync(join(dirname(entryOf(name)), 'node_modules'));
}

/** What to type so that the part is there. */
export function installCommandOf(name: PartName): string {
  return `npm ci --prefix parts/${name}`;
}

function partMissing(name: PartName, what: string): SallyportError {
  return new SallyportError('PartMissing', {
    message: `${what} needs the part \`${name}\`, which is not installed`,
    hint: `run \`${installCommandOf(name)}\` in the folder of Sallyport, then start the gateway again`,
  });
}

function entryOf(name: PartName): string {
  return join(PARTS, name, 'index.js');
}
