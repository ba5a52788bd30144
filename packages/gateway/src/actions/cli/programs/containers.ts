import { hasOption, type OptionRows, optionValues, type ParsedArgv } from '../argv-parser.ts';
import type { CliContext } from '../cli-intent.ts';
import { isInsideCwd } from '../output-file.ts';
import type { CliTable } from '../table/cli-table.ts';
import type { Refine } from '../table/read-table.ts';

/** From `docker --help` (20 to 29). The engine's socket is this machine: whatever starts, stops or removes asks. */
const RUN_OPTIONS: OptionRows = {
  none: `-d|--detach -i|--interactive -t|--tty --rm --init --privileged --read-only -P|--publish-all --no-healthcheck
    --oom-kill-disable --sig-proxy --disable-content-trust -q|--quiet --use-api-socket --help`,
  value: `--add-host --annotation -a|--attach --blkio-weight --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile --cpu-period
    --cpu-quota -c|--cpu-shares --cpus --cpuset-cpus --cpuset-mems --detach-keys --device --device-cgroup-rule --dns
    --dns-option --dns-search --domainname --entrypoint -e|--env --env-file --expose --gpus --group-add --health-cmd
    --health-interval --health-retries --health-start-period --health-timeout -h|--hostname --ip --ip6 --ipc -l|--label
    --label-file --link --log-driver --log-opt --mac-address -m|--memory --memory-swap --mount --name --net|--network
    --network-alias --oom-score-adj --pid --pids-limit --platform -p|--publish --pull --restart --runtime --security-opt
    --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit -u|--user --userns --uts -v|--volume
    --volume-driver --volumes-from -w|--workdir`,
};
const BUILD_OPTIONS: OptionRows = {
  none: `--no-cache --pull -q|--quiet --rm --force-rm --compress --squash --push --load --debug -D|--detailed --check --print
    --no-cache-filter-all --help`,
  value: `--add-host --build-arg --build-context --cache-from --cache-to --cgroup-parent -f|--file --iidfile --label --metadata-file
    --memory -m --network --platform --progress --secret --security-opt --shm-size --ssh -t|--tag --target --ulimit
    -o|--output --allow --attest --annotation --builder --call --provenance --sbom --set --no-cache-filter`,
};
const WRITES_ELSEWHERE = 'trusts or runs what is not in the build';

