import { optionValues } from '../argv-parser.ts';
import type { CliTable } from '../table/cli-table.ts';
import type { Refine } from '../table/read-table.ts';
import type { RowKind } from '../table/row-kinds.ts';
import { scriptKind } from './scripts.ts';

/**
 * Programs that test, check or build what the workspace holds. They run its code and its settings, so their options are
 * not listed: what counts is that no word leads out of it, and the few options below.
 */
const SHOWS = { none: '-h|--help --version' } as const;

export const PYTEST: CliTable = {
  style: { abbreviations: true },
  options: {
    none: `-h|--help -V|--version -v|--verbose -q|--quiet -x|--exitfirst -s -l|--showlocals --co|--collect-only --lf|--last-failed
      --ff|--failed-first --nf|--new-first --sw|--stepwise --pdb --trace --no-header --no-summary --disable-warnings
      --strict-markers --strict-config --pyargs --fixtures --markers --setup-show --cache-clear --no-cov --cov-append`,
    value: `-k -m -n -p -c|--config-file -o|--override-ini --tb --maxfail --rootdir --basetemp --junitxml|--junit-xml --durations
      --log-level --log-cli-level --log-file --ignore --deselect --confcutdir --capture --color --import-mode --cov-report
      --cov-config --cov-fail-under --timeout --dist --report-log --html -W --pastebin -r`,
    maybe: '--cov --numprocesses',
  },
  rows: {},
  bare: 'test',
  help: '-h --help --version',
  texts: '-k -m -W',
  places: '--config-file --rootdir --basetemp --confcutdir',
  outputs: '--junit-xml --log-file --report-log --html',
  traps: { '--pastebin': 'sends the output to a web page', '--pdb --trace': 'waits for somebody who types' },
  responseFiles: true,
};

/** `-p no:x` switches a plug-in off; any other name is loaded. */
export const refinePytest: Refine = ({ parsed }, kind) =>
  optionValues(parsed, '-p').some((name) => /[/\\]|^\./.test(name))
    ? { unknown: '`-p` loads a plug-in' }
    : kind;

export const TSC: CliTable = {
  style: { singleDashLong: true },
  options: {
    none: `-h -help -v -version -all -init -noEmit -watch -w -build -b -strict -skipLibCheck -incremental -pretty -declaration -d
      -sourceMap -showConfig -listFiles -listFilesOnly -traceResolution -diagnostics -extendedDiagnostics -force -f -clean
      -dry -verbose -noEmitOnError -esModuleInterop -allowJs -checkJs -emitDeclarationOnly`,
    value: `-p -project -outDir -outFile -rootDir -target -t -module -m -lib -jsx -baseUrl -declarationDir -tsBuildInfoFile
      -generateTrace -generateCpuProfile -types -typeRoots -moduleResolution -locale`,
  },
  rows: {},
  bare: 'work',
  help: '-h -help -v -version -all',
  raises: { '-noEmit -showConfig -listFilesOnly -dry': 'test' },
  responseFiles: true,
};

export const ESLINT: CliTable = {
  options: {
    none: `-h|--help -v|--version --fix --fix-dry-run --init --env-info --cache --quiet --no-eslintrc --no-inline-config --no-ignore
      --stdin --debug --no-color --color --no-error-on-unmatched-pattern --pass-on-no-patterns --exit-on-fatal-error
      --report-unused-disable-directives --no-warn-ignored --inspect-config`,
    value: `-c|--config --ext --rule --plugin --parser --parser-options --env --global --rulesdir --format -f
      -o|--output-file --max-warnings --cache-location --cache-strategy --ignore-path --ignore-pattern --stdin-filename
      --resolve-plugins-relative-to --print-config --fix-type --flag --concurrency`,
  },
  rows: {},
  bare: 'test',
  help: '-h --help -v --version --env-info',
  raises: { '--fix': 'work' },
  outputs: '--output-file --cache-location',
  texts: '--rule --ignore-pattern --global',
  traps: {
    '--init': 'fetches and runs a package',
    '--inspect-config': 'fetches and starts a server',
    '--resolve-plugins-relative-to --rulesdir': 'loads code from another folder',
  },
};

