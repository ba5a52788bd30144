import type { ActionType } from '@sallyport/protocol';
import { optionTable, optionValues, type ParsedOption, parseArgv } from './argv-parser.ts';
import { AWS_DANGEROUS, AWS_DEPLOYS, AWS_GLOBAL_ROWS, AWS_PLAIN_HOSTS } from './aws-options.ts';
import { withOutfile } from './aws-outfile.ts';
import { classifyS3 } from './aws-s3.ts';
import { returnsSecret } from './aws-secrets.ts';
import { AWS_SERVICES } from './aws-services.ts';
import {
  asUnknown,
  type CliContext,
  type CliIntent,
  readIntent,
  secretIntent,
  unknownVerb,
  writeIntent,
} from './cli-intent.ts';
import { looseWords, shownWord, withObject } from './cli-object.ts';
import { hostFact, withHosts } from './host-text.ts';
import { isInsideCwd } from './output-file.ts';

const GLOBALS = optionTable(AWS_GLOBAL_ROWS);
const STYLE = { abbreviations: true, stopAtPositional: true } as const;
const READ = /^(?:list|describe|get|head|batch-get)(?:-|$)|^wait$/;
const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/;

/** The AWS CLI: service and operation decide. A service that is not in the list may be an alias, so any program. */
export function classifyAws(argv: readonly string[], context: CliContext): CliIntent {
  const before = parseArgv(argv.slice(1), GLOBALS, STYLE);
  const [service, ...afterService] = before.rest;
  if (service === undefined) {
    const onlyVersion = argv.length === 2 && argv[1] === '--version';
    return onlyVersion ? readIntent('workspace', 'custom:cli', 'version') : unknownVerb('aws', undefined);
  }
  const between = parseArgv(afterService, GLOBALS, STYLE);
  const [operation, ...words] = between.rest;
  if (!AWS_SERVICES.has(service) || operation === undefined) return unknownVerb('aws', service);

  const region = [
    ...optionValues(before, '--region'),
    ...optionValues(between, '--region'),
    ...regionsIn(words),
  ].at(-1);
  const judged = judge(service, operation, words, context);
  const chosen = [...before.options, ...between.options];
  const intent = withProfile(withHost(withResource(judged, service, chosen, words), service, region), argv);
  const reason = before.doubts[0] ?? between.doubts[0] ?? danger(argv, context);
  if (reason !== undefined) return asUnknown(intent, reason);
  // SECURITY: a region is part of a host name; `x.evil.test/` as region would send the signature there.
  return region === undefined || REGION.test(region)
    ? intent
    : asUnknown(intent, `\`${region}\` is no region`);
}

/** Options of a call that name what it is done to. */
const NAMES = /^--(?:[a-z0-9-]+-)?(?:names?|ids?|identifiers?|arns?|urls?|bucket|key|stack-set|resources?)$/;

function withResource(
  intent: CliIntent,
  service: string,
  before: readonly ParsedOption[],
  words: readonly string[],
): CliIntent {
  if (intent.unknown !== undefined) return intent;
  const { positionals, options } = looseWords(words);
  // In `s3` options and operands are mixed, and a flag would take an operand for its value.
  if (service === 's3') {
    const buckets = words.filter((word) => word.startsWith('s3://'));
    const others = words
      .filter((word) => !word.startsWith('s3://'))
      .map((name) => ({ name: shownWord(name) }));
    return withObject(intent, [...before, ...others], buckets);
  }
  const named = options.filter(({ name }) => NAMES.test(name));
  return withObject(
    intent,
    [...before, ...options.filter((option) => !named.includes(option))],
    [
      ...positionals,
      ...named.flatMap(({ name, value }) => (value === undefined ? [name] : [`${name}=${value}`])),
    ],
  );
}

/**
 * SECURITY: another profile is other credentials, so even a read with it is asked about. It is one of the user's own, and
 * part of the operation: a yes may stand, and covers no other profile.
 */
function withProfile(intent: CliIntent, argv: readonly string[]): CliIntent {
  if (intent.unknown !== undefined || !argv.some((word) => /^--prof/.test(word))) return intent;
  return {
    ...intent,
    effect: 'write',
    reach: 'remote',
    risk: intent.risk === 'critical' ? 'critical' : 'high',
  };
}

const CUSTOM_READS: ReadonlySet<string> = new Set(['logs tail', 'logs filter-log-events']);

function judge(service: string, operation: string, words: readonly string[], context: CliContext): CliIntent {
  const name = `${service} ${operation}`;
  if (returnsSecret(service, operation, words)) return secretIntent(name);
  if (service === 's3') return classifyS3(operation, words, context);
  // Elsewhere `query` is a language of its own, which may write (`timestream-query`).
  const looksUp = service === 'dynamodb' && (operation === 'query' || operation === 'scan');
  // Commands of the CLI itself that make several calls, all of which look.
  const follows = CUSTOM_READS.has(name);
  if (!READ.test(operation) && !looksUp && !follows)
    return writeIntent('remote', writeType(service, operation), name);
  const intent = readIntent('remote', service === 'dynamodb' ? 'db:query' : 'custom:cli', name);
  return withOutfile(intent, `${service}:${operation}`, words, context);
}

function writeType(service: string, operation: string): ActionType {
  if (AWS_DEPLOYS.has(`${service}:${operation}`)) return 'deploy:production';
  if (service === 'rds' || service === 'redshift' || service === 'docdb') return 'db:admin';
  if (service === 'rds-data' || service === 'redshift-data') return 'db:mutate';
  if (service === 'dynamodb')
    return operation.includes('table') || operation.includes('backup') ? 'db:admin' : 'db:mutate';
  if (service === 'ses' || service === 'sesv2' || service === 'sns' || service === 'pinpoint')
    return 'comms:external';
  return 'custom:cli';
}

function regionsIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const [name = '', ...value] = word.split('=');
    if (name.length < 4 || !'--region'.startsWith(name)) return [];
    return [value.length > 0 ? value.join('=') : (words[index + 1] ?? '')];
  });
}

function withHost(intent: CliIntent, service: string, region: string | undefined): CliIntent {
  if (region === undefined || !REGION.test(region) || !AWS_PLAIN_HOSTS.has(service)) return intent;
  const host = `${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  // Without the option the program goes to the same services, by its own settings: the region makes none of them new.
  return withHosts(
    intent,
    hostFact(host, 443).map((fact) => ({ ...fact, ofProgram: true as const })),
  );
}

function danger(argv: readonly string[], context: CliContext): string | undefined {
  for (const [index, word] of argv.entries()) {
    const [name = ''] = word.split('=');
    for (const [option, reason] of AWS_DANGEROUS) {
      // Every word is looked at, also one that may be a value: rather one question too many.
      if (name.length > 2 && name.startsWith('--') && option.startsWith(name))
        return `\`${option}\` ${reason}`;
    }
    if (name.length > 2 && name !== '--profile' && '--profile'.startsWith(name))
      return '`--profile` in a short form may be another option';
    const file = /fileb?:\/\/(.*)$/s.exec(word)?.[1];
    // Version 1 fetches a value that is an address, unless the option itself is about one.
    const isAddress = /^(?:--[a-z0-9-]+=)?https?:\/\//i.test(word);
    const named = name.startsWith('--') ? name : argv[index - 1];
    if (isAddress && !/ur[il]s?$/.test(named ?? '')) return `\`${word}\` may be fetched and sent on`;
    if (file !== undefined && !isInsideCwd(file, context)) return `\`${word}\` sends a file from elsewhere`;
  }
  return undefined;
}
