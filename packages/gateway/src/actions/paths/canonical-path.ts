import type { TargetProblem } from '@sallyport/protocol';
import { type LinkFact, type LinkReader, readLink } from './link-reader.ts';

/** Where a path is written from, and how the world is looked at. */
export interface PathContext {
  /** absolute and canonical: what a relative path starts from */
  readonly cwd: string;
  /** `cwd` was resolved a moment ago: what is relative is followed from there, not from the root */
  readonly fromCwd?: true;
  /** absolute: what `~/` means where the writer expands it (a shell); absent where nobody expands it */
  readonly home?: string;
  /** paths that came in a URL are percent-decoded once before they are used */
  readonly percentEncoded?: boolean;
  /** `fs.*` tools: any `.` or `..` component is refused, wherever it leads */
  readonly refuseDots?: boolean;
  /** the file system takes `A` and `a` for one name (macOS): then `real` is folded, as the rules are */
  readonly foldCase?: boolean | undefined;
  readonly links?: LinkReader | undefined;
}

export type CanonicalPath =
  | { readonly kind: 'path'; readonly real: string }
  | { readonly kind: 'problem'; readonly problem: TargetProblem };

const LONGEST_PATH = 4096;
const LINKS_AT_MOST = 40;

/**
 * Where a path leads: absolute, `.` and `..` resolved, every existing symlink on the way followed, as the kernel
 * would (a `..` after a symlink is the parent of where the link leads). Components that do not exist yet stay as
 * they are. What cannot be known is a problem, never a guess.
 */
export function canonicalizePath(given: string, context: PathContext): CanonicalPath {
  const decoded = context.percentEncoded === true ? percentDecode(given) : given;
  if (decoded === undefined) return malformed('the path has bytes that are not UTF-8 text');
  const objection = findObjection(decoded);
  if (objection !== undefined) return malformed(objection);
  if (context.refuseDots === true && decoded.split('/').some((part) => part === '.' || part === '..')) {
    return problem('PathTraversalAttempt', 'the path contains `.` or `..` components: write the plain path');
  }

  const start = startOf(decoded, context);
  if (start === undefined) return malformed('the path starts with `~`: write the folder out');
  const isBelow = context.fromCwd === true && start !== decoded && !decoded.startsWith('~');
  const followed = follow(
    start,
    context.links ?? readLink,
    isBelow && context.cwd !== '/' ? context.cwd : '',
  );
  if (followed.kind === 'problem' || context.foldCase !== true) return followed;
  return { kind: 'path', real: foldCase(followed.real) };
}

/** One spelling for all names that a case-insensitive file system takes for the same file. */
function foldCase(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

// Absolute, of printable ASCII, or of nothing but letters of names: nothing of what follows can be wrong with it.
const PLAIN = /^(?:\/[\x20-\x7e]*|[A-Za-z0-9_./+-]+)$/;

/** What makes a text unfit to be a path at all. */
function findObjection(path: string): string | undefined {
  if (path.length <= LONGEST_PATH && PLAIN.test(path)) return undefined;
  if (path === '') return 'the path is empty';
  if (path.length > LONGEST_PATH) return `the path is longer than ${LONGEST_PATH} characters`;
  if (path.includes('\0')) return 'the path contains a NUL byte';
  if (!path.isWellFormed() || path.includes('\u{FFFD}')) return 'the path has bytes that are not UTF-8 text';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  if (/[\u0001-\u001f\u007f\u202a-\u202e\u2066-\u2069]/.test(path)) {
    return 'the path contains control or direction characters: what a person reads would not be what is opened';
  }
  // Absolute paths of other systems, and URLs: here they would be relative names that look absolute.
  if (/^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\')) return 'the path is written for another system';
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(path)) return 'the path is a URL';
  return undefined;
}

function startOf(path: string, { cwd, home }: PathContext): string | undefined {
  if (path.startsWith('/')) return path;
  if (path.startsWith('~')) {
    if (home === undefined || (path !== '~' && !path.startsWith('~/'))) return undefined;
    return `${home}${path.slice(1)}`;
  }
  return cwd === '/' ? `/${path}` : `${cwd}/${path}`;
}

/** Walks component by component, as the kernel does. `done`: how the path begins, as far as it is resolved. */
function follow(path: string, links: LinkReader, done: string): CanonicalPath {
  let text = path;
  let at = text.startsWith('/') ? done.length + 1 : 0;
  /** what is resolved so far, without a slash at its end: empty for the root */
  let real = done;
  let linksLeft = LINKS_AT_MOST;
  let linked = false;
  let exists = true;
  while (at < text.length) {
    const border = text.indexOf('/', at);
    const end = border === -1 ? text.length : border;
    const part = text.slice(at, end);
    // As long as nothing had to be resolved, what is resolved is how the path begins: no need to put it together.
    const asWritten = !linked && real.length === at - 1;
    at = end + 1;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      real = real.slice(0, Math.max(0, real.lastIndexOf('/')));
      exists = true; // the parent may exist though the child did not: look again
      continue;
    }
    const here = asWritten ? text.slice(0, end) : `${real}/${part}`;
    // SECURITY: these lead where the process that opens them stands, not where we stand.
    if (isMagic(here))
      return problem('PathOutsideBoundary', `\`${here}\` leads to a place that depends on who opens it`);
    const link: LinkFact = exists ? links(here) : MISSING;
    if (link.kind === 'unreadable') return problem('PathOutsideBoundary', `\`${here}\` cannot be looked at`);
    if (link.kind === 'link') {
      linksLeft -= 1;
      if (linksLeft < 0) return problem('PathOutsideBoundary', 'the path goes through too many symlinks');
      if (link.target.startsWith('/')) real = '';
      text = `${link.target}/${text.slice(at)}`;
      at = 0;
      linked = true;
      continue;
    }
    exists = link.kind !== 'missing';
    real = here;
  }
  return { kind: 'path', real: real === '' ? '/' : real };
}

const MISSING: LinkFact = { kind: 'missing' };

const MAGIC =
  /^\/proc\/(?:self|thread-self|\d+)\/(?:task\/\d+\/)?(?:cwd|root|exe|fd|map_files|ns)(?:\/|$)|^\/dev\/(?:fd|stdin|stdout|stderr)(?:\/|$)/;

function isMagic(path: string): boolean {
  return (path.startsWith('/proc/') || path.startsWith('/dev/')) && MAGIC.test(path);
}

function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // overlong or cut UTF-8, or a bare `%`
  }
}

function malformed(message: string): CanonicalPath {
  return problem('Malformed', message);
}

function problem(code: TargetProblem['code'], message: string): CanonicalPath {
  return { kind: 'problem', problem: { code, message } };
}