export const DOCKER: CliTable = {
  style: { shortEquals: true },
  globals: {
    none: '-D|--debug --tls --tlsverify -v|--version --help',
    value: '--config -c|--context -H|--host -l|--log-level --tlscacert --tlscert --tlskey',
  },
  options: {
    none: `-a|--all --no-trunc -q|--quiet -s|--size --latest --digests --tree --details --follow -t|--timestamps
      --no-stream --disable-content-trust --all-tags --human --force --volumes --link-local --cluster -L|--follow-link
      --archive -i|--input-stdin --no-resolve --pretty --raw --no-prune --verbose --orphans`,
    value: `-f|--filter --format -n|--last|--tail --since --until --type --platform -o|--output --limit -u|--username -p|--password
      --time --signal --change -m|--message --author --driver --label --opt --name --subnet --gateway --ip-range
      --attachable --scope --orchestrator`,
    maybe: '--password-stdin --pause',
  },
  own: {
    'run, create, container run, container create': RUN_OPTIONS,
    'exec, container exec': RUN_OPTIONS,
    'build, image build, buildx build, builder build, buildx bake': BUILD_OPTIONS,
    'logs, container logs, service logs': {
      none: '-f|--follow -t|--timestamps --details',
      value: '-n|--tail --since --until',
    },
    'inspect, container inspect, image inspect, network inspect, volume inspect, context inspect, node inspect, service inspect, secret inspect, config inspect, plugin inspect':
      { none: '-s|--size -v|--verbose', value: '-f|--format --type' },
    'rm, container rm, rmi, image rm, volume rm, network rm': {
      none: '-f|--force -l|--link -v|--volumes --no-prune',
    },
    'system df': { none: '-v|--verbose' },
    'ps, container ls': { none: '-l|--latest', value: '-n|--last' },
    'push, pull, image pull, image push': { none: '-a|--all-tags' },
    'stop, restart, kill, container stop, container restart, container kill': {
      value: '-t|--time --timeout -s|--signal',
    },
    'system prune, image prune, container prune, volume prune, network prune, builder prune': {
      none: '-f|--force -a|--all --volumes',
    },
  },
  rows: {
    look: `ps, images, logs, inspect, top, port, diff, history, stats, events, version, info, wait, help, container ls|ps|list,
      container inspect, container logs, container top, container port, container diff, container stats, container wait,
      image ls|list, image inspect, image history, volume ls|list, volume inspect, network ls|list, network inspect, system df,
      system info, system events, context ls|list, context show, context inspect, buildx ls, buildx du, buildx inspect,
      buildx version, buildx history, plugin ls|list, plugin inspect, node ls|list, node ps, node inspect, service ls|list,
      service ps, service inspect, service logs, stack ls|list, stack ps, stack services, stack config, secret ls|list,
      secret inspect, config ls|list, config inspect, checkpoint ls, trust inspect, save, image save, export,
      container export, sbom, scout quickview, model ls|list`,
    ask: `search, manifest inspect, buildx imagetools inspect, scout cves, scout recommendations, scout compare`,
    fetch: 'pull, image pull, model pull',
    edit: 'tag, image tag, init, builder prune, buildx prune',
    work: 'build, image build, buildx build, builder build, buildx bake',
    host: `compose, run, create, start, stop, restart, kill, pause, unpause, exec, rm, rmi, rename, update, attach, cp, commit, load, import,
      container run, container create, container start, container stop, container restart, container kill,
      container pause, container unpause, container exec, container rm, container rename, container update,
      container attach, container cp, container commit, image rm, image load, image import, volume create, volume update,
      network create, network connect, network disconnect, network rm, buildx create, buildx rm, buildx use,
      buildx stop, checkpoint create, checkpoint rm, plugin disable, debug, model run`,
    destroy: `volume rm, system prune, volume prune, image prune, container prune, network prune`,
    stage:
      'push, image push, manifest push, manifest create, manifest annotate, buildx imagetools create, plugin push, model push',
    deploy: `service create, service update, service rm, service scale, service rollback, stack deploy|up, stack rm|down, swarm update,
      node update, node rm, node promote, node demote`,
    critical: `login, logout, secret create, secret rm, config create, config rm, swarm init, swarm join, swarm join-token, swarm leave,
      swarm unlock, swarm unlock-key, swarm ca, plugin install, plugin create, plugin enable, plugin set, plugin upgrade,
      plugin rm, trust sign, trust revoke, trust key generate, trust key load, trust signer add, trust signer remove`,
  },
  nests: 'compose',
  images: true,
  unknowable: {
    'context use, context create, context update, context import, context rm, context export':
      'it changes which engine later commands talk to',
  },
  help: '--help',
  passes: 'run, create, exec, container run, container create, container exec, debug',
  where: '--context --host --builder --platform --network --privileged',
  places: '--file --env-file --label-file',
  outputs: '--output --iidfile --metadata-file --cidfile',
  texts: '--message --author --filter --format',
  traps: {
    '--config --tlscacert --tlscert --tlskey': 'uses other credentials',
    '--host': 'talks to another engine',
    '--privileged --cap-add --device --device-cgroup-rule --security-opt --use-api-socket --runtime --cgroup-parent':
      'gives it power over this machine',
    '--volumes-from --volume-driver': 'mounts what others keep',
    '--secret --ssh --allow --build-context': WRITES_ELSEWHERE,
    '--cache-to': 'sends the cache elsewhere',
    '--change': 'changes what the image runs',
    '--password --username': 'uses other credentials',
  },
};

const HOST_SPACES = ['--network', '--pid', '--ipc', '--userns', '--uts', '--cgroupns'] as const;

