import type { CliTable } from '../table/cli-table.ts';
import { USUAL_CHECKS, USUAL_SCRIPTS } from './scripts.ts';

/** From `bun --help` (1.x). A first word that is no subcommand is a script or a file. */
export const BUN: CliTable = {
  globals: {
    none: '-h|--help -v|--version --silent --verbose -b|--bun',
    value: '--cwd -c|--config --filter',
  },
  options: {
    none: `--watch --hot -d|-D|--dev|--development --optional --exact -E --production --frozen-lockfile --no-save --force --dry-run -g|--global
      --ignore-scripts --trust --minify --coverage --bail --only --todo --update-snapshots --smol -y|--yes --latest --all
      --recursive --no-cache`,
    value: `-t|--test-name-pattern --timeout --outdir --outfile --target --format --env-file --registry --preload -r -e|--eval
      -p|--print --tag --access --otp --port --rerun-each --reporter`,
  },
  rows: {
    look: 'pm ls, pm bin, pm hash, pm cache, pm whoami, why, help',
    ask: 'outdated, audit, info, pm view',
    fetch: 'install|i, add|a, update, ci, patch, pm migrate',
    edit: 'init, pm trust, pm untrusted, pm pkg',
    work: `run, remove|rm, build, pm pack, ${USUAL_SCRIPTS.replace('build, ', '')}`,
    test: USUAL_CHECKS,
    host: 'link, unlink, upgrade',
    code: 'create|c, repl, exec',
    deploy: 'publish',
  },
  runs: 'x',
  passes: `run, create|c, exec, ${USUAL_SCRIPTS.replace('build, ', '')}`,
  raises: { '--global': 'host' },
  looksStay: true,
  dry: { option: '--dry-run', as: 'work' },
  where: '--registry --cwd --filter --tag --access',
  places: '--cwd --outdir --outfile --env-file --preload',
  traps: {
    '--config': 'takes settings from another file',
    '--eval --print': 'runs code in its words',
    '--otp': 'uses other credentials',
  },
};

export const BUNX: CliTable = { ...BUN, rows: {}, own: {}, passes: '', bare: 'code', runs: '.' };

/** From `deno --help` (2.x). */
export const DENO: CliTable = {
  globals: { none: '-h|--help -V|--version -q|--quiet', value: '-L|--log-level' },
  options: {
    none: `--check --no-check --watch --fix --json --unstable --lock-write --frozen --cached-only --no-lock --no-remote --coverage -r|--reload
      --fail-fast --doc --parallel --ignore-read -A|--allow-all --no-prompt`,
    value:
      '-c|--config --import-map --lock --filter --ext --cert --ignore --rules-tags --reporter --permit-no-files',
    maybe:
      '--allow-read --allow-write --allow-net --allow-env --allow-run --allow-ffi --allow-sys --coverage --reload',
  },
  rows: {
    look: 'info, doc, types, completions, help',
    fetch: 'cache, install, add, update, outdated',
    edit: 'init, fmt, remove, clean',
    work: 'run, task, compile, bundle, serve',
    test: 'test, lint, check, bench, coverage',
    host: 'upgrade, uninstall, jupyter',
    code: 'eval, repl, lsp',
    deploy: 'publish, deploy',
  },
  passes: 'run, task, serve',
  places: '--config --import-map --lock',
  traps: { '--cert': 'trusts other certificates' },
};
