import { hasOption, optionValues } from '../argv-parser.ts';
import type { CliTable } from '../table/cli-table.ts';
import type { Refine } from '../table/read-table.ts';

/** From `cargo --list` and `cargo help` (cargo 1.7x to 1.9x), with the plug-ins that most people have. */
export const CARGO: CliTable = {
  globals: {
    none: '-V|--version --list -v|--verbose -q|--quiet --locked --offline --frozen -h|--help',
    value: '--explain --color -C --config -Z',
  },
  options: {
    none: `--workspace --all --lib --bins --examples --tests --benches --all-targets --all-features --no-default-features
      -r|--release --keep-going --ignore-rust-version --no-run --no-fail-fast --doc --open --no-deps
      --document-private-items --dry-run --allow-dirty --no-verify --no-dedupe -d|--duplicates --recursive --dev --build
      --optional --no-optional --default-features --public --no-public -f|--force --no-track --bin-only --allow-staged
      --allow-no-vcs --broken-code --edition --fix --future-incompat-report --timings --vendored --versioned-dirs
      --respect-source-config --no-delete --sync-all --undo -l --check --lib-only --name-only`,
    value: `-p|--package --exclude --bin --example --test --bench -F|--features --target --profile --target-dir --artifact-dir
      --message-format --manifest-path -j|--jobs -i|--invert --prune --depth -e|--edges --charset --format --prefix
      --format-version --filter-platform --precise --git --branch --tag --rev --path --base --registry --rename --limit
      --vers --version --root --index --token --vcs --name --message -a|--add --remove`,
  },
  own: { tree: { value: '-f|--format' }, 'owner, yank': { none: '--undo', value: '-a|--add -r|--remove' } },
  rows: {
    look: `tree, metadata, pkgid, locate-project, version, help, read-manifest, verify-project, report future-incompatibilities,
      config get`,
    ask: 'search, info, outdated, audit, deny check',
    fetch: 'fetch, update, add, generate-lockfile, vendor, upgrade',
    edit: 'new, init, remove|rm, clean, sort',
    work: `build|b, check|c, run|r, doc|d, fmt, fix, clippy, package, rustc, rustdoc, expand, watch, machete, udeps, llvm-cov,
      llvm-lines, bloat, asm, flamegraph, zigbuild, ndk, tauri dev, tauri build, leptos watch, leptos build, xtask,
      component build, hack, msrv, careful, geiger, semver-checks, make`,
    test: 'test|t, bench, nextest run, nextest list, miri test, miri run, insta test, insta review, insta accept, tarpaulin, mutants',
    host: 'install, uninstall, binstall',
    deploy: 'publish, release, yank',
    critical: 'login, logout, owner',
  },
  version: /^\+[\w.-]+$/,
  passes: 'xtask, make, watch',
  help: '-h --help --list',
  dry: { option: '--dry-run', as: 'work' },
  where: '--registry --index --manifest-path --root',
  places: '-C --manifest-path --target-dir --artifact-dir --path --root',
  traps: {
    '--config -Z': 'sets configuration that can name a program',
    '--token': 'uses other credentials',
    '--registry --index': 'goes to another registry',
  },
};

/** From `go help` (Go 1.2x). */
export const GO: CliTable = {
  style: { singleDashLong: true },
  options: {
    none: `-v -x -n -a -i -race -msan -asan -cover -json -short -failfast -c -u -t -d -e -f -m -h -help -deps -test -find -export
      -compiled -versions -retracted -reuse -trimpath -work -modcacherw -benchmem -shuffle -fullpath -linkshared
      -buildvcs -asmflags-all -changed -all -src -cmd -short-doc -cache -testcache -modcache -fuzzcache -diff -fix`,
    value: `-o -p -run -skip -bench -benchtime -count -timeout -parallel -cpu -coverprofile -covermode -coverpkg -cpuprofile
      -memprofile -blockprofile -mutexprofile -trace -outputdir -exec -toolexec -vettool -tags -ldflags -gcflags
      -asmflags -gccgoflags -compiler -installsuffix -pkgdir -buildmode -mod -modfile -overlay -pgo -C -fuzz
      -fuzztime -fuzzminimizetime -list -vet -go -compat -require -droprequire -replace -dropreplace -exclude
      -dropexclude -retract -dropretract -module -toolchain -godebug -use -dropuse -html -func -mode -w -jsonflags`,
  },
  own: {
    list: { none: '-m -u -deps -test -e -find -json', value: '-f -reuse' },
    env: { none: '-json -w -u -changed' },
    'mod edit, work edit': { none: '-fmt -print -json' },
    'mod tidy': { none: '-v -e -x -diff', value: '-go -compat' },
  },
  rows: {
    look: `version, env, list, doc, help, mod graph, mod why, mod verify, work, tool buildid, tool nm, tool objdump, tool addr2line,
      tool covdata`,
    fetch: 'get, mod download, mod tidy, mod vendor, work sync, work vendor',
    edit: 'mod init, mod edit, work init, work use, work edit, clean',
    work: 'build, run, generate, fmt, fix, tool cover, tool pprof, tool trace, tool compile, tool link, tool asm',
    test: 'test, vet, tool vet',
    host: 'install',
    critical: 'telemetry on, telemetry off, telemetry local',
  },
  unknowable: {
    bug: 'it opens a browser',
    tool: 'it runs a tool that nobody names here',
  },
  help: '-h -help',
  passes: 'run, tool pprof',
  where: '-mod -modfile -C -tags',
  places: '-C -modfile -overlay -pkgdir -outputdir',
  outputs: '-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace',
  texts: '-run -skip -bench -tags -f -ldflags -gcflags',
  traps: {
    '-exec -toolexec -vettool': 'runs another program',
    '-overlay': 'puts other files in the place of what is there',
    '-compiler -gccgoflags -installsuffix': 'builds with another compiler',
  },
};

const LINKER = /-ext(?:ld|ldflags|ar)|-I\b|-r\b|-plugin|-linkmode/;

/** `go run x@latest` runs code that nobody has seen; `go env -w` changes what later commands do. */
export const refineGo: Refine = ({ row, parsed }, kind) => {
  if (row.path === 'run' && /[@]|:\/\//.test(parsed.positionals[0] ?? '')) return 'code';
  if (row.path === 'env' && hasOption(parsed, '-w', '-u'))
    return { unknown: '`go env -w` changes what later commands do' };
  if (row.path === 'clean' && hasOption(parsed, '-modcache', '-cache')) return 'edit';
  if (row.path === 'list' && hasOption(parsed, '-m')) return 'ask';
  return optionValues(parsed, '-ldflags', '-gcflags', '-asmflags').some((flags) => LINKER.test(flags))
    ? { unknown: '`-ldflags` names a program that links' }
    : kind;
};

export const refineCargo: Refine = ({ row, parsed, words }, kind) => {
  if (row.path === 'owner' && hasOption(parsed, '--list')) return 'ask';
  if (row.path === 'install' && hasOption(parsed, '--list')) return 'look';
  const runsLine = row.path === 'watch' && words.some((word) => /^(?:-s|--shell|-B|--why)/.test(word));
  return runsLine ? { unknown: '`cargo watch -s` runs a line of shell' } : kind;
};
