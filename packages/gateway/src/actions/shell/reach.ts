import type {
  ActionType,
  CommandFact,
  Confinement,
  Effect,
  HostFact,
  PathFact,
  Reach,
  Risk,
} from '@sallyport/protocol';
import { type CliIntent, hostsInWords } from '../cli/index.ts';
import type { Folders } from './cwd-scope.ts';
import { type LocalProgram, localProgram } from './programs.ts';
import { writesTo } from './redirect-writes.ts';
import type { ShellContext } from './shell-context.ts';
import { literalWord, type Word } from './word.ts';

/** A command with its wrappers taken off, not yet judged. */
export interface CommandParts {
  readonly program: string;
  readonly words: readonly Word[];
  readonly writes: readonly PathFact[];
  readonly folders: Folders;
  readonly unknown: string | undefined;
  readonly via: readonly string[];
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
export function describeCommand(parts: CommandParts, context: ShellContext): CommandFact {
  const argv = [
    parts.program === '' ? (parts.words[0]?.text ?? '') : parts.program,
    ...parts.words.slice(1).map((word) => word.text),
  ];
  const wrappers = parts.via.length === 0 ? {} : { via: parts.via };
  const base = { program: parts.program, argv, text: argv.join(' '), ...wrappers };
  const local = localProgram(parts.program);
  const classified = classify(argv, parts, context);
  const unknown = parts.unknown ?? classified.unknown ?? unknownWord(parts.words.slice(1), local);
  if (unknown !== undefined)
    return {
      ...base,
      ...anything(argv, context, classified.intent?.hosts),
      writes: [...parts.writes, ...classified.writes],
      unknown,
    };
  if (classified.intent !== undefined)
    return {
      ...base,
      ...fromClassifier(classified.intent, context),
      writes: [...parts.writes, ...classified.writes],
    };
  if (local === undefined) return { ...base, ...anything(argv, context), writes: parts.writes };
  return { ...base, ...describeLocal(local, parts, argv, context) };
}

/** What nobody knows, with the hosts that its words name all the same [GA-13]. In a jail the doors see them. */
function anything(
  argv: readonly string[],
  { confinement }: ShellContext,
  known: readonly HostFact[] = [],
): Kind & Pick<CommandFact, 'hosts'> {
  const kind = ANYTHING[confinement];
  if (kind.reach !== 'remote') return kind;
  const hosts = [...known, ...hostsInWords(argv)];
  return hosts.length === 0 ? kind : { ...kind, hosts };
}

/** The same command, which also writes these files. */
export function withWrites(fact: CommandFact, writes: readonly PathFact[]): CommandFact {
  if (writes.length === 0) return fact;
  const kind = fact.type === 'code:read' ? LOCAL.write : {};
  return { ...fact, ...kind, effect: 'write', writes: [...fact.writes, ...writes] };
}

function describeLocal(
  local: LocalProgram,
  parts: CommandParts,
  argv: readonly string[],
  context: ShellContext,
): Kind & { writes: readonly PathFact[]; unknown?: string } {
  const args = parts.words.slice(1);
  const own = writesTo(local.writes?.(args) ?? [], parts.folders, context);
  const writes = [...parts.writes, ...own.writes];
  if (own.problem !== undefined) return { ...anything(argv, context), writes, unknown: own.problem };
  if (local.refuse?.(args) !== undefined) return { ...anything(argv, context), writes };
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
  const folders = parts.folders ?? [context.cwd];
  const [first, ...others] = folders.map((cwd) => context.classifyCli(argv, { cwd, home: context.home }));
  if (first === undefined) return { writes: [] };
  const quotedTilde = parts.words.some((word) => word.quotedTilde);
  const files = writesTo(
    (first.writes ?? []).map(({ given }) => givenWord(given)),
    parts.folders,
    context,
  );
  const expanded = parts.words.find((word) => !word.literal);
  const unknown =
    first.unknown ??
    (expanded === undefined ? undefined : `\`${expanded.text}\` is not known before it runs`) ??
    (quotedTilde ? 'a quoted `~` is not the home folder' : undefined) ??
    (parts.folders === undefined ? 'the folder that it runs in is not known' : undefined) ??
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
function unknownWord(args: readonly Word[], local: LocalProgram | undefined): string | undefined {
  const expansions = local?.expansions ?? 'none';
  if (expansions === 'any') return undefined;
  for (const word of args) {
    if (word.quotedTilde) return 'a quoted `~` is not the home folder';
    if (word.literal) continue;
    const safe =
      expansions === 'prefix' && !word.splits && word.prefix !== '' && !word.prefix.startsWith('-');
    if (!safe) return `\`${word.text}\` is not known before it runs`;
  }
  return undefined;
}
