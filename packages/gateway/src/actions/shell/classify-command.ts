import type { PathFact } from '@sallyport/protocol';
import type { CliIntent } from '../cli/index.ts';
import type { Workspace } from '../places/index.ts';
import type { CommandParts } from './command-parts.ts';
import { writesTo } from './redirect-writes.ts';
import type { ShellContext } from './words/cwd-scope.ts';
import { literalWord, type Word } from './words/word.ts';
import { runsOwnFile, standsFor } from './workspace-program.ts';

const NOT_CLASSIFIED: Classified = { writes: [] };

interface Classified {
  readonly intent?: CliIntent;
  readonly writes: readonly PathFact[];
  readonly unknown?: string;
}

/** What the classifier of a program says to a command, wherever it may run. */
export function classify(argv: readonly string[], parts: CommandParts, context: ShellContext): Classified {
  const named = parts.program.includes('/') ? ownProgram(parts, context) : parts.program;
  if (named === undefined || named === '') return NOT_CLASSIFIED;
  const known = named === parts.program ? argv : [named, ...argv.slice(1)];
  const folders = parts.where.known ?? [context.cwd];
  const { home, confinement, workspace, repositoryAt, settingOf } = context;
  const root = confinement === 'jailed' ? context.cwd : rootOf(workspace, context.cwd);
  const [first, ...others] = folders.map((cwd) =>
    context.classifyCli(known, {
      ...{ cwd, home, root, repositoryAt },
      ...(settingOf === undefined ? {} : { settingOf: (program) => settingOf(program, cwd) }),
    }),
  );
  if (first === undefined) return NOT_CLASSIFIED;
  const quotedTilde = parts.words.some((word) => word.quotedTilde);
  const files = writesTo(
    (first.writes ?? []).map(({ given }) => givenWord(given)),
    parts.where.known,
    context,
  );
  const expanded = parts.words.find((word) => !word.literal && !isHarmlessExpansion(word, first));
  const unknown =
    first.unknown ??
    (expanded === undefined ? undefined : `\`${expanded.text}\` is not known before it runs`) ??
    (quotedTilde ? 'a quoted `~` is not the home folder' : undefined) ??
    (parts.where.known === undefined ? 'the folder that it runs in is not known' : undefined) ??
    (others.every((other) => JSON.stringify(other) === JSON.stringify(first))
      ? undefined
      : 'it depends on the folder that it runs in') ??
    files.problem;
  return { intent: first, writes: files.writes, ...(unknown === undefined ? {} : { unknown }) };
}

/** The name of a program that the workspace brings along, where it is one that has a classifier. */
function ownProgram(
  parts: CommandParts,
  { confinement, workspace, resolvePath }: ShellContext,
): string | undefined {
  if (confinement === 'jailed' || !runsOwnFile(parts, workspace, resolvePath)) return undefined;
  return standsFor(parts.program);
}

/** The folder whose code a command may run without a doubt. */
function rootOf({ folder }: Workspace, cwd: string): string {
  return folder === undefined || folder === '/' ? cwd : folder;
}

/** How many processors there are: a number, whatever it is. */
const PROCESSORS =
  /^(?:-j|--jobs=|--parallel=)?"?\$\((?:nproc|sysctl -n hw\.(?:ncpu|logicalcpu)|getconf _NPROCESSORS_ONLN)\)"?$/;

/** Names of files in the workspace that are handed to its own code; none can be taken for an option or lead out of it. */
function isHarmlessExpansion({ text, patterns, splits, prefix, shape }: Word, intent: CliIntent): boolean {
  if (intent.reach !== 'workspace' || intent.runsCode !== true) return false;
  if (PROCESSORS.test(text)) return true;
  const isGlob = patterns && !splits && shape?.expansions.length === 0;
  return isGlob && /^[\w@.]/.test(prefix) && !text.includes('..');
}

function givenWord(given: string): Word {
  return { ...literalWord(given, -1), tilde: /^~(?:\/|$)/.test(given) };
}
