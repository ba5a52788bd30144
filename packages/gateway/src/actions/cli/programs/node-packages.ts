import type { OptionRows } from '../argv-parser.ts';
import type { CliTable } from '../table/cli-table.ts';
import type { Refine } from '../table/read-table.ts';
import { scriptKind, USUAL_CHECKS, USUAL_SCRIPTS } from './scripts.ts';

const RUNS_OTHER = 'names a program that runs scripts';
const OTHER_SETTINGS = 'takes settings from another file, which can name programs';

/** From `npm help config` (npm 11). npm takes every setting of its as an option, for every command. */
const NPM_OPTIONS: OptionRows = {
  none: `-a|--all --allow-same-version --audit --bin-links --commit-hooks --description --desc --dev --diff-name-only --diff-text
    --diff-ignore-all-space --diff-no-prefix --dry-run --engine-strict --expect-results -f|--force --foreground-scripts
    --format-package-lock --fund --git-tag-version -g|--global --if-present --ignore-scripts --include-staged
    --iwr|--include-workspace-root --include-attestations --init-private --install-links --json --legacy-peer-deps --link
    --local -l|--long --offline --omit-lockfile-registry-resolved --optional --package-lock --package-lock-only
    -p|--porcelain|--parseable --prefer-dedupe --prefer-offline --prefer-online --production --progress --provenance
    --readonly|--read-only --rebuild-bundle -S|--save -B|--save-bundle -D|--save-dev -E|--save-exact -O|--save-optional
    --save-peer -P|--save-prod -s|--silent -q|--quiet --verbose -d -n|--no|--no-yes -y|--yes --shrinkwrap
    --sign-git-commit --sign-git-tag --strict-peer-deps --strict-ssl --timing --unicode --update-notifier
    -h|-H|-?|--usage|--help -v|--version --versions --ws|--workspaces --workspaces-update --color
    --dangerously-allow-all-scripts --strict-allow-scripts --bypass-2fa`,
  value: `--_auth --access --allow-scripts --also --audit-level --auth-type --before --browser --ca --cache --cafile
    -c|--call --cert --cidr --cpu --depth --diff --diff-dst-prefix --diff-src-prefix --diff-unified --editor
    --expect-result-count --fetch-retries --fetch-timeout --git --globalconfig --heading --https-proxy --proxy --noproxy
    --include --omit --only --init-author-email --init-author-name --init-author-url --init-license --init-module
    --init-type --init-version --install-strategy --key --libc --local-address -L|--location --lockfile-version
    --loglevel --logs-dir --logs-max --maxsockets -m|--message --min-release-age --node-gyp --node-options --os --otp
    --package --pack-destination -C|--prefix --preid --provenance-file --reg|--registry --replace-registry-host
    --save-prefix --sbom-format --sbom-type --scope --script-shell --searchexclude --searchlimit --searchopts --shell
    --tag --tag-version-prefix --umask --user-agent --userconfig --viewer --which -w|--workspace`,
};

