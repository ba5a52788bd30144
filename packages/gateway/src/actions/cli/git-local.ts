import { hasOption, type OptionTable, optionValues, type ParsedArgv, parseArgv } from './argv-parser.ts';
import { asUnknown, type CliContext, type CliIntent, readIntent, writeIntent } from './cli-intent.ts';
import { LOCAL_TABLES as T } from './git-options.ts';
import { towards } from './git-towards.ts';
import { withOutput } from './output-file.ts';

export interface GitReading {
  readonly intent: CliIntent;
  readonly parsed: ParsedArgv;
}
type LocalReader = (words: readonly string[], context: CliContext) => GitReading;

const STYLE = { abbreviations: true, negation: true, digits: true } as const;

export function parseGit(words: readonly string[], table: OptionTable): ParsedArgv {
  return parseArgv(words, table, STYLE);
}

/** Verbs whose options or second verb decide between reading and writing. All are local. */
export const LOCAL_READERS: ReadonlyMap<string, LocalReader> = new Map<string, LocalReader>([
  ['branch', (words) => listOr(words, 'branch', T.branch, BRANCH_CHANGES, BRANCH_LISTS)],
  ['tag', (words) => listOr(words, 'tag', T.tag, TAG_CHANGES, TAG_LISTS)],
  ['stash', (words) => bySecondVerb(words, 'stash', T.stash, ['list', 'show'], 'vcs:commit')],
  ['reflog', readReflog],
  ['notes', (words) => bySecondVerb(words, 'notes', T.plumbing, ['list', 'show', 'get-ref'], 'vcs:commit')],
  ['worktree', readWorktree],
  ['bisect', readBisect],
  ['symbolic-ref', readSymbolicRef],
  ['config', readConfig],
  ['archive', readArchive],
  ['init', readInit],
  ['format-patch', readFormatPatch],
]);

const BRANCH_CHANGES =
  `--delete -D --move -M --copy -C --edit-description --force --unset-upstream --set-upstream
  --set-upstream-to --track --no-track --create-reflog`.split(/\s+/);
const BRANCH_LISTS =
  `--list --show-current --all --remotes --contains --no-contains --merged --no-merged --points-at
  --with --without`.split(/\s+/);
const TAG_CHANGES = `--delete --annotate --edit --sign --force --message --file --local-user --create-reflog
  --trailer`.split(/\s+/);
const TAG_LISTS =
  '--list -n --contains --no-contains --merged --no-merged --points-at --with --without --verify'.split(' ');

function listOr(
  words: readonly string[],
  verb: string,
  table: OptionTable,
  changes: readonly string[],
  lists: readonly string[],
): GitReading {
  const parsed = parseGit(words, table);
  const reads =
    !hasOption(parsed, ...changes) && (parsed.positionals.length === 0 || hasOption(parsed, ...lists));
  return {
    intent: reads ? readIntent('workspace', 'vcs:read', verb) : writeIntent('workspace', 'vcs:branch', verb),
    parsed,
  };
}

function bySecondVerb(
  words: readonly string[],
  verb: string,
  table: OptionTable,
  reads: readonly string[],
  type: 'vcs:commit' | 'vcs:branch',
): GitReading {
  // The second verb must come first: an option before it belongs to the default second verb.
  const second = words[0] ?? '';
  const parsed = parseGit(words, table);
  const operation = /^[a-z-]+$/.test(second) && !second.startsWith('-') ? `${verb} ${second}` : verb;
  const intent = reads.includes(second)
    ? readIntent('workspace', 'vcs:read', operation)
    : writeIntent('workspace', type, operation);
  return { intent, parsed };
}

function readReflog(words: readonly string[]): GitReading {
  const parsed = parseGit(words, T.log);
  const changes = ['expire', 'delete', 'drop', 'write'].some((second) => parsed.positionals.includes(second));
  const intent = changes
    ? writeIntent('workspace', 'vcs:branch', 'reflog')
    : readIntent('workspace', 'vcs:read', 'reflog');
  return { intent, parsed };
}

