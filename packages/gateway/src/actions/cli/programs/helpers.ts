import type { CliTable } from '../table/cli-table.ts';

/** Smaller programs that work on what the workspace holds, or look elsewhere: each by its own `--help`. */

/** Delve (1.2x). What it debugs is code of the workspace; a process of the machine, or another machine, is not. */
export const DLV: CliTable = {
  options: {
    none: `-h|--help --allow-non-terminal-interactive --check-go-version --continue --disable-aslr --log
      --only-same-user -c -v|--verbose --headless --accept-multiclient`,
    value:
      '--build-flags --init --log-dest --log-output -r|--redirect --wd --output --tty --backend -l|--listen --api-version',
  },
  rows: {
    look: 'version, help',
    test: 'test',
    work: 'debug, exec, trace, core, replay',
  },
  unknowable: {
    'attach, connect, dap': 'it looks into a process of this machine or of another one',
  },
  places: '--wd --redirect --output',
  traps: {
    '--init': 'runs commands from a file',
    '--build-flags': 'hands options to the compiler',
    '--listen --headless --accept-multiclient --api-version': 'opens a port',
    '--log-dest --tty --backend': 'leads elsewhere',
  },
};

/** goreleaser (2.x): a release is published, a build is not. */
export const GORELEASER: CliTable = {
  options: {
    none: '-h|--help -v|--version --verbose --clean --snapshot --single-target --auto-snapshot -q|--quiet --soft --deprecated',
    value: '-f|--config -p|--parallelism --id -o|--output --timeout --skip',
  },
  rows: {
    look: 'check, healthcheck, jsonschema, completion',
    work: 'build',
    deploy: 'release, continue, publish, announce',
  },
  places: '--config',
  outputs: '--output',
};

/** twine (6.x). */
export const TWINE: CliTable = {
  options: {
    none: '-h|--help --version --no-color --strict --skip-existing --verbose --sign',
    value:
      '-r|--repository --repository-url -u|--username -p|--password --config-file --cert --client-cert -c|--comment',
  },
  rows: { test: 'check', deploy: 'upload, register' },
  where: '--repository --repository-url',
  traps: { '--username --password --config-file --cert --client-cert': 'uses other credentials' },
};

/** jupyter: converting reads and writes notebooks, and runs them with `--execute`; a server is another thing. */
export const JUPYTER: CliTable = {
  options: {
    none: '-h|--help --version --execute --allow-errors --stdout --inplace --clear-output --no-prompt --no-input --debug',
    value: '--to --output --output-dir --template --log-level',
  },
  rows: { look: 'kernelspec list, notebook list, lab list, troubleshoot', work: 'nbconvert, execute, trust' },
  unknowable: {
    'notebook, lab, server, console, qtconsole, labextension, serverextension, kernel, run':
      'a server or a kernel runs whatever it is sent',
  },
  outputs: '--output --output-dir',
  places: '--template',
};

/** npm-check-updates (17 to 19). */
export const NCU: CliTable = {
  options: {
    none: `-h|--help -v|--version -V -u|--upgrade -i|--interactive -g|--global -m|--minimal --peer --pre --deep -d|--doctor
      --jsonAll --jsonUpgraded -l -s --silent --cache --enginesNode --removeRange -w|--workspaces --root --stdin`,
    value:
      '-t|--target -f|--filter -x|--reject --dep --cooldown --format -c|--concurrency --timeout --workspace --loglevel',
  },
  rows: {},
  bare: 'fetch',
  raises: { '--global': 'host' },
  traps: {
    '--doctor --doctorInstall --doctorTest': 'runs installs and tests of its own',
    '--registry --configFilePath --configFileName --packageFile --packageManager --prefix --cwd':
      'leads elsewhere',
  },
};

/** prisma (5 to 7): what touches a database goes where the workspace's settings say. */
export const PRISMA: CliTable = {
  options: {
    none: `-h|--help -v|--version --watch --no-engine --no-hints --sql --check --create-only --skip-generate --skip-seed
      --accept-data-loss --force-reset --force --print --json --exit-code --script --allow-no-models`,
    value: `--schema --config --generator -n|--name --applied --rolled-back --port --browser --from-url --to-url
      --from-schema-datamodel --to-schema-datamodel --from-migrations --to-migrations --shadow-database-url --url --file --output`,
  },
  rows: {
    look: 'version, validate, debug',
    edit: 'format, init',
    work: 'generate',
    query: 'migrate status, db pull, migrate diff',
    mutate: 'db seed, migrate resolve, migrate dev, db push',
    admin: 'migrate deploy, migrate reset, db execute',
  },
  unknowable: { studio: 'it opens a server on the database', platform: 'it talks to an account' },
  places: '--schema --config --file',
  outputs: '--output',
  where: '--url --from-url --to-url --shadow-database-url',
};

/** stern (1.3x): the logs of several pods. */
export const STERN: CliTable = {
  options: {
    none: `-h|--help -v|--version -A|--all-namespaces -t|--timestamps --no-follow --only-log-lines --init-containers
      --ephemeral-containers --diff-container -p|--prompt`,
    value: `-n|--namespace --context --kubeconfig -c|--container -E|--exclude-container -e|--exclude -i|--include -l|--selector
      --field-selector -s|--since --tail --color -o|--output --container-state --max-log-requests --node --timezone
      --template -H|--highlight --exclude-pod`,
  },
  rows: {},
  bare: 'ask',
  where: '--namespace --context',
  traps: { '--kubeconfig --config': 'takes settings from another file', '--template-file': 'reads a file' },
};