export const NPM: CliTable = {
  // nopt takes shortened names, and `--no-` before each.
  style: { abbreviations: true, negation: true },
  globals: NPM_OPTIONS,
  rows: {
    look: `ls|list|ll|la, explain|why, fund, query, root, prefix, bin, help|hlep, help-search, completion, sbom, find-dupes,
      pkg get, cache ls|list, config|c get, config|c ls|list, get, audit signatures`,
    ask: `view|info|show|v, outdated, search|find|s|se, ping, whoami, doctor, audit, diff, stars, owner|author ls,
      dist-tag|dist-tags ls|list, access list packages, access list collaborators, access get status, team ls, org|ogr ls,
      profile get`,
    fetch: `install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add, ci|ic|clean-install|install-clean|isntall-clean,
      install-test|it, install-ci-test|cit|clean-install-test|sit, update|up|upgrade|udpate|u, dedupe|ddp, prune,
      audit fix`,
    edit: `pkg set, pkg delete, pkg fix, shrinkwrap, cache clean|clear|rm, cache verify, approve-scripts, deny-scripts`,
    work: `run|run-script|rum|urn, start, stop, restart, rebuild|rb, pack, version|verison, uninstall|un|unlink|remove|rm|r,
      init|create|innit`,
    test: 'test|t|tst',
    host: 'link|ln',
    code: 'explore, edit',
    send: 'star, unstar, deprecate, undeprecate',
    deploy: 'publish, dist-tag|dist-tags add, dist-tag|dist-tags rm, stage publish',
    critical: `unpublish, adduser|add-user, login, logout, token list|ls, token create, token revoke|delete|rm, owner|author add,
      owner|author rm, access set, access grant, access revoke, team create, team destroy, team add, team rm,
      org|ogr set, org|ogr rm, profile set, profile enable-2fa, profile disable-2fa, hook add, hook ls, hook rm,
      hook update, trust`,
  },
  unknowable: {
    'config|c set, config|c delete|del|rm, config|c edit, config|c fix, set':
      'a setting of npm can name programs, registries and tokens for later commands',
    'docs|home, repo, bugs|issues': 'it opens a browser',
  },
  runs: 'exec|x',
  raises: { '--global': 'host' },
  looksStay: true,
  dry: { option: '--dry-run', as: 'work' },
  where: '--registry --tag --access --scope --prefix --workspace',
  places: '--prefix --pack-destination --cache --logs-dir --init-module',
  texts: '--message --init-author-name --init-author-url --description',
  traps: {
    '--script-shell --shell --node-gyp --git --editor --viewer --browser': RUNS_OTHER,
    '--userconfig --globalconfig': OTHER_SETTINGS,
    '--node-options': 'loads code into every script',
    '--call': 'runs a line of shell',
    '--package': 'brings code that runs at once',
    '--location': 'installs or sets for the whole machine',
    '--_auth --otp --cert --key': 'uses other credentials',
    '--ca --cafile': 'trusts other certificates',
    '--no-strict-ssl': 'trusts any certificate',
    '--which --dangerously-allow-all-scripts --bypass-2fa': 'switches a safeguard off',
  },
};

export const NPX: CliTable = {
  style: { abbreviations: true, negation: true },
  globals: NPM_OPTIONS,
  options: { value: '-p|--package' },
  rows: {},
  bare: 'code',
  runs: '.',
  traps: NPM.traps ?? {},
  places: '--prefix',
};

/** A script by its name; a package that makes a new project runs its own code. */
export const refineNpm: Refine = ({ row, parsed }, kind) => {
  const [first] = parsed.positionals;
  if (row.path === 'run') return first === undefined ? 'look' : scriptKind(first, kind);
  if (row.path === 'init') return first === undefined ? 'edit' : 'code';
  return kind;
};

export const PNPM: CliTable = {
  style: { negation: true },
  globals: {
    none: `-r|--recursive -w|--workspace-root --aggregate-output --stream --use-stderr --color -s|--silent -h|--help
      -v|--version --parallel --fail-if-no-match --ignore-workspace --yes`,
    value:
      '-C|--dir -F|--filter --filter-prod --loglevel --reporter --test-pattern --changed-files-ignore-pattern',
  },
  options: {
    none: `-D|--dev|--save-dev -P|--prod|--save-prod -O|--save-optional -E|--save-exact --save-peer --save -g|--global --frozen-lockfile
      --prefer-frozen-lockfile --lockfile --lockfile-only --fix-lockfile --force --ignore-scripts --ignore-pnpmfile
      --offline --prefer-offline --optional --hoist --shamefully-hoist --strict-peer-dependencies --resolution-only
      --side-effects-cache --merge-git-branch-lockfiles --latest -L -i|--interactive --workspace --json --long --parseable
      --only-projects --fix --dry-run --git-checks --if-present --reverse --sort --resume-from --report-summary --compatible
      --ignore-registry-errors -c|--shell-mode --no-bail --bail --exclude-peers --prod-only`,
    value: `--registry --lockfile-dir --modules-dir --store-dir --virtual-store-dir --global-dir --child-concurrency
      --network-concurrency --package-import-method --hoist-pattern --public-hoist-pattern --depth --audit-level --access
      --tag --otp --publish-branch --package --allow-build --config --script-shell --node-options --workspace-concurrency
      --pack-destination --out --shell-emulator --format --sort-by`,
  },
  rows: {
    look: `ls|list|ll|la, why, root, bin, licenses ls|list, config|c get, config|c ls|list, store path, store status, help,
      env list|ls, completion, cat-file, cat-index, find-hash`,
    ask: 'outdated, audit, view|info|show, search, ping, whoami, doctor',
    fetch: `install|i, add, update|up|upgrade, fetch, import, dedupe, prune, install-test|it, ci, patch, patch-commit,
      self-update`,
    edit: 'pkg set, pkg get, store prune, approve-builds, ignored-builds, cache list, cache view, cache delete',
    work: `run|run-script, rebuild|rb, pack, version, remove|rm|uninstall|un, unlink, deploy, init, stop, restart,
      ${USUAL_SCRIPTS}`,
    test: USUAL_CHECKS,
    host: 'link|ln, setup, env use, env add, env remove|rm',
    code: 'create, dlx',
    deploy: 'publish, dist-tag add, dist-tag rm',
    critical: 'login, logout, adduser, unpublish, owner, token, access, team',
  },
  unknowable: {
    'config|c set, config|c delete, set':
      'a setting can name programs, registries and tokens for later commands',
    'server start, server stop, server status': 'a server that other projects use',
  },
  passes: `run|run-script, create, dlx, ${USUAL_SCRIPTS}, ${USUAL_CHECKS}`,
  runs: 'exec',
  raises: { '--global': 'host' },
  looksStay: true,
  dry: { option: '--dry-run', as: 'work' },
  where: '--registry --filter --tag --access --dir',
  places:
    '--dir --lockfile-dir --modules-dir --virtual-store-dir --global-dir --store-dir --pack-destination',
  traps: {
    '--script-shell --node-options': RUNS_OTHER,
    '--config': OTHER_SETTINGS,
    '--shell-mode': 'runs a line of shell',
    '--otp': 'uses other credentials',
    '--package --allow-build': 'brings code that runs at once',
  },
};

