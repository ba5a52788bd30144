import { posix } from 'node:path';
import type { NamedPath } from '@sallyport/protocol';
import { escapeGlob } from '../../../shared/glob.ts';
import type { Folders } from '../words/cwd-scope.ts';
import { ANY, GLOB, MAYBE, WILD } from './marks.ts';

/** Where a value may lead; without `real` nobody knows. */
export type Place = Pick<NamedPath, 'real' | 'rest' | 'open'>;

export type ResolvePath = (given: string, cwd: string) => string;

const UNRESOLVED: readonly Place[] = [{}];
const NOWHERE: readonly Place[] = [];
/** Anything on this machine: what another process has open. */
const ANYWHERE: readonly Place[] = [{ real: '/', rest: '**', open: true }];

const FILE_URL = /^file:(?:\/\/(?:localhost(?=\/))?)?(\/.*)$/is;
const OTHER_URL = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;
const NO_FILE =
  /^\/(?:dev\/(?:null|zero|u?random|full|tty|stdin|stdout|stderr|fd(?:\/\d+)?)|proc\/(?:thread-)?self\/fd(?:\/\d+)?)$/;
/** The root or folder of a process, under the names that the kernel gives it. */
const PROCESS = /^\/proc\/([^/]+)\/(?:task\/[^/]+\/)?(root|cwd|fd|map_files)(?=\/|$)/;
const OWN = /^(?:thread-)?self$/;

/** The places that one value of a word (`word-values.ts`) names, for each folder that it may be seen from. */
export function resolveValue(value: string, folders: Folders, resolvePath: ResolvePath): readonly Place[] {
  const isOpen = value.includes(MAYBE);
  const text = urlPath(isOpen ? value.replaceAll(MAYBE, '') : value);
  if (text === undefined || text === '') return NOWHERE;
  const absolute = text.startsWith('/');
  if (absolute && (text.startsWith('/proc') || text.includes('/proc/') || text.startsWith('/dev'))) {
    const special = resolveProcess(text, folders, resolvePath);
    if (special !== undefined)
      return isOpen ? special.map((place) => ({ ...place, open: true as const })) : special;
  }
  if (text.startsWith(ANY)) return UNRESOLVED;
  const bases = absolute ? ROOT : folders;
  if (bases === undefined) return UNRESOLVED;
  const wild = text.search(WILD);
  if (wild === -1) {
    if (bases.length === 1) return [resolveOne(text, bases[0] ?? '/', isOpen, resolvePath)];
    return bases.map((cwd) => resolveOne(text, cwd, isOpen, resolvePath));
  }
  const border = text.lastIndexOf('/', wild);
  const fixed = border === -1 ? '.' : text.slice(0, border) || '/';
  const rest = pattern(text.slice(border + 1));
  // SECURITY: `..` behind a wildcard leads to a place that only the file system knows.
  if (rest === undefined) return UNRESOLVED;
  const open = isOpen || text.includes(ANY);
  return bases.map((cwd) => {
    const { real } = resolveOne(fixed, cwd, false, resolvePath);
    return real === undefined ? {} : { real, rest, ...(open ? { open } : {}) };
  });
}

const ROOT: readonly string[] = ['/'];

/** Where a text leads that has nothing unknown in it. */
export function resolveOne(text: string, cwd: string, open: boolean, resolvePath: ResolvePath): Place {
  try {
    // A `~` that is left is a name.
    const real = resolvePath(text.startsWith('~') ? `./${text}` : text, cwd);
    return open ? { real, open } : { real };
  } catch {
    return {};
  }
}

/** A `file:` address is its path; any other address is none. */
function urlPath(text: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)) return text;
  const path = FILE_URL.exec(text)?.[1];
  if (path === undefined) return OTHER_URL.test(text) ? undefined : text;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The glob that path rules would write for it; undefined when it goes up again. */
function pattern(text: string): string | undefined {
  const parts: string[] = [];
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') return undefined;
    const border = part.indexOf(ANY);
    const own = escapeGlob(border === -1 ? part : part.slice(0, border)).replaceAll(GLOB, '*');
    if (border !== -1) parts.push(...(own === '' ? [] : [oneStar(`${own}*`)]), '**');
    else parts.push(own === '**' ? own : oneStar(own));
  }
  return parts.join('/');
}

/** Stars beside each other are one; an escaped one is a letter. */
function oneStar(part: string): string {
  return part.replaceAll(/(\\.)|\*+/g, (_, escaped: string | undefined) => escaped ?? '*');
}

/** `/proc/self/root/x` is `/x`; what another process has open is anywhere. */
function resolveProcess(
  text: string,
  folders: Folders,
  resolvePath: ResolvePath,
): readonly Place[] | undefined {
  const path = posix.normalize(text).replace(/^\/\/+/, '/');
  if (NO_FILE.test(path)) return NOWHERE;
  const match = PROCESS.exec(path);
  const [whole = '', process = '', link] = match ?? [];
  const rest = path.slice(whole.length);
  switch (link) {
    case 'root':
      return resolveValue(rest === '' ? '/' : rest, folders, resolvePath);
    case 'cwd':
      return OWN.test(process)
        ? resolveValue(`.${rest}`, folders, resolvePath)
        : [...ANYWHERE, ...UNRESOLVED];
    case undefined:
      return undefined;
    // open: any name below /proc
    default:
      return OWN.test(process) ? NOWHERE : ANYWHERE;
  }
}