/** What is mounted, and which of this machine's own spaces are shared. */
export const refineDocker: Refine = ({ row, parsed, context }, kind) => {
  if (kind === 'work') {
    if (hasOption(parsed, '--push')) return 'stage';
    const [where = '.'] = parsed.positionals;
    // A folder that another host sends, and whatever its Dockerfile says.
    if (/:\/\/|^git@|^github\.com\//.test(where)) return 'code';
    if (optionValues(parsed, '--network').includes('host'))
      return { unknown: '`--network host` shares this machine' };
    return kind;
  }
  if (!/(?:run|create|exec)$/.test(row.path)) return kind;
  const shared = HOST_SPACES.find((name) =>
    optionValues(parsed, name).some((value) => value === 'host' || value.startsWith('container:')),
  );
  if (shared !== undefined) return { unknown: `\`${shared}\` shares this machine's own` };
  const away = mounts(parsed).find((path) => leaves(path, context));
  return away === undefined ? kind : { unknown: `\`${away}\` of this machine is mounted` };
};

/** Sources of `-v SRC:DST` and `--mount type=bind,source=SRC,…`. */
export function mounts(parsed: ParsedArgv): readonly string[] {
  const volumes = optionValues(parsed, '--volume').flatMap((value) =>
    value.includes(':') ? [value.slice(0, value.indexOf(':'))] : [],
  );
  const binds = optionValues(parsed, '--mount').map(
    (value) => /(?:^|,)(?:source|src)=([^,]*)/.exec(value)?.[1] ?? '',
  );
  return [...volumes, ...binds].filter((path) => path !== '');
}

function leaves(path: string, context: CliContext): boolean {
  // A name without a slash is a volume of the engine.
  return /[/~.$]/.test(path) && !isInsideCwd(path, context);
}

export const COMPOSE: CliTable = {
  style: { shortEquals: true },
  globals: {
    none: '--all-resources --compatibility --dry-run -v|--version -h|--help --verbose --no-ansi',
    value: `-f|--file -p|--project-name --profile --env-file --project-directory --ansi --parallel --progress -H|--host --context
      -c`,
  },
  options: {
    none: `-a|--all -q|--quiet --no-trunc --services --images --hash --volumes --orphans --no-color --no-log-prefix -t|--timestamps
      --follow --resolve-image-digests --no-interpolate --no-normalize --no-path-resolution --no-consistency --environment
      --variables --networks --no-env-resolution --dry-run -d|--detach --build --no-build --force-recreate --no-recreate
      --no-deps --remove-orphans --wait -V --no-start --abort-on-container-exit --attach-dependencies --menu --watch
      --no-cache --pull-always --with-dependencies --push --ignore-buildable --ignore-pull-failures --include-deps --quiet-pull
      --privileged --rm -i|--interactive -T|--no-TTY --service-ports --use-aliases -s|--stop --force -y|--yes --print
      --lock-image-digests --quiet-build --json`,
    value: `--format --status --filter --tail -n --since --until --index --protocol -o|--output --scale --timeout --pull
      --exit-code-from --no-attach --attach --wait-timeout --build-arg --builder --memory -m --ssh --rmi --signal --policy
      -e|--env -u|--user -w|--workdir --entrypoint --name -p|--publish -l|--label --volume --cap-add --cap-drop
      --message --author --change --type`,
  },
  own: {
    logs: { none: '-f|--follow' },
    down: { none: '-v|--volumes', value: '-t|--timeout' },
    'up, stop, restart': { value: '-t|--timeout' },
    run: { value: '-v|--volume' },
    rm: { none: '-f|--force -v|--volumes' },
    exec: { none: '-d|--detach' },
  },
  rows: {
    look: 'ps, logs, config|convert, images, ls, top, port, version, events, stats, volumes, wait, help, viz',
    fetch: 'pull',
    work: 'build',
    host: `up, start, stop, restart, run, exec, create, pause, unpause, kill, rm, down, cp, scale, watch, attach, export,
      commit, alpha viz, bridge convert`,
    stage: 'push',
    deploy: 'publish',
  },
  passes: 'run, exec',
  dry: { option: '--dry-run', as: 'look' },
  where: '--project-name --profile --context --host --file',
  places: '--file --env-file --project-directory',
  outputs: '--output',
  traps: {
    '--host': 'talks to another engine',
    '--privileged --cap-add': 'gives it power over this machine',
    '--ssh': WRITES_ELSEWHERE,
  },
};

/** `down -v` deletes what the containers kept. */
export const refineCompose: Refine = ({ row, parsed, context }, kind) => {
  if (/^(?:down|rm)$/.test(row.path) && hasOption(parsed, '--volumes')) return 'destroy';
  if (row.path === 'build' && hasOption(parsed, '--push')) return 'stage';
  const away = mounts(parsed).find((path) => leaves(path, context));
  return away === undefined ? kind : { unknown: `\`${away}\` of this machine is mounted` };
};

export const HELM: CliTable = {
  style: { shortEquals: true },
  globals: {
    none: '--debug -h|--help --kube-insecure-skip-tls-verify',
    value: `--kube-apiserver --kube-as-group --kube-as-user --kube-ca-file --kube-context --kube-tls-server-name --kube-token
      --kubeconfig -n|--namespace --registry-config --repository-cache --repository-config --burst-limit --qps --content-cache`,
  },
  options: {
    none: `-a|--all -A|--all-namespaces --deployed --failed --pending --superseded --uninstalled --uninstalling -q|--short
      --no-headers -r|--reverse -d|--date --show-resources --show-desc --devel --versions -l --regexp --strict --with-subcharts
      --quiet --include-crds --skip-tests --skip-crds --no-hooks --validate --is-upgrade --release-name --dependency-update
      --skip-refresh --verify --untar --prov --plain-http --insecure-skip-tls-verify --pass-credentials --client
      --atomic --wait --wait-for-jobs --install -i --force --reset-values --reuse-values --reset-then-reuse-values
      --create-namespace --cleanup-on-fail --render-subchart-notes --disable-openapi-validation --replace
      --generate-name -g --keep-history --ignore-not-found --logs --hide-notes --hide-secret --enable-dns --force-update
      --no-update --list-repo-url --fail-on-no-result --recreate-pods --sign --rollback-on-failure --server-side-off`,
    value: `--filter -m|--max --offset --time-format -o|--output --selector --revision -f|--values --set --set-string --set-file
      --set-json --set-literal -s|--show-only --name-template --output-dir --api-versions --kube-version --version --repo
      --username --password --cert-file --key-file --ca-file --keyring --timeout --description --history-max --max-col-width
      -p|--starter --app-version --destination -u|--url --merge --key --passphrase-file --post-renderer
      --post-renderer-args --untardir -L|--labels --cascade --template`,
    maybe: '--dry-run',
  },
  own: {
    'search repo, search hub': { none: '-l|--versions -r|--regexp' },
    pull: { value: '-d|--destination' },
  },
  rows: {
    look: `version, env, repo list|ls, plugin list|ls, search repo, dependency|dep list|ls, completion, help, template, verify`,
    ask: `list|ls, status, history|hist, get all, get values, get manifest, get notes, get hooks, get metadata, show|inspect all,
      show|inspect chart, show|inspect values, show|inspect readme, show|inspect crds, search hub`,
    fetch: 'pull|fetch, repo update|up, dependency|dep build, dependency|dep update|up',
    edit: 'create, package, repo index',
    test: 'lint',
    host: 'repo add, repo remove|rm',
    stage: 'push',
    deploy: 'install, upgrade, rollback, uninstall|un|del|delete, test',
    critical: 'registry login, registry logout',
  },
  unknowable: {
    'plugin install|add, plugin update|up, plugin uninstall|rm|remove':
      'a plug-in is a program that later helm commands run',
  },
  dry: { option: '--dry-run', as: 'ask' },
  where: '--kube-context --namespace --repo --version',
  setting: '--kube-context',
  places: '--output-dir --destination --untardir --starter',
  outputs: '--merge',
  texts: '--description',
  traps: {
    '--post-renderer --post-renderer-args': 'runs a program',
    '--kubeconfig --registry-config --repository-config --repository-cache':
      'takes settings from another file',
    '--kube-apiserver --kube-token --kube-as-user --kube-as-group --kube-ca-file --kube-tls-server-name --username --password --cert-file --key-file --ca-file --pass-credentials':
      'uses other credentials, or sends them elsewhere',
    '--insecure-skip-tls-verify --kube-insecure-skip-tls-verify --plain-http': 'trusts any certificate',
    '--key --keyring --passphrase-file --sign': 'uses a key',
  },
};
