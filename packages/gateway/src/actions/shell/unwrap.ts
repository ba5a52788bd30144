import { unwrapFind } from './unwrap-find.ts';
import { unwrapShell } from './unwrap-shell.ts';
import type { Unwrapped } from './unwrapped.ts';
import type { Word } from './words/word.ts';
import { skipOptions, type WrapperOptions } from './wrapper-options.ts';

const NUMBER = /^[+-]?\d+$/;
const DURATION = /^\d+(?:\.\d+)?[smhd]?$/;
const SIGNAL = /^[A-Za-z0-9]+$/;
const ANY = /^/;

/** Options that each wrapper may have. An option that is not here makes the command unknown. */
const WRAPPERS: Readonly<Record<string, WrapperOptions>> = {
  env: {
    flags: ['-i', '-', '--ignore-environment'],
    values: { '-u': ANY, '--unset': ANY, '-C': ANY, '--chdir': ANY },
    assignments: true,
    moves: /^(?:-C|--chdir)/,
  },
  sudo: {
    flags: ['-n', '-E', '-H', '-k', '-b', '--non-interactive'],
    values: { '-u': ANY, '-g': ANY, '--user': ANY },
    assignments: true,
    needsCommand: true,
  },
  doas: { flags: ['-n'], values: { '-u': ANY }, needsCommand: true },
  nice: { flags: [], values: { '-n': NUMBER, '--adjustment': NUMBER }, shortNumber: true },
  ionice: {
    flags: ['-t'],
    values: { '-c': SIGNAL, '-n': NUMBER, '--class': SIGNAL, '--classdata': NUMBER },
    needsCommand: true,
  },
  time: { flags: ['-p', '-v', '--portability', '--verbose'], values: {} },
  timeout: {
    flags: ['--preserve-status', '--foreground', '-v', '--verbose'],
    values: { '-s': SIGNAL, '--signal': SIGNAL, '-k': DURATION, '--kill-after': DURATION },
    operand: DURATION,
    needsCommand: true,
  },
  nohup: { flags: [], values: {}, needsCommand: true },
  stdbuf: {
    flags: [],
    values: { '-i': ANY, '-o': ANY, '-e': ANY, '--input': ANY, '--output': ANY, '--error': ANY },
    needsCommand: true,
  },
  setsid: { flags: ['-c', '-f', '-w', '--ctty', '--fork', '--wait'], values: {}, needsCommand: true },
  taskset: { flags: ['-c', '--cpu-list'], values: {}, operand: /^[0-9a-fx,-]+$/, needsCommand: true },
  chrt: { flags: ['-f', '-r', '-o', '-b', '-i', '-R'], values: {}, operand: NUMBER, needsCommand: true },
  valgrind: {
    flags: ['-q', '-v', '--quiet', '--verbose'],
    values: {
      '--tool': SIGNAL,
      '--leak-check': SIGNAL,
      '--show-leak-kinds': /^[a-z,]+$/,
      '--track-origins': SIGNAL,
      '--error-exitcode': NUMBER,
      '--num-callers': NUMBER,
    },
    needsCommand: true,
  },
  busybox: { flags: [], values: {}, needsCommand: true },
  toybox: { flags: [], values: {}, needsCommand: true },
  command: { flags: ['-p'], values: {}, needsCommand: true },
  builtin: { flags: [], values: {}, needsCommand: true },
  exec: { flags: ['-c', '-l'], values: { '-a': ANY } },
};
const XARGS: WrapperOptions = {
  flags: ['-0', '-r', '-t', '-x', '--null', '--no-run-if-empty', '--verbose'],
  values: {
    '-n': NUMBER,
    '-P': NUMBER,
    '-L': NUMBER,
    '-I': ANY,
    '-d': ANY,
    '-a': ANY,
    '-s': NUMBER,
    '--max-args': NUMBER,
    '--max-procs': NUMBER,
    '--arg-file': ANY,
    '--delimiter': ANY,
  },
};
const WATCH: WrapperOptions = {
  flags: ['-d', '-t', '-e', '-g', '-b', '-c', '-x'],
  values: { '-n': DURATION, '--interval': DURATION },
  needsCommand: true,
};

/** Every name that is more than a program of that name. */
export const WRAPPER_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(WRAPPERS),
  'xargs',
  'watch',
  'find',
  'eval',
  'sh',
  'bash',
  'dash',
  'zsh',
  'ksh',
  'ash',
  'mksh',
  'rbash',
]);

