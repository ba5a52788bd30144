import { type OptionRows, type OptionTable, optionTable } from './argv-parser.ts';

/** `kubectl options`. Only these may stand before the verb: cobra takes the word after any other as its value. */
export const KUBECTL_GLOBALS: OptionRows = {
  none: '-h|--help --disable-compression --insecure-skip-tls-verify --match-server-version --warnings-as-errors',
  value: `--as --as-group --as-uid --as-user-extra --cache-dir --certificate-authority --client-certificate
    --client-key --cluster --context --kubeconfig --kuberc --log-flush-frequency -n|--namespace --password --profile
    --profile-output --request-timeout -s|--server --tls-server-name --token --user --username -v|--v --vmodule`,
};

export const KUBECTL_DANGEROUS: ReadonlyMap<string, string> = new Map([
  ['--kubeconfig', 'names a file that can run programs'],
  ['--kuberc', 'names a file with aliases'],
  ['--token', 'uses other credentials'],
  ['--as', 'acts as someone else'],
  ['--as-group', 'acts as someone else'],
  ['--as-uid', 'acts as someone else'],
  ['--as-user-extra', 'acts as someone else'],
  ['--server', 'sends credentials to another address'],
  ['--cluster', 'sends credentials to another address'],
  ['--user', 'uses other credentials'],
  ['--username', 'uses other credentials'],
  ['--password', 'uses other credentials'],
  ['--client-certificate', 'uses other credentials'],
  ['--client-key', 'uses other credentials'],
  ['--certificate-authority', 'trusts other certificates'],
  ['--tls-server-name', 'trusts other certificates'],
  ['--insecure-skip-tls-verify', 'trusts any certificate'],
  ['--insecure-skip-tls-verify-backend', 'trusts any certificate'],
  ['--cache-dir', 'writes files'],
  ['--profile', 'writes a file'],
  ['--profile-output', 'writes a file'],
  ['--kustomize', 'builds from files and addresses of others'],
]);

const LISTS: OptionRows = {
  none: '-A|--all-namespaces --no-headers --show-kind --show-labels --show-managed-fields -R|--recursive',
  value: `-f|--filename -k|--kustomize -l|--selector --field-selector --chunk-size -o|--output --template --sort-by
    --allow-missing-template-keys`,
};
const table = (rows: OptionRows = {}): OptionTable => optionTable(KUBECTL_GLOBALS, rows);

/** Verbs that only look, with their options. */
export const KUBECTL_READS: ReadonlyMap<string, OptionTable> = new Map([
  [
    'get',
    optionTable(KUBECTL_GLOBALS, LISTS, {
      none: '--ignore-not-found --output-watch-events --server-print -w|--watch --watch-only',
      value: '-L|--label-columns --raw --subresource',
    }),
  ],
  ['describe', optionTable(KUBECTL_GLOBALS, LISTS, { none: '--show-events' })],
  [
    'logs',
    table({
      none: `--all-containers --all-pods -f|--follow --ignore-errors --insecure-skip-tls-verify-backend --prefix
        -p|--previous --timestamps`,
      value: `-c|--container --limit-bytes --max-log-requests --pod-running-timeout -l|--selector --since --since-time
        --tail`,
    }),
  ],
  [
    'top',
    table({
      none: '-A|--all-namespaces --containers --no-headers --show-capacity --sum --use-protocol-buffers',
      value: '--field-selector -l|--selector --sort-by',
    }),
  ],
  ['explain', table({ none: '--recursive', value: '--api-version -o|--output' })],
  [
    'api-resources',
    table({
      none: '--cached --namespaced --no-headers',
      value: '--api-group --categories -o|--output --sort-by --verbs',
    }),
  ],
  ['wait', optionTable(KUBECTL_GLOBALS, LISTS, { none: '--all --local', value: '--for --timeout' })],
  ['api-versions', table()],
  ['version', table({ none: '--client', value: '-o|--output' })],
  ['cluster-info', table()],
  [
    'diff',
    table({
      none: '--force-conflicts --prune -R|--recursive --server-side --show-managed-fields',
      value: '--concurrency --field-manager -f|--filename -k|--kustomize --prune-allowlist -l|--selector',
    }),
  ],
  [
    'events',
    table({
      none: '-A|--all-namespaces --no-headers --show-managed-fields -w|--watch',
      value: '--for --types -o|--output --template --chunk-size --allow-missing-template-keys',
    }),
  ],
  [
    'auth',
    table({
      none: '-A|--all-namespaces --list --no-headers -q|--quiet',
      value: '--subresource -o|--output -f|--filename',
    }),
  ],
  [
    'rollout',
    table({
      none: '-R|--recursive -w|--watch',
      value: '-f|--filename -k|--kustomize --revision -l|--selector --timeout -o|--output',
    }),
  ],
  ['config', table({ none: '--no-headers --raw --minify --flatten', value: '-o|--output' })],
]);

/** What changes a cluster. */
export const KUBECTL_DEPLOYS: ReadonlySet<string> = new Set(
  `apply create delete scale patch set rollout replace edit expose autoscale annotate label taint cordon uncordon drain
  certificate`.split(/\s+/),
);

/** What opens a way into a cluster or copies files. */
export const KUBECTL_INTRUSIONS: ReadonlySet<string> = new Set(
  'exec cp attach port-forward proxy debug run'.split(' '),
);

/** Options of what changes a cluster, for naming what it is done to; with any other the words as a whole are named. */
const CHANGES: OptionRows = {
  none: `--all -R|--recursive --show-managed-fields --save-config --force --overwrite --local --ignore-not-found --now --wait
    --allow-missing-template-keys --server-side --force-conflicts --prune --list --record --windows-line-endings --output-patch
    -A|--all-namespaces --no-headers`,
  value: `-f|--filename -k|--kustomize -o|--output --template -l|--selector --field-selector --timeout --grace-period --validate
    --resource-version --subresource --field-manager --image --port --replicas --current-replicas --name --type --target-port
    --protocol --labels --min --max --cpu-percent --prune-allowlist --patch-file --chunk-size --pod-selector`,
  maybe: '--dry-run --cascade',
};
const OWN_CHANGES: Readonly<Record<string, OptionRows>> = {
  patch: { value: '-p|--patch' },
  drain: { none: '--ignore-daemonsets --delete-emptydir-data --disable-eviction' },
  rollout: { value: '--revision --to-revision' },
  exec: { none: '-i|--stdin -t|--tty -q|--quiet', value: '-c|--container --pod-running-timeout' },
  'port-forward': { value: '--address --pod-running-timeout' },
  cp: { none: '--no-preserve', value: '-c|--container --retries' },
};

export function changeOptions(verb: string): OptionTable {
  return optionTable(KUBECTL_GLOBALS, CHANGES, OWN_CHANGES[verb] ?? {});
}
