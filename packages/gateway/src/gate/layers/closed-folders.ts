import type { Action, NamedPath, Opinion, PathFact } from '@sallyport/protocol';
import { compileGlob } from '../../shared/glob.ts';
import { factsOf, lineOf, pathsOf } from '../../targets/index.ts';
import type { ClosedFolder } from '../policy/compiled-policy.ts';
import { isInside, namedActions } from './facts.ts';
import { ask, deny } from './layer.ts';

/**
 * What is said about an action that reaches one of the folders, in whatever form. In a jail the folder is not there:
 * then only what is written by name counts, as for every other tool.
 */
export function checkClosedFolders(folders: readonly ClosedFolder[], action: Action): Opinion | undefined {
  let found = checkAction(folders, action);
  for (const named of namedActions(action)) {
    if (found?.says === 'deny') return found;
    found = checkAction(folders, named) ?? found;
  }
  return found;
}

function checkAction(
  folders: readonly ClosedFolder[],
  { target, actor }: Pick<Action, 'target' | 'actor'>,
): Opinion | undefined {
  for (const path of pathsOf(target)) if (folders.some((folder) => reaches(path, folder))) return closed();
  const facts = factsOf(target);
  if (actor.confinement === 'jailed') return undefined;
  let maybe = false;
  for (const path of facts.namedPaths(target)) {
    for (const folder of folders) {
      const answer = namesFolder(path, folder);
      if (answer === 'yes') return closed();
      maybe ||= answer === 'maybe';
    }
  }
  for (const piece of lineOf(target)?.mentions ?? [])
    if (folders.some((folder) => mentionsFolder(piece, folder))) return closed();
  if (!maybe) return undefined;
  return ask('boundary', 'human', 'it cannot be known whether this leads into the home of the gateway');
}

function closed(): Opinion {
  return deny('boundary', 'PathOutsideBoundary', 'the home of the gateway is closed to every tool');
}

/** Deleting, moving or searching a folder above it takes it along. */
function reaches({ real, access, below }: PathFact, { path }: ClosedFolder): boolean {
  return isInside(real, path) || ((access === 'delete' || below === true) && isInside(path, real));
}

function namesFolder(named: NamedPath, folder: ClosedFolder): 'yes' | 'maybe' | 'no' {
  const { real, rest, open, below } = named;
  if (real === undefined) return 'no';
  if (isInside(real, folder.path)) return 'yes';
  if (!isInside(folder.path, real)) return 'no';
  const reached = rest === undefined ? below === true : patternReaches(rest, real, folder, below === true);
  return reached ? (open === true ? 'maybe' : 'yes') : 'no';
}

/** Whether a glob below `real`, which lies above the folder, can name it, or something in it. */
function patternReaches(rest: string, real: string, { parts }: ClosedFolder, below: boolean): boolean {
  const way = parts.slice(real === '/' ? 0 : real.split('/').length - 1);
  let places = new Set([0]);
  for (const part of rest.split('/')) {
    const next = new Set<number>();
    for (const place of places) {
      if (part === '**') for (let at = place; at <= way.length; at += 1) next.add(at);
      else if (matchesName(part, way[place] ?? '')) next.add(place + 1);
    }
    places = next;
    if (places.has(way.length)) return true;
  }
  return below && places.size > 0;
}

/** As a shell does it: a `*` at the start of a name stands for no dot. */
function matchesName(pattern: string, name: string): boolean {
  if (pattern.startsWith('*') && name.startsWith('.')) return false;
  return compileGlob(pattern, 'path').matches(name);
}

/** Letters that a pattern must share with the folder's name before it counts for it, wherever it stands. */
const TELLING_LETTERS = 3;

/** Whether a piece of text speaks of the folder. Nobody knows where the text starts from, so its name is enough. */
function mentionsFolder(piece: string, { path, belowHome, name }: ClosedFolder): boolean {
  if (piece.includes('SALLYPORT_HOME')) return true;
  const text = piece.replaceAll(/\/(?:\.?\/)+/g, '/');
  if (hasPath(text, path)) return true;
  if (belowHome !== undefined && (hasPath(text, `~/${belowHome}`) || hasPath(text, `HOME/${belowHome}`)))
    return true;
  return name !== undefined && text.split('/').some((part) => part === name || isPatternOf(part, name));
}

/** On the border of a name: `/srv/gate` is not in `/srv/gateway`. */
function hasPath(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const after = text.charAt(at + path.length);
    if (after === '' || !/[A-Za-z0-9_-]/.test(after)) return true;
  }
  return false;
}

function isPatternOf(part: string, name: string): boolean {
  if (!/[*?[]/.test(part)) return false;
  const pattern = part.replaceAll(/\[[^\]]*\]?|\?|\*+/g, '*').replaceAll('\\', '');
  const letters = pattern.replaceAll('*', '');
  return letters.length >= TELLING_LETTERS && matchesName(pattern.replaceAll(/\*{2,}/g, '*'), name);
}
