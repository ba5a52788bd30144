import { compileGlob, escapeGlob, type Glob } from '../../../shared/glob.ts';
import { type Parsed, parseGlob, problem } from './parsed.ts';

/** A path glob and what it is counted from. */
export interface PathPattern {
  readonly base: 'root' | 'home' | 'cwd' | 'absolute';
  /** relative to the base; without the leading slash */
  readonly rest: string;
}

/** Where the bases of path patterns are. Absolute, canonical, no slash at the end but for `/`. */
export interface PathBases {
  /** the gateway's configured root: what `/` in a rule means */
  readonly root: string;
  /** what `~/` means */
  readonly home: string;
}

/** Reads `/…` (platform root), `~/…` (home), `./…` (the agent's folder), `//…` (absolute). */
export function parsePathPattern(text: string): Parsed<PathPattern> {
  const pattern = split(text);
  if (pattern === undefined) {
    return problem(
      `\`${text}\` does not say where the path starts`,
      'begin with `/` (platform root), `~/` (home), `./` (folder of the agent) or `//` (absolute)',
    );
  }
  if (pattern.rest.split('/').some((part) => part === '.' || part === '..')) {
    return problem('a path pattern has no `.` or `..` components', 'paths are judged where they lead');
  }
  if (pattern.rest === '') return { ok: true, value: pattern };
  const glob = parseGlob(pattern.rest, 'path');
  return glob.ok ? { ok: true, value: pattern } : glob;
}

function split(text: string): PathPattern | undefined {
  if (text.startsWith('//')) return { base: 'absolute', rest: text.slice(2) };
  if (text.startsWith('/')) return { base: 'root', rest: text.slice(1) };
  if (text.startsWith('~/')) return { base: 'home', rest: text.slice(2) };
  return text.startsWith('./') ? { base: 'cwd', rest: text.slice(2) } : undefined;
}

/** The path below a folder, without a slash at the start; undefined when it is not inside. */
export function belowFolder(path: string, folder: string): string | undefined {
  if (!path.startsWith('/') || !folder.startsWith('/')) return undefined;
  if (folder === '/') return path.slice(1);
  if (path === folder) return '';
  return path.startsWith(folder) && path.charCodeAt(folder.length) === 47
    ? path.slice(folder.length + 1)
    : undefined;
}

/**
 * The glob that a path's real, absolute form is matched with; for `./` patterns, which no load knows the base
 * of, the glob for the path below the agent's folder.
 */
export function compilePathPattern(pattern: PathPattern, bases: PathBases): Glob {
  if (pattern.base === 'cwd') return compileGlob(pattern.rest === '' ? '**' : pattern.rest, 'path');
  const base = pattern.base === 'absolute' ? '/' : bases[pattern.base];
  const start = base === '/' ? '' : escapeGlob(base);
  return compileGlob(`${start}/${pattern.rest}`, 'path');
}
