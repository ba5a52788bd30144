import { lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { assertNever } from '../../shared/assert-never.ts';
import type { GuardedKind } from '../../shared/guarded-places.ts';
import { isInside } from '../../shared/is-inside.ts';
import { judgeConfig } from './git-config.ts';
import type { Place } from './guarded-folder.ts';

/** What stands in a place. */
export type Held =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }
  /** a file that nobody would write into such a place by hand: only its size is known */
  | { readonly kind: 'large'; readonly size: number; readonly changed: number }
  | { readonly kind: 'other' };

/** What does not belong there: why, and what belongs there instead; `put` undefined: nothing. */
export interface Planted {
  readonly why: string;
  readonly put: Held | undefined;
}

export const HELD_BYTES = 4 * 1024 * 1024;

/** undefined: nothing is there. */
export function hold(path: string): Held | undefined {
  try {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) };
    if (!stats.isFile()) return { kind: 'other' };
    if (stats.size > HELD_BYTES) return { kind: 'large', size: stats.size, changed: stats.mtimeMs };
    return { kind: 'file', bytes: readFileSync(path), mode: stats.mode & 0o777 };
  } catch {
    return undefined;
  }
}

/**
 * Whether what stands in a place now may stay there. What was there before the agent came always may; else it depends on
 * the kind of the place. `roots`: what the agent may write.
 */
export function judgePlace(
  { path, kind }: Place,
  now: Held,
  was: Held | undefined,
  roots: readonly string[],
): Planted | undefined {
  if (isSame(now, was)) return undefined;
  // A folder or a pipe of that name: nothing reads settings from one.
  if (now.kind === 'other') return undefined;
  if (now.kind !== 'file') return { why: now.kind === 'link' ? 'a link' : 'a large file', put: was };
  // Nothing runs by an empty file; most of them are about to be written.
  if (now.bytes.length === 0) return undefined;
  const text = now.bytes.toString('latin1');
  return judgeText(path, kind, text, was, roots, now.mode);
}

function judgeText(
  path: string,
  kind: GuardedKind,
  text: string,
  was: Held | undefined,
  roots: readonly string[],
  mode: number,
): Planted | undefined {
  switch (kind) {
    case 'git-config': {
      const leadsInside = (to: string): boolean => staysInside(dirname(path), to, roots);
      const before = was?.kind === 'file' ? was.bytes.toString('latin1') : '';
      const judged = judgeConfig(text, before, leadsInside);
      if (judged.refused.length === 0) return undefined;
      const bytes = Buffer.from(judged.text, 'latin1');
      return { why: [...new Set(judged.refused)].join(', '), put: { kind: 'file', bytes, mode } };
    }
    case 'git-link': {
      const target = /^(?:gitdir: )?([^\r\n]+)\r?\n?$/.exec(text)?.[1] ?? '';
      if (target !== '' && staysInside(dirname(path), target, roots)) return undefined;
      return { why: 'it leads to a repository elsewhere', put: was };
    }
    case 'git-todo': {
      const lines = text.split('\n');
      const kept = lines.filter((line) => !/^\s*(?:x|exec)\b/i.test(line));
      if (kept.length === lines.length) return undefined;
      return {
        why: '`exec` lines',
        put: { kind: 'file', bytes: Buffer.from(kept.join('\n'), 'latin1'), mode },
      };
    }
    case 'tool-path':
      // SECURITY: TOML spells a key with escapes too.
      return /\bpath\b|\\/i.test(text) ? { why: 'a path to a tool chain', put: was } : undefined;
    case 'python-path':
      // SECURITY: anywhere, because what ends a line for Python is more than what ends one for us.
      return /\bimport[ \t]/.test(text) ? { why: 'code that each start runs', put: was } : undefined;
    case 'git-hook':
    case 'settings':
      return { why: was === undefined ? 'a new file' : 'a changed file', put: was };
    default:
      return assertNever(kind);
  }
}

function isSame(now: Held, was: Held | undefined): boolean {
  if (now.kind === 'file' && was?.kind === 'file') {
    // A hook that was not executable did not run.
    return now.bytes.equals(was.bytes) && (now.mode & 0o111 & ~was.mode) === 0;
  }
  if (now.kind === 'link' && was?.kind === 'link') return now.target === was.target;
  if (now.kind === 'large' && was?.kind === 'large')
    return now.size === was.size && now.changed === was.changed;
  return false;
}

/** Whether a repository lies where every repository is looked into. What is not there, git does not find either. */
function staysInside(from: string, to: string, roots: readonly string[]): boolean {
  const target = resolve(from, to);
  let real = target;
  try {
    real = realpathSync(target);
  } catch {
    // Not there yet: where it would be is what counts.
  }
  return [target, real].every(
    (path) => !path.includes('/objects/') && roots.some((root) => isInside(path, root)),
  );
}
