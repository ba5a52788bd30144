import {
  hasOption,
  type OptionRows,
  type OptionTable,
  optionTable,
  optionValues,
  type ParsedArgv,
  parseArgv,
} from './argv-parser.ts';
import {
  asUnknown,
  type CliContext,
  type CliIntent,
  readIntent,
  secretIntent,
  unknownVerb,
  writeIntent,
} from './cli-intent.ts';
import { withObject } from './cli-object.ts';
import { isInsideCwd, withOutput } from './output-file.ts';

const GLOBALS = optionTable({ none: '-help|-h -version|-v', value: '-chdir' });
const COMMON = { none: '-no-color -json', value: '-state' } as const;

const PLAN: OptionRows = {
  none: `-destroy -refresh-only -refresh -compact-warnings -detailed-exitcode -input -lock -concise -show-sensitive`,
  value: `-replace -target -exclude -var -var-file -lock-timeout -out -parallelism -generate-config-out -target-file
    -exclude-file`,
};
/** For verbs that write, only what leads elsewhere matters; the rest of their options is not listed. */
const WRITE_OPTIONS = optionTable(COMMON, PLAN, { value: '-chdir -plugin-dir -from-module -backend-config' });
const DANGEROUS: ReadonlyMap<string, string> = new Map([
  ['-plugin-dir', 'says where programs come from'],
  ['-from-module', 'copies from another address'],
  ['-backend-config', 'says where the state is kept'],
]);

/** Verbs that change nothing by themselves, with their options. */
const READS: ReadonlyMap<string, OptionTable> = new Map([
  ['plan', optionTable(COMMON, PLAN)],
  ['validate', optionTable(COMMON, { none: '-no-tests', value: '-test-directory -var -var-file' })],
  ['show', optionTable(COMMON, { none: '-show-sensitive', value: '-plan -var -var-file' })],
  ['output', optionTable(COMMON, { none: '-raw -show-sensitive', value: '-var -var-file' })],
  ['version', optionTable(COMMON)],
  ['providers', optionTable(COMMON, { value: '-test-directory -var -var-file' })],
  ['graph', optionTable(COMMON, { none: '-draw-cycles', value: '-plan -type -module-depth -var -var-file' })],
  ['fmt', optionTable(COMMON, { none: '-list -write -diff -check -recursive' })],
  ['state', optionTable(COMMON, { none: '-show-sensitive', value: '-id -var -var-file' })],
  ['workspace', optionTable(COMMON, { value: '-var -var-file' })],
]);

const SECOND_READS: ReadonlyMap<string, readonly string[]> = new Map([
  ['providers', ['schema']],
  ['state', ['list', 'show']],
  ['workspace', ['list', 'show']],
]);

const DEPLOYS: ReadonlySet<string> = new Set(
  'apply destroy import taint untaint refresh test force-unlock'.split(' '),
);
const OTHERS: ReadonlySet<string> = new Set('init get login logout console'.split(' '));
/**
 * SECURITY: these start the programs that the workspace names (`external` data sources, providers), with the credentials
 * of whoever runs them: what an agent wrote a moment ago. Where they go is for those programs to say. In a jail they are
 * local like every command.
 */
const RUNS_WORKSPACE_CODE: ReadonlySet<string> = new Set(['plan', 'graph', 'providers schema', 'state show']);
/** Options that name a file to read. */
const FILES = ['-var-file', '-state', '-plan', '-target-file', '-exclude-file', '-test-directory'] as const;
const STYLE = { singleDashLong: true } as const;

/** terraform and tofu. */
export function classifyTerraform(argv: readonly string[], context: CliContext): CliIntent {
  const program = argv[0] ?? 'terraform';
  const before = parseArgv(argv.slice(1), GLOBALS, { ...STYLE, stopAtPositional: true });
  const [verb, ...words] = before.rest;
  if (verb === undefined) {
    const plain = argv.length === 2 && hasOption(before, '-v', '-h');
    return plain ? readIntent('workspace', 'custom:cli', 'version') : unknownVerb(program, undefined);
  }
  const table = READS.get(verb);
  const parsed = parseArgv(words, table ?? WRITE_OPTIONS, STYLE);
  const intent = table === undefined ? judgeWrite(program, verb) : judgeRead(verb, parsed, context);
  const placed = withAddresses(intent, before, parsed, context);
  const reason =
    before.doubts[0] ??
    (table === undefined ? undefined : parsed.doubts[0]) ??
    danger(before, parsed, context);
  return reason === undefined ? placed : asUnknown(placed, reason);
}

