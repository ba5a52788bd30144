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
  const argv = words.map(textOf);
  if (program !== '' && argv.length > 0) argv[0] = program;
  const paths = commandPaths({ program, words, where, others }, reading);
  const local = localProgram(program);
  const classified = classify(argv, parts, context);
  const unknown = parts.unknown ?? classified.unknown ?? unknownWord(words, local);
  const files = joined(parts.writes, classified.writes);
  if (unknown !== undefined) {
    const kind = anything(classified.intent?.hosts);
    return factOf(parts, argv, paths, { ...kind, writes: files, unknown });
  }
  if (classified.intent !== undefined)
    return factOf(parts, argv, paths, { ...fromClassifier(classified.intent, context), writes: files });
  if (local === undefined) return factOf(parts, argv, paths, { ...anything(), writes: parts.writes });
  return factOf(parts, argv, paths, describeLocal(local, parts, context, anything));
}

function textOf({ text }: Word): string {
  return text;
}

function joined(some: readonly PathFact[], more: readonly PathFact[]): readonly PathFact[] {
  return more.length === 0 ? some : [...some, ...more];
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
type Written =
  | 'effect'
  | 'hosts'
  | 'operation'
  | 'ownCredentials'
  | 'reach'
  | 'repo'
  | 'request'
  | 'risk'
  | 'runsCode'
  | 'type'
  | 'unknown'
  | 'unknownHosts'
  | 'writes';
/** SECURITY: a member that `factOf` does not write would be lost without a word. With one, no call of it compiles. */
type Forgotten = Record<Exclude<keyof Described, Written>, never>;

/**
 * Members stand in the order of the alphabet: then the engine itself writes the text that is hashed. One by one, not by
 * spreading: this runs for every command, and the engine keeps such objects fast.
 */
function factOf(
  { program, via }: CommandParts,
  argv: readonly string[],
  paths: readonly NamedPath[],
  described: Described & Forgotten,
): CommandFact {
  const { hosts, operation, ownCredentials, repo, request, runsCode, unknown, unknownHosts } = described;
  const fact: { -readonly [Key in keyof CommandFact]?: CommandFact[Key] } = { argv };
  fact.effect = described.effect;
  if (hosts !== undefined) fact.hosts = hosts;
  if (operation !== undefined) fact.operation = operation;
  if (ownCredentials !== undefined) fact.ownCredentials = ownCredentials;
  if (paths.length > 0) fact.paths = paths;
  fact.program = program;
  fact.reach = described.reach;
  if (repo !== undefined) fact.repo = repo;
  if (request !== undefined) fact.request = request;
  fact.risk = described.risk;
  if (runsCode !== undefined) fact.runsCode = runsCode;
  fact.text = argv.join(' ');
  fact.type = described.type;
  if (unknown !== undefined) fact.unknown = unknown;
  if (unknownHosts !== undefined) fact.unknownHosts = unknownHosts;
  if (via.length > 0) fact.via = via;
  fact.writes = described.writes;
  // Every member that a fact must have is set above.
  return fact as CommandFact;
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
  const writes = joined(parts.writes, own.writes);
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

const NOT_CLASSIFIED: Classified = { writes: [] };

interface Classified {
  readonly intent?: CliIntent;
  readonly writes: readonly PathFact[];
  readonly unknown?: string;
}

function classify(argv: readonly string[], parts: CommandParts, context: ShellContext): Classified {
  if (parts.program === '' || parts.program.includes('/')) return NOT_CLASSIFIED;
  const folders = parts.where.known ?? [context.cwd];
  const [first, ...others] = folders.map((cwd) => context.classifyCli(argv, { cwd, home: context.home }));
  if (first === undefined) return NOT_CLASSIFIED;
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
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    if (word.quotedTilde) return 'a quoted `~` is not the home folder';
    if (word.literal) continue;
    const safe =
      expansions === 'prefix' && !word.splits && word.prefix !== '' && !word.prefix.startsWith('-');
    if (!safe) return `\`${word.text}\` is not known before it runs`;
  }
  return undefined;
}
