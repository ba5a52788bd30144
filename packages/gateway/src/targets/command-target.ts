import type { Action, CommandFact, CommandTarget, PathFact, RepositoryFact } from '@sallyport/protocol';
import { escapeGlob } from '../shared/glob.ts';
import { joinWords, type Operation } from './operation.ts';
import { type Hosts, NO_HOSTS, never, none, type TargetDefinition } from './target-definition.ts';

/** A shell line, or one argv. */
export const commandTarget: TargetDefinition<CommandTarget> = {
  ruledBy: 'commands',
  namesNothing: false,
  paths: ({ commands }) => collect<PathFact>(commands, writesOf),
  // SECURITY: the files that a command will write are known at best, never all that it will read.
  namesEveryPath: false,
  namedPaths: ({ commands }) => commands.flatMap(({ paths }) => paths ?? []),
  folder: ({ cwd }) => cwd,
  hosts: hostsOfLine,
  domains(target) {
    // SECURITY: a command that names no host goes where nobody knows, and so does one that is local.
    if (target.commands.some(({ hosts = [] }) => hosts.length === 0)) return undefined;
    const { named, unknown } = hostsOfLine(target, 'remote');
    return unknown.length > 0 ? undefined : named.map(({ host }) => host);
  },
  addresses: never,
  account: none,
  repositories: ({ commands }) => collect<RepositoryFact>(commands, repositoriesOf),
  missing: () => 'CommandNotAllowed',
  pattern({ commands }, tool) {
    const [only] = commands;
    if (only === undefined || commands.length > 1 || only.unknown !== undefined) return undefined;
    return escapeGlob(only.program === tool ? only.argv.slice(1).join(' ') : only.text);
  },
  operations: operationsOfLine,
  summary: ({ commands }) => commands.map(({ text }) => text).join(' ; '),
};

const writesOf = ({ writes }: CommandFact): readonly PathFact[] => writes;
const repositoriesOf = ({ repo }: CommandFact): readonly RepositoryFact[] =>
  repo === undefined ? never() : [repo];

/** What the commands have of something. Most have none, and then no list is made. */
function collect<T>(
  commands: readonly CommandFact[],
  partOf: (fact: CommandFact) => readonly T[],
): readonly T[] {
  let found: readonly T[] = never();
  for (const fact of commands) {
    const part = partOf(fact);
    if (part.length > 0) found = found.length === 0 ? part : [...found, ...part];
  }
  return found;
}

/**
 * Hosts of a command count where it reaches out; what a jailed one does outside comes by the proxy or SSH door, and
 * is judged there. Where a program's own settings lead (a remote of the repository, a cloud's API) is not known here,
 * and is neither named nor unknown.
 */
function hostsOfLine({ commands, unknown, hosts }: CommandTarget, reach: Action['reach']): Hosts {
  const isUnread = reach === 'remote' && unknown !== undefined;
  // Most commands are local: no list is made for none.
  if (!isUnread && !commands.some(isRemote)) return NO_HOSTS;
  const remote = commands.filter(isRemote);
  return {
    named: [...remote.flatMap((fact) => fact.hosts ?? []), ...(hosts ?? [])],
    unknown: [
      ...remote.filter(({ unknownHosts }) => unknownHosts === true),
      ...(isUnread ? [undefined] : []),
    ],
  };
}

function isRemote({ reach }: CommandFact): boolean {
  return reach === 'remote';
}

/**
 * Each command of the line, in its order: `cd x && make` and `make && cd x` are two things.
 *
 * SECURITY: of a line with a word that nobody knows before it runs, only the whole can be named [GA-11].
 */
function operationsOfLine({ commands, unknown, cwd }: CommandTarget): readonly Operation[] {
  if (unknown !== undefined || commands.length === 0) return never();
  if (commands.some((fact) => fact.unknown !== undefined || fact.program === '')) return never();
  return commands.map((fact) => {
    const { program, operation, writes } = fact;
    const name = operation === undefined || operation === program ? program : `${program} ${operation}`;
    const files = writes.length === 0 ? '' : ` > ${joinWords(writes.map(({ real }) => real).sort())}`;
    return {
      operation: name,
      object: `${objectOfCommand(fact, cwd)}${files}`,
      ...(operation === undefined && fact.runsCode === true ? { unlisted: true } : {}),
    };
  });
}

/** Between the words of a command and the digest of what the line feeds it. */
const FED = ' with input ';

/** What its parser found; else all of its words, in the folder that they are about. */
function objectOfCommand({ program, argv, object, repo, via }: CommandFact, cwd: string): string {
  if (via !== undefined) {
    const words = object?.includes(FED) === true ? object : joinWords(argv);
    return `${words} by ${joinWords(via)} in ${cwd}`;
  }
  const refs = repo?.refs.map(({ ref }) => ref.replace(/^refs\/heads\//, '')).sort() ?? [];
  // Of a push, repository and refs are all; other programs do more there than move refs.
  if (program === 'git' && repo?.repository !== undefined && refs.length > 0)
    return joinWords([repo.repository, ...refs]);
  return object === '' ? `in ${cwd}` : `${object ?? joinWords(argv)} in ${cwd}`;
}