/** What it is done to: addresses of resources, a plan; in the workspace that is selected. */
function withAddresses(
  intent: CliIntent,
  before: ParsedArgv,
  parsed: ParsedArgv,
  context: CliContext,
): CliIntent {
  if (before.doubts.length > 0 || parsed.doubts.length > 0) return intent;
  const path = intent.operation?.split(' ').length ?? 1;
  const current = context.settingOf?.('terraform');
  const options = [...before.options, ...parsed.options];
  return withObject(
    intent,
    current === undefined ? options : [...options, { name: 'workspace', value: current }],
    parsed.positionals.slice(path - 1),
    PLAN_FILE,
  );
}

/** Where a plan is kept is among the files that the command writes. */
const PLAN_FILE: ReadonlySet<string> = new Set(['-out']);

function judgeWrite(program: string, verb: string): CliIntent {
  if (DEPLOYS.has(verb)) return writeIntent('remote', 'deploy:production', verb);
  if (verb === 'console' || verb === 'login' || verb === 'logout') return secretIntent(verb);
  return OTHERS.has(verb) ? runsWorkspaceCode(verb) : unknownVerb(program, verb);
}

function judgeRead(verb: string, parsed: ParsedArgv, context: CliContext): CliIntent {
  const [second] = parsed.positionals;
  const seconds = SECOND_READS.get(verb);
  const operation = seconds === undefined || second === undefined ? verb : `${verb} ${second}`;
  // SECURITY: these print what is marked sensitive; a name after `output` does so as well.
  const uncovers = hasOption(parsed, '-show-sensitive') || (verb === 'show' && hasOption(parsed, '-json'));
  const names = verb === 'output' && (second !== undefined || hasOption(parsed, '-json', '-raw'));
  if (uncovers || names) return secretIntent(operation);
  if (verb === 'fmt') return judgeFormat(parsed, context);
  if (seconds !== undefined && (second === undefined ? verb !== 'providers' : !seconds.includes(second))) {
    // `state pull` prints the whole state, `state push` replaces it.
    return writeIntent('remote', 'deploy:production', operation);
  }
  const local = verb === 'validate' || verb === 'version' || verb === 'providers';
  const intent = RUNS_WORKSPACE_CODE.has(operation)
    ? runsWorkspaceCode(operation)
    : readIntent(local ? 'workspace' : 'remote', 'custom:cli', operation);
  const files = optionValues(parsed, '-out', '-generate-config-out');
  return files.reduce((held, file) => withOutput(held, file, context), intent);
}

function runsWorkspaceCode(operation: string): CliIntent {
  return { ...writeIntent('remote', 'custom:cli', operation), unknownHosts: true, runsCode: true };
}

function judgeFormat(parsed: ParsedArgv, context: CliContext): CliIntent {
  const onlyLooks = hasOption(parsed, '-check') && !hasOption(parsed, '-write');
  if (onlyLooks) return readIntent('workspace', 'code:read', 'fmt');
  const targets = parsed.positionals.length === 0 ? ['.'] : parsed.positionals;
  const intent = writeIntent('workspace', 'code:write', 'fmt');
  return targets.reduce((held, target) => withOutput(held, target, context), intent);
}

function danger(before: ParsedArgv, parsed: ParsedArgv, context: CliContext): string | undefined {
  for (const { name } of parsed.options) {
    const reason = DANGEROUS.get(name);
    if (reason !== undefined) return `\`${name}\` ${reason}`;
  }
  const places = [...optionValues(before, '-chdir'), ...optionValues(parsed, ...FILES, '-chdir')];
  const away = places.find((place) => !isInsideCwd(place, context));
  return away === undefined ? undefined : `\`${away}\` is outside the working folder`;
}
