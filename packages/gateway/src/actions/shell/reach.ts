import { createHash } from 'node:crypto';
import type {
  ActionType,
  CommandFact,
  Confinement,
  Effect,
  HostFact,
  Loss,
  NamedPath,
  PathFact,
  Reach,
  Risk,
} from '@sallyport/protocol';
import { type CliIntent, eachOnce } from '../cli/index.ts';
import { isAway } from '../places/index.ts';
import { classify } from './classify-command.ts';
import { hostsOfParts } from './command-hosts.ts';
import type { CommandParts } from './command-parts.ts';
import { destruction } from './destroy/destroying.ts';
import { commandPaths, type PathReading } from './paths/command-paths.ts';
import { type LocalProgram, localProgram } from './programs.ts';
import type { Reading } from './reading.ts';
import { writesTo } from './redirect-writes.ts';
import type { ShellContext } from './words/cwd-scope.ts';
import type { Word } from './words/word.ts';
import { runsOwnFile } from './workspace-program.ts';

interface Kind {
  readonly effect: Effect;
  readonly reach: Reach;
  readonly type: ActionType;
  readonly risk: Risk;
  readonly unknownHosts?: true;
  readonly runsCode?: true;
  readonly alsoType?: ActionType;
  readonly loses?: Loss;
}

const LOCAL: Readonly<Record<LocalProgram['does'], Kind>> = {
  read: { effect: 'read', reach: 'workspace', type: 'code:read', risk: 'low' },
  write: { effect: 'write', reach: 'workspace', type: 'code:write', risk: 'medium' },
  delete: { effect: 'write', reach: 'workspace', type: 'code:delete', risk: 'high' },
  machine: { effect: 'write', reach: 'host', type: 'custom:cli', risk: 'high' },
  destroy: { effect: 'write', reach: 'host', type: 'custom:destroy', risk: 'critical' },
};
const ANYTHING: Readonly<Record<Confinement, Kind>> = {
  // In a jail the doors decide about whatever leaves it.
  jailed: { effect: 'write', reach: 'workspace', type: 'custom:cli', risk: 'medium', runsCode: true },
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
export function describeCommand(
  parts: CommandParts,
  { context, paths: reading, source }: Reading,
): CommandFact {
  const anything = (known?: readonly HostFact[]) => unknownKind(parts, argv, context, reading, known);
  const { program, words, where, named: others } = parts;
  const argv = words.map(textOf);
  if (program !== '' && argv.length > 0) argv[0] = program;
  const paths = commandPaths({ program, words, where, others }, reading);
  const local = localProgram(program);
  const classified = classify(argv, parts, context);
  const unread = classified.intent === undefined ? unknownWord(words, local) : classified.unknown;
  const unknown = parts.unknown ?? unread;
  const files = joined(parts.writes, classified.writes);
  if (unknown !== undefined) {
    const kind = destroying(anything(classified.intent?.hosts), parts, files, paths, context);
    return factOf(parts, argv, paths, { ...kind, writes: files, unknown });
  }
  if (classified.intent !== undefined) {
    const known = inPlace(fromClassifier(classified.intent, context), parts, context);
    const told = isFed(classified.intent, source) ? { object: fedObject(argv, source) } : {};
    const kind = destroying(known, parts, files, paths, context);
    return factOf(parts, argv, paths, { ...kind, ...told, writes: files });
  }
  if (local === undefined && isWork(parts, argv, context, reading))
    return factOf(parts, argv, paths, { ...inPlace(WORK, parts, context), writes: parts.writes });
  if (local === undefined) {
    const told = isFed(undefined, source) ? { object: fedObject(argv, source) } : {};
    return factOf(parts, argv, paths, { ...anything(), ...told, writes: parts.writes });
  }
  const known = inPlace(describeLocal(local, parts, context, anything), parts, context);
  return factOf(parts, argv, paths, destroying(known, parts, known.writes, paths, context));
}

/** What stands in the workspace and names no other machine: work like its tests. */
const WORK: Kind = {
  effect: 'write',
  reach: 'workspace',
  type: 'code:write',
  risk: 'medium',
  runsCode: true,
};

function isWork(
  parts: CommandParts,
  argv: readonly string[],
  { confinement, workspace, resolvePath }: ShellContext,
  reading: PathReading,
): boolean {
  if (confinement === 'jailed' || !runsOwnFile(parts, workspace, resolvePath)) return false;
  return hostsOfParts(parts, argv, reading).every(({ host }) => OWN_HOST.test(host));
}

/** This machine, by any of its names. */
const OWN_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1?)$/;

const AS_OTHER = /^(?:\S*\/)?(?:sudo|doas|pkexec|run0|su|runuser|gosu|su-exec)\s/;

/**
 * Where a command works that names no path. As another user, mostly root, nothing is the workspace's, and a read is no
 * smaller thing than a write; in a folder outside the workspace, or in one that nobody knows, it works on the machine.
 */
