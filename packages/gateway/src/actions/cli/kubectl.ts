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
import { withObject } from './cli-object.ts';
import { hostsInText, withHosts } from './host-text.ts';
import {
  changeOptions,
  KUBECTL_DANGEROUS,
  KUBECTL_DEPLOYS,
  KUBECTL_GLOBALS,
  KUBECTL_INTRUSIONS,
  KUBECTL_READS,
} from './kubectl-options.ts';

const GLOBALS = optionTable(KUBECTL_GLOBALS);

/** Verbs where a second word decides, and the second words that only look. */
const SECOND_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['auth', ['can-i', 'whoami']],
  ['rollout', ['status', 'history']],
  ['config', ['current-context', 'get-contexts', 'get-clusters', 'get-users', 'view']],
]);

/** kubectl: looking at anything but secrets is a read. A verb that is not in the tables may be a plug-in. */
export function classifyKubectl(argv: readonly string[], context: CliContext): CliIntent {
  const before = parseArgv(argv.slice(1), GLOBALS, { shortEquals: true, stopAtPositional: true });
  const [verb, ...words] = before.rest;
  if (verb === undefined) return unknownVerb('kubectl', undefined);

  const table = KUBECTL_READS.get(verb);
  const parsed = parseArgv(words, table ?? GLOBALS, { shortEquals: true });
  const read = table === undefined ? judgeWrite(verb, words) : judgeRead(verb, parsed);
  // `-f` takes addresses, too. The options of a write are not listed, so every word is looked at.
  const intent = withHosts(read, words.flatMap(hostsInText));
  // The options of a write are not listed; it is asked about anyway, so only the shared ones count.
  const doubt = before.doubts[0] ?? (table === undefined ? undefined : parsed.doubts[0]);
  // After `--` a word like `--x` is a name; no object has such a name, so it hides what comes next.
  const odd = table !== undefined && parsed.positionals.some((word) => word.startsWith('-'));
  const reason =
    doubt ?? danger(before) ?? danger(parsed) ?? (odd ? 'a name that begins with a dash' : undefined);
  const placed = withKinds(
    intent,
    verb,
    before,
    table === undefined ? parseChange(verb, words) : parsed,
    context,
  );
  return reason === undefined ? placed : asUnknown(placed, reason);
}

function parseChange(verb: string, words: readonly string[]): ParsedArgv {
  return parseArgv(words, changeOptions(verb), { shortEquals: true });
}

/** Verbs whose first operand is a pod unless it says otherwise. */
const OF_PODS: ReadonlySet<string> = new Set(['logs', 'exec', 'attach', 'port-forward', 'debug']);
/** Verbs whose first operand is a node. */
const OF_NODES: ReadonlySet<string> = new Set(['cordon', 'uncordon', 'drain']);

/** What is done to which resources, in which context and namespace. Words that are not understood stay the object. */
function withKinds(
  intent: CliIntent,
  verb: string,
  before: ParsedArgv,
  parsed: ParsedArgv,
  context: CliContext,
): CliIntent {
  if (before.doubts.length > 0 || parsed.doubts.length > 0) return intent;
  const path = intent.operation?.split(' ').length ?? 1;
  const operands = parsed.positionals.slice(path - 1);
  const files = optionValues(parsed, '--filename', '--kustomize').map((file) => `file ${file}`);
  const options = [...before.options, ...parsed.options].filter(
    ({ name }) => name !== '--filename' && name !== '--kustomize',
  );
  const current = options.some(({ name }) => name === '--context')
    ? undefined
    : context.settingOf?.('kubectl');
  return withObject(
    intent,
    current === undefined ? options : [...options, { name: '--context', value: current }],
    [...resourcesIn(verb, operands), ...files],
  );
}

/** `deploy web` and `deploy/web` are one thing. */
function resourcesIn(verb: string, [kind, ...names]: readonly string[]): readonly string[] {
  if (kind === undefined) return [];
  if (kind.includes('/') || kind.includes('=')) return [kind, ...names];
  if (OF_PODS.has(verb)) return [`pod/${kind}`, ...names];
  if (OF_NODES.has(verb)) return [kind, ...names].map((name) => `node/${name}`);
  if (names.length === 0) return [kind];
  return names.map((name) => (/[=/:]|-$/.test(name) ? name : `${kind}/${name}`));
}

function judgeWrite(verb: string, words: readonly string[]): CliIntent {
  const secondWord = words.find((word) => !word.startsWith('-'));
  const operation =
    secondWord !== undefined && /^(?:set|create)$/.test(verb) ? `${verb} ${secondWord}` : verb;
  // `create token` prints a credential of a service account.
  if (verb === 'create' && words.includes('token')) return secretIntent('create token');
  if (KUBECTL_DEPLOYS.has(verb)) return writeIntent('remote', 'deploy:production', operation);
  if (KUBECTL_INTRUSIONS.has(verb)) return secretIntent(verb);
  return unknownVerb('kubectl', verb);
}

function judgeRead(verb: string, parsed: ParsedArgv): CliIntent {
  const [second, ...more] = parsed.positionals;
  const reading = SECOND_WORDS.get(verb);
  if (reading !== undefined) {
    const operation = second === undefined ? verb : `${verb} ${second}`;
    if (second !== undefined && reading.includes(second)) {
      if (verb === 'config')
        return hasOption(parsed, '--raw')
          ? secretIntent(operation)
          : readIntent('workspace', 'custom:cli', operation);
      return mayShowSecrets(parsed, more)
        ? secretIntent(operation)
        : readIntent('remote', 'custom:cli', operation);
    }
    const intent = writeIntent('remote', 'deploy:production', operation);
    // SECURITY: a kubeconfig says where credentials go and which program fetches them.
    return verb === 'config'
      ? asUnknown(intent, `\`kubectl ${operation}\` changes where kubectl goes`)
      : intent;
  }
  if (verb === 'cluster-info' && second !== undefined) return secretIntent('cluster-info dump');
  if (verb === 'diff') return judgeDiff(parsed);
  if (/^(?:get|describe|wait)$/.test(verb) && mayShowSecrets(parsed, parsed.positionals))
    return secretIntent(verb);
  return readIntent('remote', 'custom:cli', verb);
}

/** A file or an address of objects, a raw path, or the word itself in any spelling. */
function mayShowSecrets(parsed: ParsedArgv, resources: readonly string[]): boolean {
  if (hasOption(parsed, '--raw', '--filename')) return true;
  // `secrets`, `secret/x`, `pods,Secrets`, `secrets.v1.`; later words are names unless they hold a slash.
  return resources.some((word, index) =>
    (index === 0 || word.includes('/') ? word.split(',') : []).some((part) => {
      const kind = (part.split('/')[0] ?? '').split('.')[0]?.trim().toLowerCase();
      return kind === 'secret' || kind === 'secrets' || kind === '';
    }),
  );
}

function judgeDiff(parsed: ParsedArgv): CliIntent {
  const intent = readIntent('remote', 'custom:cli', 'diff');
  const elsewhere = optionValues(parsed, '--filename').some((file) => file.includes('://'));
  return elsewhere ? asUnknown(intent, '`--filename` fetches from another address') : intent;
}

function danger(parsed: ParsedArgv): string | undefined {
  for (const { name } of parsed.options) {
    const reason = KUBECTL_DANGEROUS.get(name);
    if (reason !== undefined) return `\`${name}\` ${reason}`;
  }
  return undefined;
}