function readWorktree(words: readonly string[], context: CliContext): GitReading {
  const { intent, parsed } = bySecondVerb(words, 'worktree', T.worktree, ['list'], 'vcs:branch');
  const second = parsed.positionals[0];
  const path =
    second === 'move' ? parsed.positionals[2] : second === 'add' ? parsed.positionals[1] : undefined;
  return { intent: path === undefined ? intent : withOutput(intent, path, context), parsed };
}

function readBisect(words: readonly string[]): GitReading {
  const { intent, parsed } = bySecondVerb(words, 'bisect', T.plumbing, ['log'], 'vcs:branch');
  const plain = 'start good bad new old skip reset next terms log'.split(' ').includes(words[0] ?? '');
  return {
    intent: plain ? intent : asUnknown(intent, '`git bisect` runs a program or a script here'),
    parsed,
  };
}

function readSymbolicRef(words: readonly string[]): GitReading {
  const parsed = parseGit(words, T.plumbing);
  const reads = parsed.positionals.length === 1 && !hasOption(parsed, '--delete');
  const intent = reads
    ? readIntent('workspace', 'vcs:read', 'symbolic-ref')
    : writeIntent('workspace', 'vcs:branch', 'symbolic-ref');
  return { intent, parsed };
}

/** A setting can name a program (`core.pager`, `alias.x`, hooks), so only looking is known. */
function readConfig(words: readonly string[]): GitReading {
  const parsed = parseGit(words, T.config);
  const looks = hasOption(
    parsed,
    '--get',
    '--get-all',
    '--get-regexp',
    '--get-urlmatch',
    '--list',
    '--get-color',
  );
  const [first, second, third] = parsed.positionals;
  const changes = hasOption(
    parsed,
    ...'--replace-all --add --unset --unset-all --rename-section --remove-section --edit --comment'.split(
      ' ',
    ),
  );
  const newForm = (first === 'get' && third === undefined) || (first === 'list' && second === undefined);
  const oneName = first !== undefined && second === undefined && first.includes('.');
  if (!changes && (looks || newForm || oneName))
    return { intent: readIntent('workspace', 'vcs:read', 'config'), parsed };
  const intent = writeIntent('workspace', 'vcs:commit', 'config');
  return { intent: asUnknown(intent, 'a git setting can name a program that later runs'), parsed };
}

function readArchive(words: readonly string[], context: CliContext): GitReading {
  const parsed = parseGit(words, T.archive);
  const remotes = optionValues(parsed, '--remote');
  const reach = remotes.length > 0 ? 'remote' : 'workspace';
  const output = optionValues(parsed, '--output').at(-1);
  const intent =
    output === undefined
      ? readIntent(reach, 'vcs:read', 'archive')
      : withOutput(writeIntent(reach, 'code:write', 'archive'), output, context);
  return { intent: remotes.reduce(towards, intent), parsed };
}

function readInit(words: readonly string[], context: CliContext): GitReading {
  const parsed = parseGit(words, T.init);
  const places = [...parsed.positionals, ...optionValues(parsed, '--separate-git-dir')];
  const intent = writeIntent('workspace', 'vcs:commit', 'init');
  return { intent: places.reduce((held, place) => withOutput(held, place, context), intent), parsed };
}

function readFormatPatch(words: readonly string[], context: CliContext): GitReading {
  const parsed = parseGit(words, T.formatPatch);
  if (hasOption(parsed, '--stdout'))
    return { intent: readIntent('workspace', 'vcs:read', 'format-patch'), parsed };
  const intent = writeIntent('workspace', 'code:write', 'format-patch');
  return {
    intent: withOutput(intent, optionValues(parsed, '--output-directory').at(-1) ?? '.', context),
    parsed,
  };
}
