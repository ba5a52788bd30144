import { asUnknown, type CliClassifier, type CliIntent, unknownVerb } from '../cli-intent.ts';
import { shownWord } from '../cli-object.ts';
import { hostsInText, withHosts } from '../host-text.ts';
import { intentOf, type RowKind } from '../table/row-kinds.ts';

/** Groups right under `az`, extensions that most people have included. Any other first word may be an extension. */
export const AZ_GROUPS: ReadonlySet<string> = new Set(
  `account acr ad advisor afd aks ams apim appconfig appservice aro artifacts automation backup batch bicep billing boards bot cache
  capacity cdn cloud cognitiveservices communication confcom config connectedk8s consumption container containerapp cosmosdb
  databricks dataprotection deployment deployment-scripts devops disk disk-access disk-encryption-set dms eventgrid eventhubs
  extension feature functionapp grafana group hdinsight identity image iot k8s-configuration k8s-extension keyvault kusto lab
  lock logic logicapp managed-cassandra managedapp managedservices maps mariadb ml monitor mysql netappfiles network
  notification-hub pipelines policy postgres ppg private-link provider quota redis redisenterprise relay repos reservations
  resource resource-mover restore-point role search security sentinel servicebus serviceconnector sf sig signalr snapshot sql
  ssh sshkey stack staticwebapp storage synapse tag term ts vm vmss webapp webpubsub`.split(/\s+/),
);

const READS =
  /^(?:list|show|get|check|exists|wait|query|summarize|validate|what-if|version|search)$|^(?:list|show|get|check|export-template|preview)-[a-z-]+$/;
const WRITES: ReadonlySet<string> = new Set(
  `create delete update set add remove start stop restart reset enable disable deploy import export move copy upload
  download attach detach assign unassign purge recover restore scale resize redeploy reimage run invoke apply cancel close open
  approve reject merge renew rotate regenerate register unregister up build tag untag lock unlock swap sync link unlink
  upgrade downgrade failover generalize capture convert deallocate patch publish queue send peek clear regenerate-key
  run-command upload-batch download-batch delete-batch copy-batch`.split(/\s+/),
);
const DEPLOYS =
  /^(?:webapp|functionapp|containerapp|aks|deployment|staticwebapp|appservice|stack|pipelines|logicapp)$/;
const SECRET =
  /(?:^| )(?:secret|keys?|connection-string|credentials?|token|sas|password|certificate|cert)(?: |$)|list-keys|list-(?:admin-)?(?:credentials|keys|connection-strings|publishing)|get-(?:access-token|credentials|upgrades-token)|generate-sas|show-connection-string|create-for-rbac|list-publishing|^acr (?:login|credential)|^account (?:clear|set)/;

/** az: every word before the first option names the command; its last one is the verb. */
export const classifyAz: CliClassifier = (argv, context) => {
  const words = argv.slice(1);
  const end = words.findIndex((word) => word.startsWith('-'));
  const path = end < 0 ? words : words.slice(0, end);
  const options = end < 0 ? [] : words.slice(end);
  const [group = '', ...inner] = path;
  const verb = inner.at(-1) ?? '';
  const help = options.includes('--help') || options.includes('-h');
  if (help && (group === '' || AZ_GROUPS.has(group)))
    return intentOf('look', `${path.join(' ')} --help`.trim());
  if (path.length === 0 && words.length === 1 && words[0] === '--version') return intentOf('look', 'version');
  if (group === 'version' && path.length === 1) return intentOf('look', 'version');
  if (group === 'login' || group === 'logout') return intentOf('critical', group);
  const operation = path.join(' ');
  if (!AZ_GROUPS.has(group) || inner.length === 0)
    return unknownVerb('az', operation === '' ? undefined : operation);
  const kind = kindOf(operation, group, verb);
  if (kind === undefined) return unknownVerb('az', operation);
  const { where: said, names } = chosen(options);
  const current = said.some((word) => word.startsWith('--subscription='))
    ? undefined
    : context.settingOf?.('az');
  const where = current === undefined ? said : [...said, `--subscription=${shownWord(current)}`].sort();
  const intent: CliIntent = {
    ...intentOf(kind, [operation, ...where].join(' ')),
    ...(names.length === 0 ? {} : { object: names.join(' ') }),
  };
  const placed = withHosts(intent, options.flatMap(hostsInText));
  const reason =
    trapOf(options) ??
    (operation.startsWith('extension ') && kind !== 'ask' ? 'an extension is a program' : undefined);
  return reason === undefined ? placed : asUnknown(placed, reason);
};

function kindOf(operation: string, group: string, verb: string): RowKind | undefined {
  if (SECRET.test(operation)) return 'critical';
  if (/^role |^ad |^policy |^lock /.test(operation) && !READS.test(verb)) return 'critical';
  if (READS.test(verb)) return 'ask';
  if (!WRITES.has(verb)) return undefined;
  if (verb === 'delete' || verb === 'purge') return 'critical';
  if (/^(?:sql|mysql|postgres|cosmosdb|redis|mariadb)$/.test(group)) return 'admin';
  return DEPLOYS.test(group) ? 'deploy' : 'send';
}

const WHERE: ReadonlyMap<string, string> = new Map([
  ...['-g', '--resource-group'].map((name) => [name, '--resource-group'] as const),
  ...[
    '--subscription',
    '--location',
    '--workspace',
    '--org',
    '--project',
    '--server',
    '--account-name',
    '--vault-name',
  ].map((name) => [name, name] as const),
]);
const NAMES = /^(?:-n|--names?|--ids?|--[a-z-]*-(?:name|id))$/;
const PLAIN = /^(?:-o|--output|--query|--only-show-errors|--verbose|--debug|-y|--yes|--no-wait)$/;

/** Options that choose where, and those that name what it is done to. Whatever else there is belongs to the operation. */
function chosen(options: readonly string[]): {
  readonly where: readonly string[];
  readonly names: readonly string[];
} {
  const where: string[] = [];
  const names: string[] = [];
  for (let at = 0; at < options.length; at += 1) {
    const [name = '', ...attached] = (options[at] ?? '').split('=');
    const values: string[] = attached.length > 0 ? [attached.join('=')] : [];
    while (values.length < 64 && options[at + 1] !== undefined && !(options[at + 1] ?? '').startsWith('-')) {
      at += 1;
      values.push(options[at] ?? '');
    }
    const shown = values.map(shownWord).join(' ');
    const long = WHERE.get(name);
    if (NAMES.test(name)) names.push(shown);
    else if (long !== undefined) where.push(`${long}=${shown}`);
    // SECURITY: an option that is not known to be harmless is part of what was shown, so a yes covers no other value.
    else if (!PLAIN.test(name)) where.push(shown === '' ? name : `${name}=${shown}`);
  }
  return { where: where.sort(), names };
}

function trapOf(options: readonly string[]): string | undefined {
  for (const word of options) {
    if (/^--(?:template-uri|parameters-uri|script-uri)/.test(word))
      return `\`${word}\` is fetched from another address`;
    // SECURITY: what is in a file is not in the words, so a yes would cover whatever stands there later.
    if (/(?:^|=)@./s.test(word)) return `\`${word}\` takes its value from a file`;
  }
  return undefined;
}
