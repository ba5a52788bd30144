import { classifyAws } from '../aws.ts';
import {
  asUnknown,
  type CliClassifier,
  type CliContext,
  type CliIntent,
  unknownVerb,
} from '../cli-intent.ts';
import { classifyCurl } from '../curl.ts';
import { classifyGcloud } from '../gcloud.ts';
import { classifyGh } from '../gh.ts';
import { classifyGit } from '../git.ts';
import { withHosts } from '../host-text.ts';
import { classifyKubectl } from '../kubectl.ts';
import { hostsInWords } from '../named-hosts.ts';
import { DATADOG_NOUNS, LINEAR_NOUNS, nounVerbClassifier } from '../noun-verb.ts';
import { tableClassifier } from '../table/read-table.ts';
import { classifyTerraform } from '../terraform.ts';
import { classifyWget } from '../wget.ts';
import { classifyAz } from './azure.ts';
import { classifyCmake, classifyGradle, classifyMake, classifyMaven } from './builders.ts';
import { PACKAGE_PROGRAMS } from './checkers.ts';
import { classifyNode, pythonClassifier } from './interpreters.ts';
import { classifyRedis } from './redis.ts';
import { KNOWN_PROGRAMS } from './registry.ts';
import { classifyRsync, classifyScp, classifySsh } from './remote-shells.ts';
import { classifyMysql, classifyPsql } from './sql-clients.ts';
import { classifySqlite } from './sqlite.ts';

/** No table of verbs exists for these: each of their commands is an unknown write. */
const withoutTable: CliClassifier = (argv) => unknownVerb(argv[0] ?? '', argv[1]);

const BY_TABLE = KNOWN_PROGRAMS.flatMap(({ names, table, refine }) => {
  const [usual = ''] = names;
  const classify = tableClassifier(usual, table, classifyInner, refine);
  return names.map((name) => [name, classify] as const);
});

const classifyPython = pythonClassifier(classifyInner);
const PYTHONS = [
  'python',
  'python2',
  'python3',
  'pypy3',
  ...Array.from({ length: 9 }, (_, at) => `python3.${at + 7}`),
];

const CLASSIFIERS: ReadonlyMap<string, CliClassifier> = new Map<string, CliClassifier>([
  ...BY_TABLE,
  ...PYTHONS.map((name) => [name, classifyPython] as const),
  ...([
    ['aws', classifyAws],
    ['gcloud', classifyGcloud],
    ['gsutil', withoutTable],
    ['bq', withoutTable],
    ['gh', classifyGh],
    ['kubectl', classifyKubectl],
    ['terraform', classifyTerraform],
    ['tofu', classifyTerraform],
    ['curl', classifyCurl],
    ['wget', classifyWget],
    ['git', classifyGit],
    ['make', classifyMake],
    ['gmake', classifyMake],
    ['cmake', classifyCmake],
    ['mvn', classifyMaven],
    ['gradle', classifyGradle],
    ['az', classifyAz],
    ['ssh', classifySsh],
    ['scp', classifyScp],
    ['rsync', classifyRsync],
    ['psql', classifyPsql],
    ['mysql', classifyMysql],
    ['mariadb', classifyMysql],
    ['sqlite3', classifySqlite],
    ['redis-cli', classifyRedis],
    ['valkey-cli', classifyRedis],
    ['node', classifyNode],
    ['nodejs', classifyNode],
    ['datadog', nounVerbClassifier('datadog', DATADOG_NOUNS)],
    ['dog', nounVerbClassifier('dog', DATADOG_NOUNS)],
    ['datadog-ci', nounVerbClassifier('datadog-ci', DATADOG_NOUNS)],
    ['linear', nounVerbClassifier('linear', LINEAR_NOUNS)],
  ] satisfies [string, CliClassifier][]),
]);

/** Commands inside of commands, and no further. */
const DEEPEST = 4;

/** `npx tsc`, `uv run pytest`: the program by its name, or by that of the package that brings it. */
function classifyInner(argv: readonly string[], context: CliContext): CliIntent | undefined {
  const [given = '', ...words] = argv;
  const depth = (context.depth ?? 0) + 1;
  if (depth > DEEPEST) return undefined;
  const bare = given.replace(/(?<=.)@[^/]*$/, '');
  return classifyCli([PACKAGE_PROGRAMS.get(bare) ?? bare, ...words], { ...context, depth });
}

/**
 * What a command would do, from its words; undefined when there is no classifier for the program.
 *
 * `argv[0]` is a base name (`aws`). Never throws: words with a NUL byte, which no program can receive, and a
 * failure inside a classifier are an unknown command.
 */
export function classifyCli(argv: readonly string[], context: CliContext): CliIntent | undefined {
  const program = argv[0] ?? '';
  const classify = CLASSIFIERS.get(program);
  if (classify === undefined) return undefined;
  try {
    const read = classify(argv, context);
    const intent = argv.some((word) => word.includes('\0'))
      ? asUnknown(read, 'a word holds a NUL byte')
      : read;
    return withNamedHosts(intent, argv);
  } catch {
    // SECURITY: an error inside a decision is a refusal to know, never a read.
    return asUnknown(unknownVerb(program, argv[1]), `\`${program}\` could not be read`);
  }
}

/** This machine, by any of its names. */
const OWN_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1?)$/;

/**
 * SECURITY: what a command does with an address is not known, and that it names it is [GA-13]. Code of the workspace
 * that is given the address of another machine goes there.
 */
function withNamedHosts(intent: CliIntent, argv: readonly string[]): CliIntent {
  if (intent.unknown !== undefined || intent.reach === 'host') return withHosts(intent, hostsInWords(argv));
  if (intent.reach !== 'workspace' || intent.runsCode !== true) return intent;
  const others = hostsInWords(argv).filter(({ host }) => !OWN_HOST.test(host));
  return others.length === 0 ? intent : withHosts({ ...intent, reach: 'remote' }, others);
}
