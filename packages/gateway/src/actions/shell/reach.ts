import type {
  ActionType,
  CommandFact,
  Confinement,
  Effect,
  HostFact,
  NamedPath,
  PathFact,
  Reach,
  Risk,
} from '@sallyport/protocol';
import { type CliIntent, eachOnce } from '../cli/index.ts';
import { hostsOfParts } from './command-hosts.ts';
import type { Where } from './cwd-scope.ts';
import { commandPaths, type NamedWord, type PathReading } from './paths/command-paths.ts';
import { type LocalProgram, localProgram } from './programs.ts';
import type { Reading, Setting } from './reading.ts';
import { writesTo } from './redirect-writes.ts';
import type { ShellContext } from './shell-context.ts';
import { literalWord, type Word } from './word.ts';

/** A command with its wrappers taken off, not yet judged. */
export interface CommandParts {
  readonly program: string;
  readonly words: readonly Word[];
  /** what it names beside its words */
  readonly named: readonly NamedWord[];
  readonly writes: readonly PathFact[];
  readonly where: Where;
  readonly unknown: string | undefined;
  readonly via: readonly string[];
  /** variables that are set for it */
  readonly values: readonly Setting[];
  /** targets of redirections that may be network connections */
  readonly opened: readonly Word[];
}

interface Kind {
  readonly effect: Effect;
  readonly reach: Reach;
  readonly type: ActionType;
  readonly risk: Risk;
  readonly unknownHosts?: true;
  readonly runsCode?: true;
}

const LOCAL: Readonly<Record<LocalProgram['does'], Kind>> = {
  read: { effect: 'read', reach: 'local', type: 'code:read', risk: 'low' },
  write: { effect: 'write', reach: 'local', type: 'code:write', risk: 'medium' },
  delete: { effect: 'write', reach: 'local', type: 'code:delete', risk: 'high' },
};
const ANYTHING: Readonly<Record<Confinement, Kind>> = {
  // In a jail the doors decide about whatever leaves it.
  jailed: { effect: 'write', reach: 'local', type: 'custom:cli', risk: 'medium', runsCode: true },
  // SECURITY: without a jail an unknown program may do anything anywhere.
  unconfined: {
    effect: 'write',
    reach: 'remote',
    type: 'custom:cli',
    risk: 'critical',
    unknownHosts: true,
    runsCode: true,
  },
};

/** Says what a command does and where: by its classifier, else by the table of local programs, else the worst. */
export function describeCommand(parts: CommandParts, { context, paths: reading }: Reading): CommandFact {
  const anything = (known?: readonly HostFact[]) => unknownKind(parts, argv, context, reading, known);
  const { program, words, where, named: others } = parts;
  const argv = words.map((word, index) => (index === 0 && program !== '' ? program : word.text));
  const paths = commandPaths({ program, words, where, others }, reading);
  const local = localProgram(program);
  const classified = classify(argv, parts, context);
  const unknown = parts.unknown ?? classified.unknown ?? unknownWord(words, local);
  const files = [...parts.writes, ...classified.writes];
  if (unknown !== undefined) {
    const kind = anything(classified.intent?.hosts);
    return factOf(parts, argv, paths, { ...kind, writes: files, unknown });
  }
  if (classified.intent !== undefined)
    return factOf(parts, argv, paths, { ...fromClassifier(classified.intent, context), writes: files });
  if (local === undefined) return factOf(parts, argv, paths, { ...anything(), writes: parts.writes });
  return factOf(parts, argv, paths, describeLocal(local, parts, context, anything));
}

type Anything = (known?: readonly HostFact[]) => Kind & Pick<CommandFact, 'hosts'>;

/** What nobody knows, with the hosts that it names all the same [GA-13]. In a jail the doors see them. */
function unknownKind(
  parts: CommandParts,
  argv: readonly string[],
  { confinement }: ShellContext,
  reading: PathReading,
  known: readonly HostFact[] = [],
): Kind & Pick<CommandFact, 'hosts'> {
  const kind = ANYTHING[confinement];
  if (kind.reach !== 'remote') return kind;
  const hosts = eachOnce([...known, ...hostsOfParts(parts, argv, reading)]);
  return hosts.length === 0 ? kind : { ...kind, hosts };
}

type Described = Omit<CommandFact, 'program' | 'argv' | 'text' | 'via' | 'paths'>;

