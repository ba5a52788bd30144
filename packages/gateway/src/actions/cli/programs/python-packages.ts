import type { CliTable } from '../table/cli-table.ts';
import type { Refine } from '../table/read-table.ts';

const CERTIFICATES = 'trusts other certificates, or none';

/** From `pip help` (pip 23 to 26). */
export const PIP: CliTable = {
  style: { abbreviations: true },
  globals: {
    none: `-h|--help --debug --isolated --require-virtualenv -v|--verbose -V|--version -q|--quiet --no-input --no-cache-dir
      --disable-pip-version-check --no-color --no-python-version-warning`,
    value: `--python --log --keyring-provider --proxy --retries --timeout --exists-action --trusted-host --cert
      --client-cert --cache-dir --use-feature --use-deprecated`,
  },
  options: {
    none: `--no-deps --pre --dry-run --user -U|--upgrade --force-reinstall -I|--ignore-installed --ignore-requires-python
      --no-build-isolation --use-pep517 --check-build-dependencies --break-system-packages --compile --no-compile
      --no-warn-script-location --no-warn-conflicts --prefer-binary --require-hashes --no-clean --no-index -y|--yes
      -o|--outdated -u|--uptodate -l|--local --not-required --exclude-editable --include-editable -f|--files --all --json
      --no-verify`,
    value: `-r|--requirement -c|--constraint -e|--editable -t|--target --platform --python-version --implementation --abi
      --root --prefix --src --upgrade-strategy -C|--config-settings --global-option --build-option --no-binary --only-binary
      --progress-bar --root-user-action --report -i|--index-url --extra-index-url --find-links --path --format --exclude
      -a|--algorithm -d|--dest -w|--wheel-dir --group --index`,
  },
  own: {
    'install, download, wheel, index versions': { value: '-f|--find-links' },
    list: { none: '-e|--editable -l|--local' },
    'config list, config get, config debug': { none: '--user --global --site', value: '--editor' },
  },
  rows: {
    look: `list, show, freeze, check, inspect, debug, hash, help, completion, config list, config get, config debug, cache dir,
      cache info, cache list`,
    ask: 'search, index versions',
    fetch: 'install, download, wheel, lock',
    edit: 'cache remove, cache purge',
    work: 'uninstall',
  },
  unknowable: {
    'config set, config unset, config edit':
      'a setting of pip can name indexes and programs for later commands',
  },
  raises: { '--user --break-system-packages': 'host', '--outdated': 'ask' },
  looksStay: true,
  dry: { option: '--dry-run', as: 'fetch' },
  where: '--index-url --extra-index-url --target --prefix --root --python',
  places: '--target --prefix --root --src --dest --wheel-dir --cache-dir --python --constraint --requirement',
  outputs: '--log --report',
  traps: {
    '--trusted-host --cert --client-cert': CERTIFICATES,
    '--proxy': 'goes by another host',
    '--keyring-provider': 'runs a program for credentials',
    '--config-settings --global-option --build-option': 'hands options to code of others',
    '--editor': 'runs a program',
    '--path': 'looks at another installation',
  },
};

const UV_OPTIONS = {
  none: `-q|--quiet -v|--verbose --offline --no-progress --no-cache -n --no-config -h|--help -V|--version --native-tls
    --system-certs --no-python-downloads --managed-python --no-managed-python`,
  value: '--color --cache-dir --directory --project --config-file --allow-insecure-host --python-preference',
} as const;

