import type { RefChange, RepositoryFact } from '@sallyport/protocol';
import { hasOption, optionTable, optionValues, type ParsedArgv, parseArgv } from './argv-parser.ts';
import {
  asUnknown,
  type CliContext,
  type CliIntent,
  readIntent,
  secretIntent,
  unknownVerb,
  writeIntent,
} from './cli-intent.ts';
import { repositoryOfFolder, withObject } from './cli-object.ts';
import { classifyGhApi } from './gh-api.ts';
import { ghTalk } from './gh-talk.ts';
import {
  GH_CRITICAL,
  GH_FETCHES,
  GH_MERGE_OPTIONS,
  GH_OBJECT_OPTIONS,
  GH_READ_OPTIONS,
  GH_READS,
  GH_TARGET_OPTIONS,
  GH_WRITES,
} from './gh-verbs.ts';
import { hostFact, hostsInText, withHosts } from './host-text.ts';

const GROUP_OPTIONS = optionTable({ none: '-h|--help', value: '-R|--repo' });
const STYLE = { shortEquals: true } as const;

/** gh: looking is a read. A word that is in no table may be an alias or an extension, so any program. */
export function classifyGh(argv: readonly string[], context: CliContext): CliIntent {
  const [group, ...afterGroup] = argv.slice(1);
  if (group === undefined || group.startsWith('-')) {
    const version = argv.length === 2 && group === '--version';
    return version ? readIntent('workspace', 'custom:cli', 'version') : unknownVerb('gh', group);
  }
  if (group === 'version') return readIntent('workspace', 'custom:cli', 'version');
  if (group === 'api') return classifyGhApi(afterGroup);
  if (group === 'status') return judgeRead('status', afterGroup);

  const between = parseArgv(afterGroup, GROUP_OPTIONS, { ...STYLE, stopAtPositional: true });
  const [verb, ...words] = between.rest;
  const all = [...afterGroup.slice(0, afterGroup.length - between.rest.length), ...words];
  const judged = judge(group, verb, all);
  const intent = verb === undefined ? judged : withThing(judged, group, verb, all, context);
  return between.doubts[0] === undefined ? intent : asUnknown(intent, between.doubts[0]);
}

function judge(group: string, verb: string | undefined, words: readonly string[]): CliIntent {
  const operation = verb === undefined ? group : `${group} ${verb}`;
  if (verb !== undefined && GH_READS.get(group)?.has(verb) === true) return judgeRead(operation, words);
  const fetches = GH_FETCHES.get(operation);
  if (fetches !== undefined) {
    const parsed = parseArgv(words, fetches, STYLE);
    const intent = withHost(fetchIntent(operation), parsed);
    return parsed.doubts[0] === undefined ? intent : asUnknown(intent, parsed.doubts[0]);
  }
  if (operation === 'auth status') {
    const uncovers = words.some((word) => /^-[a-z]*t|^--show-token/.test(word));
    return uncovers ? secretIntent(operation) : readIntent('remote', 'custom:cli', operation);
  }
  if (operation === 'config get' || operation === 'config list') {
    // `gh config get oauth_token` prints the token that older versions keep there.
    const uncovers = words.some((word) => word.includes('token'));
    return uncovers ? secretIntent(operation) : readIntent('workspace', 'custom:cli', operation);
  }
  if (GH_CRITICAL.has(group)) {
    const reason = GH_CRITICAL.get(group);
    return reason === undefined ? secretIntent(operation) : asUnknown(secretIntent(operation), reason);
  }
  if (verb === undefined || GH_WRITES.get(group)?.has(verb) !== true) return unknownVerb('gh', operation);
  return judgeWrite(group, verb, words);
}

/** Code of others comes here, and runs later: more than a read. */
function fetchIntent(operation: string): CliIntent {
  return { ...readIntent('remote', 'code:write', operation), risk: 'medium', runsCode: true };
}

/** Groups that are about a repository: the one that is named, or that of the folder. */
const OF_REPOSITORY: ReadonlySet<string> = new Set(
  'pr issue run workflow release label cache ruleset variable secret'.split(' '),
);
const TEXTS: ReadonlySet<string> = new Set([
  '--title',
  '--body',
  '--comment',
  '--notes',
  '--subject',
  '--search',
]);
const TEXTS_AND_HEAD: ReadonlySet<string> = new Set([...TEXTS, '--head']);

/**
 * What it is done to: repository, then number or name. Where nobody can say which repository that is, and with options
 * that are not listed, the words as a whole stay the object.
 */
