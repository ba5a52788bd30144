import type { CommandFact, NamedPath, PathFact } from '@sallyport/protocol';
import { isNoFile, isOwn, isSecret, mayMatchSecret, runsLater, type Workspace } from './workspace.ts';

/**
 * A command of a session without a jail, placed by the paths that it names: what it writes outside the workspace makes
 * it a write of the machine, and what it only reads there a read of it [GA-14]. It is never brought nearer.
 */
export function placeCommand(fact: CommandFact, workspace: Workspace): CommandFact {
  const { paths = NONE, writes } = fact;
  const secrets = paths.filter((path) => readsSecret(path, workspace)).map(({ given }) => given);
  const guarded = guardedOf(fact, workspace);
  const marked = guarded.length === 0 ? fact : { ...fact, guarded };
  const known = secrets.length === 0 ? marked : { ...marked, secrets };
  const writesAway =
    writes.some(({ real }) => isAway(real, workspace)) ||
    (fact.reach === 'workspace' &&
      paths.some((path) => mayWrite(path, fact) && leadsAway(path, fact, workspace)));
  if (writesAway) {
    const reach = fact.reach === 'remote' ? 'remote' : 'host';
    const risk = fact.type === 'custom:destroy' ? 'critical' : fact.risk;
    return { ...known, effect: 'write', reach, risk, ...objectOf(known) };
  }
  const readsAway =
    fact.reach === 'workspace' &&
    fact.effect === 'read' &&
    paths.some((path) => path.use !== 'none' && leadsAway(path, fact, workspace));
  if (readsAway) return { ...known, reach: 'host' };
  return guarded.length === 0 ? known : { ...known, ...objectOf(known) };
}

/** What is gone does not run. */
const DELETERS: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink']);

/** SECURITY: what is written there runs as the person, when the agent is long gone [JA-7]. */
function guardedOf(fact: CommandFact, workspace: Workspace): readonly string[] {
  const { paths = NONE, writes, operation, program } = fact;
  const named = paths.filter(
    // What a program's own parser knows says which of its words it writes.
    (path) =>
      !DELETERS.has(program) && (operation === undefined ? mayWrite(path, fact) : path.use === 'write'),
  );
  return [
    ...writes.filter(({ real, access }) => access === 'write' && runsLater(real, workspace)),
    ...named.filter(({ real, rest }) => real !== undefined && runsLater(real, workspace, rest)),
  ].map(({ given }) => given);
}

const NONE: readonly never[] = [];

function mayWrite({ use }: NamedPath, { effect }: CommandFact): boolean {
  return use === 'write' || (use === 'both' && effect === 'write');
}

export function isAway(real: string, workspace: Workspace): boolean {
  return !isOwn(real, workspace) && !isNoFile(real);
}

/** SECURITY: what only the shell will know may lead anywhere, unless the program's own parser took it for no path. */
function leadsAway({ real }: NamedPath, { operation }: CommandFact, workspace: Workspace): boolean {
  return real === undefined ? operation === undefined : isAway(real, workspace);
}

function readsSecret({ real, use, below, rest }: NamedPath, workspace: Workspace): boolean {
  if (use === 'none' || use === 'write' || real === undefined || isOwn(real, workspace)) return false;
  const deep = below === true;
  return rest === undefined
    ? isSecret(real, workspace.home, deep)
    : mayMatchSecret(real, rest, workspace.home, deep);
}

/** What a standing answer is about: this program on these paths. */
function objectOf({ object, operation, paths = NONE, runsCode, type, via, writes }: CommandFact): {
  object?: string;
} {
  if (object !== undefined || operation !== undefined || runsCode === true || via !== undefined) return {};
  if (type === 'custom:destroy' || paths.some(isVague)) return {};
  const changed = [...writes, ...paths.filter(({ use }) => use !== 'read' && use !== 'none')];
  const names = changed.flatMap(({ real }) => (real === undefined ? NONE : [real]));
  return names.length === 0 ? {} : { object: [...new Set(names)].sort().join(', ') };
}

function isVague({ real, rest, open, below, use }: NamedPath): boolean {
  return use !== 'none' && (real === undefined || rest !== undefined || open === true || below === true);
}

/** The reach of a call that names files, and which of them are secrets. */
export function placePaths(
  paths: readonly PathFact[],
  workspace: Workspace,
): { readonly reach: 'workspace' | 'host'; readonly paths: readonly PathFact[] } {
  let reach: 'workspace' | 'host' = 'workspace';
  const placed = paths.map((path): PathFact => {
    if (!isAway(path.real, workspace))
      return path.access === 'write' && runsLater(path.real, workspace) ? { ...path, guarded: true } : path;
    reach = 'host';
    const deep = path.below === true || path.access === 'delete';
    return path.access === 'read' && isSecret(path.real, workspace.home, deep)
      ? { ...path, secret: true }
      : path;
  });
  return { reach, paths: placed };
}