/** Common members stand in the order of the alphabet: then the engine itself writes the text that is hashed. */
function factOf(
  { program, via }: CommandParts,
  argv: readonly string[],
  paths: readonly NamedPath[],
  { effect, operation, reach, risk, type, unknown, writes, ...more }: Described,
): CommandFact {
  return {
    argv,
    effect,
    ...(operation === undefined ? undefined : { operation }),
    ...(paths.length === 0 ? undefined : { paths }),
    program,
    reach,
    risk,
    text: argv.join(' '),
    type,
    ...(unknown === undefined ? undefined : { unknown }),
    ...(via.length === 0 ? undefined : { via }),
    writes,
    ...more,
  };
}

/** The same command, which also writes these files. */
export function withWrites(fact: CommandFact, writes: readonly PathFact[]): CommandFact {
  if (writes.length === 0) return fact;
  const kind = fact.type === 'code:read' ? LOCAL.write : {};
  return { ...fact, ...kind, effect: 'write', writes: [...fact.writes, ...writes] };
}

/** The same command, which also names these paths. */
export function withPaths(fact: CommandFact, paths: readonly NamedPath[]): CommandFact {
  return paths.length === 0 ? fact : { ...fact, paths: [...(fact.paths ?? []), ...paths] };
}

function describeLocal(
  local: LocalProgram,
  parts: CommandParts,
  context: ShellContext,
  anything: Anything,
): Kind & { writes: readonly PathFact[]; unknown?: string } {
  const args = parts.words.slice(1);
  const own = writesTo(local.writes?.(args) ?? [], parts.where.known, context);
  const writes = [...parts.writes, ...own.writes];
  if (own.problem !== undefined) return { ...anything(), writes, unknown: own.problem };
  if (local.refuse?.(args) !== undefined) return { ...anything(), writes };
  return { ...(local.does === 'read' && writes.length > 0 ? LOCAL.write : LOCAL[local.does]), writes };
}

function fromClassifier(
  intent: CliIntent,
  { confinement }: ShellContext,
): Omit<CommandFact, 'program' | 'argv' | 'text' | 'writes'> {
  const { effect, reach, type, risk, operation, hosts, unknownHosts, runsCode, repo, request } = intent;
  const shared = {
    effect,
    type,
    risk,
    ...(operation === undefined ? {} : { operation }),
    ...(runsCode === undefined ? {} : { runsCode }),
    ...(request === undefined ? {} : { request }),
  };
  // In a jail the proxy sees the request itself and asks about host and repository there, once.
  if (confinement === 'jailed') return { ...shared, reach: 'local' };
  return {
    ...shared,
    reach,
    ...(hosts === undefined ? {} : { hosts }),
    ...(unknownHosts === undefined ? {} : { unknownHosts }),
    ...(repo === undefined ? {} : { repo }),
  };
}

interface Classified {
  readonly intent?: CliIntent;
  readonly writes: readonly PathFact[];
  readonly unknown?: string;
}

function classify(argv: readonly string[], parts: CommandParts, context: ShellContext): Classified {
  if (parts.program === '' || parts.program.includes('/')) return { writes: [] };
  const folders = parts.where.known ?? [context.cwd];
  const [first, ...others] = folders.map((cwd) => context.classifyCli(argv, { cwd, home: context.home }));
  if (first === undefined) return { writes: [] };
  const quotedTilde = parts.words.some((word) => word.quotedTilde);
  const files = writesTo(
    (first.writes ?? []).map(({ given }) => givenWord(given)),
    parts.where.known,
    context,
  );
  const expanded = parts.words.find((word) => !word.literal);
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

function givenWord(given: string): Word {
  return { ...literalWord(given, -1), tilde: /^~(?:\/|$)/.test(given) };
}

/** A word of which nobody can say what it will be, where that matters for the program. */
function unknownWord(words: readonly Word[], local: LocalProgram | undefined): string | undefined {
  const expansions = local?.expansions ?? 'none';
  if (expansions === 'any') return undefined;
  for (const [index, word] of words.entries()) {
    if (index === 0) continue;
    if (word.quotedTilde) return 'a quoted `~` is not the home folder';
    if (word.literal) continue;
    const safe =
      expansions === 'prefix' && !word.splits && word.prefix !== '' && !word.prefix.startsWith('-');
    if (!safe) return `\`${word.text}\` is not known before it runs`;
  }
  return undefined;
}
