import { readlinkSync } from 'node:fs';

/** What stands at one path, as far as following it is concerned. */
export type LinkFact =
  | { readonly kind: 'plain' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'link'; readonly target: string }
  /** it may be a link, but we cannot see: permission, I/O error */
  | { readonly kind: 'unreadable' };

export type LinkReader = (path: string) => LinkFact;

/** Looks at the real file system. */
export const readLink: LinkReader = (path) => {
  try {
    return { kind: 'link', target: readlinkSync(path) };
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EINVAL':
        return { kind: 'plain' };
      case 'ENOENT':
      case 'ENOTDIR':
        return { kind: 'missing' };
      default:
        return { kind: 'unreadable' };
    }
  }
};