function withThing(
  intent: CliIntent,
  group: string,
  verb: string,
  words: readonly string[],
  context: CliContext,
): CliIntent {
  if (intent.unknown !== undefined) return intent;
  const operation = `${group} ${verb}`;
  const table = intent.effect === 'read' ? GH_READ_OPTIONS : GH_OBJECT_OPTIONS.get(operation);
  const parsed = table === undefined ? undefined : parseArgv(words, table, STYLE);
  if (parsed === undefined || parsed.doubts.length > 0) return intent;
  const options = parsed.options.filter(({ name }) => name !== '--repo');
  if (!OF_REPOSITORY.has(group)) return withObject(intent, parsed.options, parsed.positionals, TEXTS);
  // A number may be an address, which names its own repository.
  const isElsewhere = parsed.positionals.some((word) => /:\/\//.test(word));
  const repository = isElsewhere
    ? 'of the address'
    : hasOption(parsed, '--repo')
      ? repositoryOf(parsed)
      : repositoryOfFolder(context);
  if (repository === undefined) return intent;
  const named = withObject(intent, options, [repository, ...parsed.positionals], textsOf(operation, parsed));
  const isTold = hasOption(parsed, '--repo') || !isRedirected(context);
  const repo =
    isElsewhere || !isTold || intent.repo !== undefined ? undefined : ghTalk(operation, parsed, repository);
  return repo === undefined ? named : { ...named, repo };
}

/** SECURITY: `gh repo set-default` leaves another repository than the remote's in git's config [GA-15]. */
function isRedirected({ cwd, repositoryAt }: CliContext): boolean {
  const view = repositoryAt?.(cwd);
  if (view?.kind !== 'known') return true;
  return view.entries.some(({ key, value }) => key === 'gh-resolved' && value !== 'base');
}

/** The branch that a pull request is made from is what it holds, as its texts are; one of another owner is not. */
function textsOf(operation: string, parsed: ParsedArgv): ReadonlySet<string> {
  const isOwn =
    operation === 'pr create' && !optionValues(parsed, '--head').some((head) => head.includes(':'));
  return isOwn ? TEXTS_AND_HEAD : TEXTS;
}

function judgeRead(operation: string, words: readonly string[]): CliIntent {
  const parsed = parseArgv(words, GH_READ_OPTIONS, STYLE);
  const intent = withHost(readIntent('remote', 'custom:cli', operation), parsed);
  if (parsed.doubts[0] !== undefined) return asUnknown(intent, parsed.doubts[0]);
  return hasOption(parsed, '--web') ? asUnknown(intent, '`--web` opens a browser') : intent;
}

function judgeWrite(group: string, verb: string, words: readonly string[]): CliIntent {
  const operation = `${group} ${verb}`;
  const parsed = parseArgv(words, operation === 'pr merge' ? GH_MERGE_OPTIONS : GH_TARGET_OPTIONS, STYLE);
  const refs = refsOf(operation, parsed);
  const base = writeIntent('remote', refs?.area === 'contents' ? 'vcs:push' : 'custom:cli', operation);
  const risky: CliIntent = /delete|^repo (?:archive|edit|rename)$/.test(operation)
    ? { ...base, risk: 'critical' }
    : base;
  const repository = repositoryOf(parsed);
  const repo: RepositoryFact | undefined = refs && {
    ...(repository === undefined ? {} : { repository }),
    ...refs,
  };
  return withHost(repo === undefined ? risky : { ...risky, repo }, parsed);
}

/** What a write does to refs. Options that are not known may hide another ref: then it is `*`. */
function refsOf(operation: string, parsed: ParsedArgv): Pick<RepositoryFact, 'area' | 'refs'> | undefined {
  const unknown: RefChange = { ref: '*', change: 'unknown' };
  const sure = parsed.doubts.length === 0;
  if (operation === 'workflow run') {
    const ref = optionValues(parsed, '--ref').at(-1);
    const plain = ref !== undefined && sure && /^[\w./-]+$/.test(ref);
    return { area: 'actions', refs: [plain ? { ref: headName(ref), change: 'update' } : unknown] };
  }
  if (/^run (?:rerun|cancel|delete)$|^workflow /.test(operation)) return { area: 'actions', refs: [unknown] };
  if (operation === 'repo sync') {
    const branch = optionValues(parsed, '--branch').at(-1);
    const change = hasOption(parsed, '--force') ? 'force' : 'update';
    return {
      area: 'contents',
      refs: [branch !== undefined && sure ? { ref: headName(branch), change } : unknown],
    };
  }
  if (operation === 'release create' || operation === 'release new' || operation === 'release delete') {
    return {
      area: 'contents',
      refs: [{ ref: 'refs/tags/*', change: operation.endsWith('delete') ? 'delete' : 'unknown' }],
    };
  }
  if (/^pr (?:merge|update-branch|revert)$/.test(operation)) {
    const deletes = hasOption(parsed, '--delete-branch') || !sure;
    return { area: 'contents', refs: deletes ? [unknown, { ref: '*', change: 'delete' }] : [unknown] };
  }
  return undefined;
}

function headName(ref: string): string {
  return ref.startsWith('refs/') ? ref : `refs/heads/${ref}`;
}

/** `-R [HOST/]OWNER/REPO`; undefined when it is absent, given twice or written in another way. */
function repositoryOf(parsed: ParsedArgv): string | undefined {
  const given = optionValues(parsed, '--repo');
  const [only = ''] = given;
  const parts = only.split('/');
  if (given.length !== 1 || parts.length > 3 || parts.length < 2 || !/^[\w./-]+$/.test(only))
    return undefined;
  return (parts.length === 2 ? `github.com/${only}` : only).toLowerCase();
}

const OTHER_REPOSITORY = /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)\/[^/]+\/[^/]+$/i;

/** The host of `-R`, and of each address that stands where a number may, or `HOST/OWNER/REPO` where a repository may. */
function withHost(intent: CliIntent, parsed: ParsedArgv): CliIntent {
  const host = repositoryOf(parsed)?.split('/')[0] ?? '';
  const isRepository = intent.operation?.startsWith('repo ') === true;
  const words = parsed.positionals.flatMap((word) => [
    ...(/^https?:\/\/\S+$/i.test(word) ? hostsInText(word) : []),
    ...(isRepository ? hostFact(OTHER_REPOSITORY.exec(word)?.[1] ?? '', 443) : []),
  ]);
  return withHosts(intent, [...hostFact(host, 443), ...words]);
}
