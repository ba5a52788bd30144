import { lstatSync, readlinkSync, realpathSync } from 'node:fs';

/** What stands at one path, as far as following it is concerned. */
export type LinkFact =
  | { readonly kind: 'plain' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'link'; readonly target: string }
  /** it may be a link, but we cannot see: permission, I/O error */
  | { readonly kind: 'unreadable' };

export type LinkReader = (path: string) => LinkFact;

const PLAIN: LinkFact = { kind: 'plain' };
const MISSING: LinkFact = { kind: 'missing' };

/** Looks at the real file system. */
export const readLink: LinkReader = (path) => {
  try {
    // Most names are no links, and asking for a link that is none throws, which takes longer than all the rest.
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return MISSING;
    return facts.isSymbolicLink() ? { kind: 'link', target: readlinkSync(path) } : PLAIN;
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EINVAL':
        return PLAIN;
      case 'ENOENT':
      case 'ENOTDIR':
        return MISSING;
      // open: any error of the system
      default:
        return { kind: 'unreadable' };
    }
  }
};

/** Where a folder really is. One that is not there, or not on this machine, is known by its name. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