function inPlace<Known extends Kind>(
  kind: Known,
  { via, where }: CommandParts,
  { confinement, workspace }: ShellContext,
): Known {
  if (confinement === 'jailed' || kind.reach === 'remote') return kind;
  if (via.some((text) => AS_OTHER.test(text)))
    return { ...kind, effect: 'write', reach: 'host', risk: kind.risk === 'critical' ? 'critical' : 'high' };
  const isAwayFrom = where.lost || where.likely.some((folder) => isAway(folder, workspace));
  return isAwayFrom ? { ...kind, reach: 'host' } : kind;
}

/** The same where it throws something away: then it has a type of its own, which rules can name. */
function destroying<Known extends Kind>(
  kind: Known,
  { program, words, where }: CommandParts,
  writes: readonly PathFact[],
  paths: readonly NamedPath[],
  { workspace }: ShellContext,
): Known {
  const command = { program, args: words.slice(1), writes, paths, folders: where.known };
  const loss = destruction(command, workspace);
  if (loss === undefined) return kind;
  const risk = kind.risk === 'critical' || kind.reach === 'host' ? 'critical' : 'high';
  return { ...kind, effect: 'write', type: 'custom:destroy', alsoType: kind.type, risk, ...loss };
}

/** Whether the line feeds it something, or may: a file, a text, a here-document. */
function isFed(intent: CliIntent | undefined, source: string): boolean {
  return intent?.readsInput === true || source.includes('<');
}

/** SECURITY: what a program is fed by the line is part of what it is given, so that a yes to one covers no other. */
function fedObject(argv: readonly string[], source: string): string {
  return `${argv.join(' ')} with input ${createHash('sha256').update(source).digest('hex').slice(0, 32)}`;
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
  | 'alsoType'
  | 'effect'
  | 'guarded'
  | 'hosts'
  | 'loses'
  | 'object'
  | 'operation'
  | 'ownCredentials'
  | 'reach'
  | 'repo'
  | 'request'
  | 'risk'
  | 'runsCode'
  | 'secrets'
  | 'type'
  | 'unknown'
  | 'unknownHosts'
  | 'writes';
/** SECURITY: a member that `factOf` does not write would be lost without a word. With one, no call of it compiles. */
type Forgotten = Record<Exclude<keyof Described, Written | OfTheDoor>, never>;
/** What the SSH door alone finds: a command that runs here has no such thing. */
type OfTheDoor = 'trap';

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
  const { hosts, object, operation, ownCredentials, repo, request, runsCode, unknown, unknownHosts } =
    described;
  const { alsoType, guarded, loses, secrets } = described;
  const fact: { -readonly [Key in keyof CommandFact]?: CommandFact[Key] } =
    alsoType === undefined ? { argv } : { alsoType, argv };
  fact.effect = described.effect;
  if (guarded !== undefined) fact.guarded = guarded;
  if (hosts !== undefined) fact.hosts = hosts;
  if (loses !== undefined) fact.loses = loses;
  if (object !== undefined) fact.object = object;
  if (operation !== undefined) fact.operation = operation;
  if (ownCredentials !== undefined) fact.ownCredentials = ownCredentials;
  if (paths.length > 0) fact.paths = paths;
  fact.program = program;
  fact.reach = described.reach;
  if (repo !== undefined) fact.repo = repo;
  if (request !== undefined) fact.request = request;
  fact.risk = described.risk;
  if (runsCode !== undefined) fact.runsCode = runsCode;
  if (secrets !== undefined) fact.secrets = secrets;
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
  const does = local.doesWith?.(args) ?? local.does;
  const kind = does === 'read' && writes.length > 0 ? LOCAL.write : LOCAL[does];
  // In a jail the machine is its own.
  if (kind.reach === 'host' && context.confinement === 'jailed') return { ...ANYTHING.jailed, writes };
  return { ...kind, writes };
}

function fromClassifier(
  intent: CliIntent,
  { confinement }: ShellContext,
): Omit<CommandFact, 'program' | 'argv' | 'text' | 'writes'> {
  const { effect, reach, type, risk, operation, object, hosts, unknownHosts, runsCode, repo, request } =
    intent;
  const shared = {
    effect,
    type,
    risk,
    ...(operation === undefined ? {} : { operation }),
    ...(object === undefined ? {} : { object }),
    ...(runsCode === undefined ? {} : { runsCode }),
    ...(request === undefined ? {} : { request }),
  };
  // In a jail the proxy sees the request itself and asks about host and repository there, once. The machine is its own.
  if (confinement === 'jailed')
    return { ...shared, reach: 'workspace', ...(reach === 'host' ? { risk: ANYTHING.jailed.risk } : {}) };
  // SECURITY: what may talk to others does not stay on this machine [GA-13].
  const leaves = hosts !== undefined || unknownHosts !== undefined;
  return {
    ...shared,
    reach: reach === 'host' && leaves ? 'remote' : reach,
    ...(hosts === undefined ? {} : { hosts }),
    ...(unknownHosts === undefined ? {} : { unknownHosts }),
    ...(repo === undefined ? {} : { repo }),
  };
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