export const UV: CliTable = {
  globals: UV_OPTIONS,
  options: {
    none: `--dev --no-dev --only-dev --all-extras --all-groups --no-default-groups --no-editable --inexact --exact --frozen --locked
      --active --no-sync --no-install-project --no-install-workspace --refresh --reinstall -U|--upgrade --isolated
      --no-index --no-build --no-binary --no-build-isolation --no-sources --pre --all-packages --workspace --script
      --raw-sources --no-editable --optional-only --bare --app --lib --package-only --no-readme --no-workspace
      --no-pin-python --seed --clear --allow-existing --system --break-system-packages --user --outdated --universal
      --no-dedupe --invert --show-sizes --no-header --no-annotate --generate-hashes --no-strip-extras --strict --dry-run
      --sdist --wheel --all --no-deps --require-hashes --no-hashes --check --no-emit-project --gui-script --no-project
      --no-env-file --short --output-format-json --installed --only-installed --only-downloads --default -m|--module
      --bump-dry --force`,
    value: `-e|--editable --extra --group --no-group --only-group --with --with-editable --with-requirements --python -p --index --default-index
      -i|--index-url --extra-index-url -f|--find-links --index-strategy --keyring-provider --resolution --prerelease
      --fork-strategy --config-setting -C|--config-settings --exclude-newer --link-mode --upgrade-package -P
      --reinstall-package --refresh-package --package --no-install-package --no-build-package --no-binary-package --tag
      --branch --rev --marker -m --bounds --name --vcs --build-backend --author-from --description -r|--requirements
      --requirement -c|--constraints --constraint -b|--build-constraints --override --overrides -o|--output-file
      --out-dir --format --depth --prune --python-version --python-platform --target --prefix --env-file --from
      --token -t --username -u --password --publish-url --check-url --trusted-publishing --bump --install-dir --mirror
      --exclude --output-format`,
  },
  rows: {
    look: `version, tree, help, pip list, pip show, pip freeze, pip check, pip tree, python list, python find, python dir,
      tool list, tool dir, cache dir, cache size, self version`,
    fetch: `add, sync, lock, export, pip install, pip sync, pip compile, venv, python pin`,
    edit: 'init, cache clean, cache prune, format',
    work: 'remove, build, pip uninstall',
    host: `tool install, tool upgrade, tool uninstall, tool update-shell, python install, python uninstall, python upgrade,
      python update-shell, self update`,
    deploy: 'publish',
    critical: 'auth login, auth logout, auth token, auth dir, generate-shell-completion',
  },
  runs: 'run, tool run',
  raises: { '--system --break-system-packages --user': 'host' },
  dry: { option: '--dry-run', as: 'fetch' },
  where: '--project --directory --index --default-index --index-url --extra-index-url --publish-url --python',
  places:
    '--project --directory --cache-dir --target --prefix --out-dir --install-dir --requirements --constraints',
  outputs: '--output-file',
  texts: '--description',
  traps: {
    '--config-file': 'takes settings from another file',
    '--allow-insecure-host': CERTIFICATES,
    '--keyring-provider': 'runs a program for credentials',
    '--token -t --username -u --password': 'uses other credentials',
    '--config-setting --config-settings': 'hands options to code of others',
    '--env-file': 'sets variables from a file',
    '--with --with-editable --with-requirements --from': 'brings code that runs at once',
  },
};

export const UVX: CliTable = { ...UV, rows: {}, bare: 'code', runs: '.' };

export const POETRY: CliTable = {
  globals: {
    none: `-h|--help -q|--quiet -V|--version --ansi --no-ansi -n|--no-interaction --no-plugins --no-cache -v|--verbose -vv -vvv`,
    value: '-P|--project -C|--directory',
  },
  options: {
    none: `-D|--dev --no-dev --no-root --sync --dry-run --all-extras --all-groups --only-root --compile --lock --no-update
      --regenerate --editable -e --optional --allow-prereleases -l|--latest -o|--outdated -t|--tree --why --top-level -T
      -a|--all --strict -s|--short --next-phase --clean --skip-existing --build -r|--build-now --cert-off --full-path -p|--path
      --src --flat --list --unset --local --json --lock-only --without-hashes --with-credentials --executable`,
    value: `-G|--group --with --without --only -E|--extras --source --python --platform --name --description --author
      --dev-dependency --dependency --license -f|--format --output --username -u --password --cert --client-cert
      --repository --dist-dir -C|--config-settings --priority --readme --markers`,
  },
  rows: {
    look: `show, check, env info, env list, env activate, version, about, help, list, source show, self show,
      self show plugins, cache list, completions`,
    ask: 'search',
    fetch: 'install, add, update, lock, sync, self install, self update',
    edit: 'init, new, cache clear, export',
    work: 'build, remove, env remove, env use',
    code: 'shell',
    deploy: 'publish',
  },
  unknowable: {
    config: 'a setting of poetry can name repositories and credentials for later commands',
    'source add, source remove': 'it changes where packages come from',
    'self add, self remove, self lock, self sync': 'a plug-in runs inside of every later poetry',
  },
  runs: 'run',
  dry: { option: '--dry-run', as: 'work' },
  where: '--directory --project --repository --source',
  places: '--directory --project --dist-dir',
  outputs: '--output',
  texts: '--description --author',
  traps: {
    '--username --password --cert --client-cert --with-credentials': 'uses other credentials',
    '--config-settings': 'hands options to code of others',
  },
};

/** `version` alone shows it, with a number it changes the project. */
export const refinePoetry: Refine = ({ row, parsed }, kind) =>
  row.path === 'version' && parsed.positionals.length > 0 ? 'edit' : kind;

export const refineUv: Refine = ({ row, parsed }, kind) =>
  row.path === 'version' &&
  (parsed.positionals.length > 0 || parsed.options.some(({ name }) => name === '--bump'))
    ? 'edit'
    : kind;