/** Takes one wrapper off. `program` is the base name of the first word. */
export function unwrap(program: string, words: readonly Word[]): Unwrapped {
  const args = words.slice(1);
  if (program === 'git') return unwrapBisect(args);
  if (program === 'perf') return unwrapPerf(args);
  if (!WRAPPER_NAMES.has(program)) return { kind: 'plain' };
  switch (program) {
    case 'find':
      return unwrapFind(args);
    case 'eval':
      return unwrapEval(args);
    case 'xargs':
      return unwrapXargs(args);
    case 'watch':
      return unwrapWatch(args);
    // open: any program
    default: {
      const options = WRAPPERS[program];
      if (options === undefined) return unwrapShell(program, args);
      if (program === 'command' && /^-[vV]+$/.test(args[0]?.text ?? '')) return { kind: 'plain' };
      return unwrapSimple(program, args, options);
    }
  }
}

function unwrapSimple(program: string, args: readonly Word[], options: WrapperOptions): Unwrapped {
  const rest = skipOptions(program, args, options);
  if (typeof rest === 'string') return { kind: 'unknown', reason: rest };
  if (rest.words.length > 0)
    return {
      kind: 'command',
      words: rest.words,
      own: args.slice(0, args.length - rest.words.length),
      variables: rest.variables,
      ...(rest.folder === undefined ? {} : { folder: rest.folder }),
    };
  return options.needsCommand === true
    ? { kind: 'unknown', reason: `\`${program}\` is given no command` }
    : { kind: 'plain' };
}

/** `git bisect run CMD…`: the command runs on one commit of the workspace after the other. */
function unwrapBisect(args: readonly Word[]): Unwrapped {
  const [verb, second, ...words] = args;
  const isRun = verb?.literal === true && verb.text === 'bisect' && second?.literal && second.text === 'run';
  if (!isRun || words.length === 0) return { kind: 'plain' };
  return { kind: 'command', words, own: args.slice(0, 2) };
}

const PERF: WrapperOptions = {
  flags: ['-d', '-dd', '-ddd', '-v', '-B', '--'],
  values: { '-r': NUMBER, '--repeat': NUMBER, '-e': /^[\w,:-]+$/, '--event': /^[\w,:-]+$/ },
  needsCommand: true,
};

/** `perf stat CMD…` counts while the command runs. Without a command, or with `-a`, it looks at the whole machine. */
function unwrapPerf(args: readonly Word[]): Unwrapped {
  const [verb, ...words] = args;
  if (verb?.literal !== true || verb.text !== 'stat') return { kind: 'plain' };
  return unwrapSimple('perf', words, PERF);
}

function unwrapEval(args: readonly Word[]): Unwrapped {
  if (!args.every((arg) => arg.literal && !arg.tilde))
    return { kind: 'unknown', reason: '`eval` runs text that is not in the line' };
  return { kind: 'script', text: args.map((arg) => arg.text).join(' '), same: true };
}

/** Stands for the arguments that `xargs` will append. */
const APPENDED: Word = {
  text: '<args>',
  literal: false,
  splits: true,
  patterns: false,
  prefix: '',
  quotedTilde: false,
  tilde: false,
  start: -1,
};

function unwrapXargs(args: readonly Word[]): Unwrapped {
  const rest = skipOptions('xargs', args, XARGS);
  if (typeof rest === 'string') return { kind: 'unknown', reason: rest };
  if (rest.words.length === 0) return { kind: 'plain' };
  const replace = rest.options.get('-I');
  const placed = rest.words.map((word) =>
    replace !== undefined && word.text.includes(replace)
      ? { ...word, literal: false, splits: false, prefix: word.text.slice(0, word.text.indexOf(replace)) }
      : word,
  );
  return {
    kind: 'command',
    words: replace === undefined ? [...placed, APPENDED] : placed,
    own: args.slice(0, args.length - rest.words.length),
  };
}

function unwrapWatch(args: readonly Word[]): Unwrapped {
  const rest = skipOptions('watch', args, WATCH);
  if (typeof rest === 'string') return { kind: 'unknown', reason: rest };
  // It joins its words and hands them to `sh -c`, so quotes that are gone do not come back.
  if (!rest.words.every((word) => word.literal && !word.tilde))
    return { kind: 'unknown', reason: '`watch` runs text that is not in the line' };
  return { kind: 'script', text: rest.words.map((word) => word.text).join(' '), same: false };
}
