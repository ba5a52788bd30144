import { hasOption, optionTable, optionValues, parseArgv } from '../argv-parser.ts';
import { asUnknown, type CliClassifier, type CliContext, type CliIntent } from '../cli-intent.ts';
import { shownWord } from '../cli-object.ts';
import { awayReason } from '../output-file.ts';
import type { ReadInner } from '../table/read-table.ts';
import { intentOf, type RowKind } from '../table/row-kinds.ts';
import { scriptKind } from './scripts.ts';

/** A script of the workspace: its words are its own, its name may say that it deploys. */
function scriptIntent(program: string, script: string, words: readonly string[], kind: RowKind): CliIntent {
  const name = script.slice(script.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const told = scriptKind(name, kind);
  return {
    ...intentOf(told === 'deploy' ? told : kind, program),
    object: [script, ...words].map(shownWord).join(' '),
  };
}

const NODE_OPTIONS = optionTable({
  none: `-v|--version -h|--help --v8-options --test --watch --watch-preserve-output -c|--check -i|--interactive -p|--print -
    --no-warnings --trace-warnings --trace-deprecation --throw-deprecation --no-deprecation --enable-source-maps --expose-gc
    --inspect --inspect-brk --inspect-wait --experimental-strip-types --experimental-transform-types --no-experimental-strip-types
    --experimental-vm-modules --experimental-sqlite --experimental-test-coverage --experimental-test-module-mocks
    --test-only --test-force-exit --test-update-snapshots --preserve-symlinks --abort-on-uncaught-exception --prof
    --cpu-prof --heap-prof --no-addons --permission --experimental-permission --allow-worker --frozen-intrinsics
    --trace-uncaught --harmony --use-strict --experimental-json-modules --experimental-wasm-modules --trace-sync-io`,
  value: `-e|--eval -r|--require --import --loader --experimental-loader -C|--conditions --env-file --env-file-if-exists --input-type
    --max-old-space-size --stack-size --stack-trace-limit --test-name-pattern --test-skip-pattern --test-reporter
    --test-reporter-destination --test-concurrency --test-shard --test-timeout --test-isolation --run --title --icu-data-dir
    --watch-path --unhandled-rejections --redirect-warnings --cpu-prof-dir --heap-prof-dir --diagnostic-dir --disable-warning
    --experimental-default-type --dns-result-order --report-dir --openssl-config --experimental-config-file`,
  maybe: '--inspect --inspect-brk --max-old-space-size --test-reporter --loader --max-http-header-size',
});

/** node: a script of the workspace is work; code in the words is asked about. */
export const classifyNode: CliClassifier = (argv, context) => {
  const words = argv.slice(1);
  const parsed = parseArgv(words, NODE_OPTIONS, { stopAtPositional: true });
  const [script, ...rest] = parsed.rest;
  if (parsed.doubts.length === 0 && hasOption(parsed, '--version', '--help', '--v8-options'))
    return intentOf('look', 'version');
  const run = optionValues(parsed, '--run').at(-1);
  const intent = nodeIntent(
    parsed.options.map(({ name }) => name),
    script,
    rest,
    run,
  );
  const values = parsed.options.flatMap(({ name, value }) =>
    name === '--test-name-pattern' || value === undefined ? [] : [value],
  );
  // Of what a script is given, nothing is read; of what tests are given, all are files.
  const files = hasOption(parsed, '--test') ? parsed.rest : [script ?? ''];
  const reason =
    parsed.doubts[0] ??
    (intent.reach === 'workspace' ? awayReason([...values, ...files], context) : undefined);
  return reason === undefined ? intent : asUnknown(intent, reason);
};

function nodeIntent(
  options: readonly string[],
  script: string | undefined,
  rest: readonly string[],
  run: string | undefined,
): CliIntent {
  const inline = ['--eval', '--print', '--interactive', '-'].find((name) => options.includes(name));
  // Without an object, all of its words are: the code among them.
  if (inline !== undefined)
    return { ...intentOf('code', inline), ...(inline === '-' ? { readsInput: true } : {}) };
  if (run !== undefined) return scriptIntent('--run', run, [], 'work');
  if (options.includes('--test'))
    return { ...intentOf('test', '--test'), ...(script === undefined ? {} : { object: script }) };
  // Without a script it takes its code from its input.
  if (script === undefined || script === '-') return { ...intentOf('code', 'node'), readsInput: true };
  if (script === 'inspect') return { ...intentOf('code', 'inspect'), readsInput: true };
  return options.includes('--check')
    ? { ...intentOf('look', '--check'), object: script }
    : scriptIntent('node', script, rest, 'work');
}

/** Modules that Python brings, and common ones without a table, by what they do. */
const MODULES: ReadonlyMap<string, RowKind> = new Map(
  Object.entries({
    look: `platform sysconfig site this calendar tokenize ast dis keyword locale encodings.utf_8 mimetypes
      symtable tabnanny textwrap trace.help pyclbr sqlite3.help importlib.metadata`,
    test: 'unittest doctest compileall py_compile nose nose2 pyperf',
    // The second operand of `json.tool`, and `-o` of `pickletools`, is a file that it writes.
    edit: 'venv virtualenv zipfile tarfile gzip zipapp json.tool pickletools',
    work: `build inspect cProfile profile trace uvicorn gunicorn flask django hypercorn streamlit fastapi celery jupyter ipykernel nbconvert
      sphinx mkdocs grpc_tools.protoc scripts src app main manage tests test benchmarks examples setup tools cli server api`,
    host: 'http.server ensurepip pipx',
    // Whatever these are given runs, or goes out.
    code: 'timeit pdb code codeop runpy idlelib pydoc webbrowser telnetlib smtpd ftplib poplib imaplib nntplib asyncio bdb antigravity',
    deploy: 'twine',
  }).flatMap(([kind, names]) => names.split(/\s+/).map((name) => [name, kind as RowKind] as const)),
);

/** python: a script or a module of the workspace is work; code in the words is asked about. */
export function pythonClassifier(inner: ReadInner): CliClassifier {
  return (argv, context) => {
    const { shows, doubt, waits, code, module, rest } = readPython(argv.slice(1));
    if (shows && doubt === undefined) return intentOf('look', 'version');
    const intent =
      code === undefined
        ? module === undefined
          ? pythonScript(rest, context)
          : moduleIntent(module, rest, context, inner)
        : intentOf('code', '-c');
    const reason = doubt ?? (waits ? '`-i` waits for code' : undefined);
    return reason === undefined ? intent : asUnknown(intent, reason);
  };
}

interface PythonWords {
  shows: boolean;
  waits: boolean;
  doubt?: string;
  code?: string;
  module?: string;
  /** what the code, the module or the script is given; without either, the script first */
  rest: readonly string[];
}

/** Python's own options end at `-c`, at `-m`, or at the script. */
function readPython(words: readonly string[]): PythonWords {
  const read: PythonWords = { shows: false, waits: false, rest: [] };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-') || word === '-') return { ...read, rest: words.slice(at) };
    if (/^--(?:version|help(?:-env|-xoptions|-all)?)$/.test(word)) read.shows = true;
    else if (word.startsWith('--')) return { ...read, doubt: `option \`${word}\` is not known` };
    for (let letter = 1; letter < word.length && !word.startsWith('--'); letter += 1) {
      const name = word[letter] ?? '';
      const value = word.slice(letter + 1);
      if (name === 'c' || name === 'm') {
        const taken = value === '' ? at + 1 : at;
        const text = value === '' ? (words[at + 1] ?? '') : value;
        return {
          ...read,
          ...(name === 'c' ? { code: text } : { module: text }),
          rest: words.slice(taken + 1),
        };
      }
      if (name === 'W' || name === 'X') {
        if (value === '') at += 1;
        break;
      }
      if (name === 'V' || name === 'h' || name === '?') read.shows = true;
      else if (name === 'i') read.waits = true;
      else if (!/[bBdEIOPqRsSuvx]/.test(name)) return { ...read, doubt: `option \`-${name}\` is not known` };
    }
  }
  return read;
}