export const PRETTIER: CliTable = {
  options: {
    none: `-h|--help --version -c|--check -w|--write -l|--list-different --no-config --no-editorconfig --cache -u|--ignore-unknown
      --support-info --with-node-modules --no-error-on-unmatched-pattern --insert-pragma --require-pragma --single-quote
      --no-semi --use-tabs --no-color --color`,
    value: `--config --config-precedence --ignore-path --plugin --parser --stdin-filepath --log-level --print-width --tab-width
      --trailing-comma --prose-wrap --end-of-line --find-config-path --file-info --cache-location --cache-strategy`,
  },
  rows: {},
  bare: 'test',
  help: '-h --help --version --support-info',
  raises: { '--write': 'work' },
};

/** Every other program of that sort, by what it does. */
const OTHERS: Readonly<Partial<Record<RowKind, string>>> = {
  test: `vitest jest mocha ava tap c8 nyc playwright cypress karma jasmine vue-tsc tsd knip depcheck madge publint attw oxlint
    stylelint markdownlint markdownlint-cli2 commitlint cspell xo standard mypy pyright basedpyright flake8 pylint pyflakes
    pycodestyle pydocstyle bandit vulture tox nox coverage ctest golangci-lint staticcheck gotestsum govulncheck revive
    shellcheck hadolint yamllint actionlint tflint rspec rubocop phpunit phpstan behave unittest doctest dialyzer`,
  work: `biome dprint vite webpack rollup esbuild parcel swc tsup rolldown turbo nx lerna rspack next nuxt astro remix gatsby svelte-kit
    tsx ts-node ts-node-esm storybook postcss tailwindcss sass graphql-codegen openapi-typescript typedoc jsdoc
    rimraf husky lint-staged black isort ruff autopep8 yapf autoflake
    pyupgrade sphinx-build mkdocs cython gofmt goimports gofumpt mockgen stringer sqlc buf protoc wire swag rustfmt ninja
    meson bazel bazelisk just task clang-format clang-tidy javac kotlinc scalac sbt gcc g++ clang clang++ cc c++ ld ar rustc
    dotnet-format swiftformat xcodebuild hugo jekyll mdbook pandoc ctags cython3 pre-commit`,
};

/** Traps that these share: none of them needs such an option for its work. */
export const OTHER_CHECKERS: ReadonlyMap<string, CliTable> = new Map(
  Object.entries(OTHERS).flatMap(([kind, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name): readonly [string, CliTable] => [
        name,
        {
          options: SHOWS,
          rows: {},
          // The keys are kinds: the type says so.
          bare: kind as RowKind,
          help: '-h --help --version',
          traps: {
            '--pastebin --upload --record --remote --share': 'sends something elsewhere',
            '-fplugin -specs -wrapper --specs --toolexec -B': 'runs another program',
          },
        },
      ]),
  ),
);

/** `lerna publish`, `nx deploy`, `mkdocs gh-deploy`: the words before the first option say what it does. */
export const refineOther: Refine = ({ words }, kind) => {
  const end = words.findIndex((word) => word.startsWith('-'));
  const named = end < 0 ? words : words.slice(0, end);
  return named.slice(0, 3).some((word) => scriptKind(word, kind) === 'deploy') ? 'deploy' : kind;
};

/** Packages whose program has another name: `npx @biomejs/biome`, `python -m pip`. */
export const PACKAGE_PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['@biomejs/biome', 'biome'],
  ['@playwright/test', 'playwright'],
  ['typescript', 'tsc'],
  ['@tailwindcss/cli', 'tailwindcss'],
  ['@angular/cli', 'ng'],
  ['@redocly/cli', 'redocly'],
  ['@graphql-codegen/cli', 'graphql-codegen'],
  ['@arethetypeswrong/cli', 'attw'],
]);