export const YARN: CliTable = {
  style: {},
  globals: {
    none: '-v|--version -h|--help --silent -s --json --verbose --no-progress',
    value: '--cwd --registry',
  },
  options: {
    none: `-D|--dev -P|--peer -O|--optional -E|--exact -T|--tilde -C|--caret --frozen-lockfile --immutable --immutable-cache
      --check-cache --check-resolutions --inline-builds --mode --production --prod --offline --prefer-offline --force
      --ignore-scripts --ignore-engines --ignore-platform --ignore-optional --non-interactive --pure-lockfile
      --no-lockfile --check-files --flat --har --link-duplicates -A|--all -R|--recursive --peers --latest -i|--interactive
      --cached --prefer-dev --no-bin-links -W|--ignore-workspace-root-check --virtuals --name-only --manifest --dependents`,
    value:
      '--modules-folder --cache-folder --network-timeout --network-concurrency --fields --tag --access --otp --from -F --pattern --depth',
    maybe: '--mode',
  },
  rows: {
    look: `list, why, bin, config get, config list, licenses list, workspaces list, plugin list, plugin runtime, help,
      version check, constraints query, cache dir, cache list, explain, explain peer-requirements`,
    ask: 'outdated, audit, info, npm info, npm whoami, npm audit, npm tag list, owner list, tag list, search',
    fetch: `install, add, up|upgrade|upgrade-interactive, dedupe, import, autoclean, generate-lock-entry,
      patch, patch-commit`,
    edit: 'init, cache clean, constraints, unplug, stage',
    work: `run, remove, pack, rebuild, version, stop, restart, versions, ${USUAL_SCRIPTS}`,
    test: USUAL_CHECKS,
    host: 'link, unlink, global add, global remove, global upgrade, global list, global bin',
    code: 'create, dlx, node',
    deploy: 'publish, npm publish, npm tag add, npm tag remove, tag add, tag remove',
    critical: `login, logout, npm login, npm logout, owner add, owner remove, team create, team destroy, team add,
      team remove, access`,
  },
  unknowable: {
    'config set, config unset, config delete, set version, set resolution, policies set-version':
      'a setting of yarn can name programs and registries for later commands',
    'plugin import, plugin remove': 'a plug-in runs inside of every later yarn',
  },
  bare: 'fetch',
  passes: `run, create, dlx, node, ${USUAL_SCRIPTS}, ${USUAL_CHECKS}`,
  runs: 'exec',
  where: '--registry --cwd --tag --access',
  places: '--cwd --modules-folder --cache-folder',
  traps: {
    '--otp': 'uses other credentials',
    '--no-immutable': 'changes the lock file',
  },
};

/** A script by its name, also where it stands in the place of a subcommand. */
export const refineScripts: Refine = ({ row, parsed }, kind) => {
  if (row.path !== 'run') return kind;
  const [first] = parsed.positionals;
  return first === undefined ? 'look' : scriptKind(first, kind);
};