function pythonScript(words: readonly string[], context: CliContext): CliIntent {
  const [script, ...rest] = words;
  if (script === undefined || script === '-') return { ...intentOf('code', 'python'), readsInput: true };
  const intent = scriptIntent('python', script, rest, 'work');
  const reason = awayReason([script], context);
  return reason === undefined ? intent : asUnknown(intent, reason);
}

function operandsIn(args: readonly string[]): number {
  return args.filter((word) => !word.startsWith('-')).length;
}

function moduleIntent(
  module: string,
  args: readonly string[],
  context: CliContext,
  inner: ReadInner,
): CliIntent {
  const listed = MODULES.get(module);
  const known = module === 'json.tool' && operandsIn(args) < 2 ? 'look' : listed;
  // `python -m build` is no program of that name; `python -m pytest` is.
  const told = known === undefined ? inner([module, ...args], context) : undefined;
  if (told !== undefined)
    return {
      ...told,
      operation: `-m ${[module, told.operation === module ? '' : told.operation].join(' ').trim()}`,
    };
  // A module inside of a package is mostly the workspace's own. A name alone may be anything that is installed.
  const kind = known ?? (/^\w+(?:\.\w+)+$/.test(module) ? 'work' : 'code');
  const object = args.map(shownWord).join(' ');
  const named = kind === 'work' && scriptKind(module, 'work') === 'deploy' ? 'deploy' : kind;
  const intent: CliIntent = {
    ...intentOf(named, `-m ${shownWord(module)}`),
    ...(object === '' ? {} : { object }),
  };
  const reason =
    intent.reach === 'workspace' && intent.effect === 'write'
      ? awayReason(kind === 'edit' ? args : [], context)
      : undefined;
  return reason === undefined ? intent : asUnknown(intent, reason);
}
