import { optionTable, type ParsedOption, parseArgv } from './argv-parser.ts';
import {
  asUnknown,
  type CliContext,
  type CliIntent,
  readIntent,
  secretIntent,
  unknownVerb,
  writeIntent,
} from './cli-intent.ts';
import { looseWords, withObject } from './cli-object.ts';
import { GCLOUD_INNER_GROUPS, GCLOUD_ROOT_GROUPS } from './gcloud-groups.ts';

/** Flags of every command. Only these are understood before the verb. */
const GLOBALS = optionTable({
  none: '-h|--help --log-http -q|--quiet --user-output-enabled --no-user-output-enabled --version',
  value: `--access-token-file --account --billing-project --configuration --flags-file --flatten --format
    --impersonate-service-account --project --trace-token --verbosity`,
});

const DANGEROUS: ReadonlyMap<string, string> = new Map([
  ['--access-token-file', 'uses other credentials'],
  ['--account', 'uses other credentials'],
  ['--impersonate-service-account', 'acts as someone else'],
  ['--configuration', 'uses another configuration'],
  ['--flags-file', 'takes flags from a file'],
  ['--log-http', 'prints requests'],
  ['--trace-token', 'copies requests elsewhere'],
  ['--credential-file-override', 'uses other credentials'],
]);

const SECRETS =
  /^(?:access|print-(?:access|identity)-token|print-settings|config-helper|decrypt|raw-decrypt|asymmetric-decrypt|get-credentials|get-key-string|get-auth-string|generate-login-token|fetch-read(?:-write)?-token|reset-windows-password|sign-(?:url|blob|jwt)|ssh|scp|ssh-to-serial-port|connect-to-serial-port|start-iap-tunnel|config-ssh|application-default|create-cred-config|login|activate-service-account|interactive|docker)$/;
const DEPLOYS: ReadonlySet<string> = new Set('deploy replace rollout promote set-iam-policy'.split(' '));
/** Words that are a verb everywhere; any other word that is no group is an unknown one. */
const WRITES: ReadonlySet<string> = new Set(
  'create delete update deploy set enable disable add remove patch import export start stop reset restart run'.split(
    ' ',
  ),
);

/** gcloud: `list` and `describe` of known groups are reads. */
export function classifyGcloud(argv: readonly string[], context: CliContext): CliIntent {
  const path: string[] = [];
  let rest = argv.slice(1);
  let doubt: string | undefined;
  const before: ParsedOption[] = [];
  for (;;) {
    const parsed = parseArgv(rest, GLOBALS, { stopAtPositional: true });
    doubt ??= parsed.doubts[0];
    before.push(...parsed.options);
    const [word, ...more] = parsed.rest;
    if (word === undefined) return bare(argv, path);
    path.push(word);
    rest = more;
    if (!isGroup(path)) break;
  }
  const intent = withResource(judge(path), before, rest, context);
  const reason = doubt ?? danger(argv);
  return reason === undefined ? intent : asUnknown(intent, reason);
}

/** The names behind the verb, in the project, region and zone that the words say; else in the current project. */
function withResource(
  intent: CliIntent,
  before: readonly ParsedOption[],
  rest: readonly string[],
  context: CliContext,
): CliIntent {
  if (intent.unknown !== undefined) return intent;
  const { positionals, options } = looseWords(rest);
  const all = [...before, ...options];
  const current = all.some(({ name }) => name === '--project') ? undefined : context.settingOf?.('gcloud');
  return withObject(
    intent,
    current === undefined ? all : [...all, { name: '--project', value: current }],
    positionals,
  );
}

function bare(argv: readonly string[], path: readonly string[]): CliIntent {
  if (argv.length === 2 && argv[1] === '--version') return readIntent('workspace', 'custom:cli', 'version');
  return unknownVerb('gcloud', path.length === 0 ? undefined : path.join(' '));
}

// SECURITY: a word counts as a group only where gcloud has no command of that name, so that
// `gcloud x delete list` is never read as listing.
function isGroup(path: readonly string[]): boolean {
  const [first = '', second = ''] = path;
  if (path.length === 1) return isTrack(first) || GCLOUD_ROOT_GROUPS.has(first);
  if (path.length === 2 && isTrack(first)) return GCLOUD_ROOT_GROUPS.has(second);
  return GCLOUD_INNER_GROUPS.has(path.at(-1) ?? '');
}

function judge(path: readonly string[]): CliIntent {
  const operation = path.join(' ');
  const verb = path.at(-1) ?? '';
  const root = isTrack(path[0]) ? path[1] : path[0];
  if (path.length > 1 && (verb === 'list' || verb === 'describe')) {
    return readIntent(root === 'config' || root === 'auth' ? 'workspace' : 'remote', 'custom:cli', operation);
  }
  if (SECRETS.test(verb) || (path.includes('keys') && verb === 'create')) return secretIntent(operation);
  if (root === 'config') {
    return asUnknown(
      writeIntent('workspace', 'custom:cli', operation),
      '`gcloud config` changes what later commands do',
    );
  }
  if (DEPLOYS.has(verb)) return writeIntent('remote', 'deploy:production', operation);
  // `update-traffic`, `add-iam-policy-binding`: the first part is the verb.
  if (!WRITES.has(verb.split('-')[0] ?? '')) return unknownVerb('gcloud', operation);
  return writeIntent('remote', root === 'sql' ? 'db:admin' : 'custom:cli', operation);
}

function isTrack(word: string | undefined): boolean {
  return word === 'alpha' || word === 'beta' || word === 'preview';
}

function danger(argv: readonly string[]): string | undefined {
  for (const word of argv.slice(1)) {
    const [name = ''] = word.split('=');
    for (const [option, reason] of DANGEROUS) {
      if (name.length > 3 && name.startsWith('--') && option.startsWith(name))
        return `\`${option}\` ${reason}`;
    }
  }
  return undefined;
}
