import { resolve } from 'node:path';
import { hasOption, optionValues, type ParsedArgv, parseArgv } from './argv-parser.ts';
import {
  asUnknown,
  type CliContext,
  type CliIntent,
  readIntent,
  unknownVerb,
  writeIntent,
} from './cli-intent.ts';
import { type GitReading, LOCAL_READERS, parseGit } from './git-local.ts';
import { GIT_GLOBAL_OPTIONS } from './git-options.ts';
import { classifyPush } from './git-push.ts';
import { REMOTE_READERS } from './git-remote.ts';
import { DANGEROUS_OPTIONS, LOCAL_VERBS, MAIL_VERBS, UNKNOWABLE_VERBS } from './git-verbs.ts';
import { isInsideCwd } from './output-file.ts';

/** git, by a table of verbs. A verb that is not in it may be an alias, which may be any program. */
export function classifyGit(argv: readonly string[], context: CliContext): CliIntent {
  const globals = parseArgv(argv.slice(1), GIT_GLOBAL_OPTIONS, { stopAtPositional: true });
  const [verb, ...words] = globals.rest;
  if (verb === undefined) return classifyBare(globals);

  const cwd = optionValues(globals, '-C').reduce((folder, step) => resolve(folder, step), context.cwd);
  const { intent, parsed } = readVerb(verb, words, { ...context, cwd });
  // Files are named to the caller as seen from where the command starts, not from `-C`.
  const moved =
    intent.writes === undefined || cwd === context.cwd
      ? intent
      : { ...intent, writes: intent.writes.map(({ given }) => ({ given: resolve(cwd, given) })) };
  const reason = globalDanger(globals, context) ?? verbDanger(parsed);
  return reason === undefined ? moved : asUnknown(moved, reason);
}

function readVerb(verb: string, words: readonly string[], context: CliContext): GitReading {
  const nothing: ParsedArgv = { options: [], positionals: [], rest: [], doubts: [] };
  if (verb === 'push') return classifyPush(words, context);
  const reader = REMOTE_READERS.get(verb) ?? LOCAL_READERS.get(verb);
  if (reader !== undefined) return reader(words, context);
  const unknowable = UNKNOWABLE_VERBS.get(verb);
  if (unknowable !== undefined) {
    return { intent: asUnknown(writeIntent('remote', 'custom:cli', verb), unknowable), parsed: nothing };
  }
  if (MAIL_VERBS.has(verb)) {
    const intent = writeIntent('remote', 'comms:external', verb);
    return {
      intent: asUnknown(intent, `\`git ${verb}\` sends mail through a program or server`),
      parsed: nothing,
    };
  }
  const local = LOCAL_VERBS.get(verb);
  if (local === undefined) return { intent: unknownVerb('git', verb), parsed: nothing };

  const parsed = parseGit(words, local.options);
  const intent =
    local.effect === 'read'
      ? readIntent('workspace', local.type, verb)
      : writeIntent('workspace', local.type, verb);
  // What is not committed cannot be brought back.
  const destroys = verb === 'clean' || hasOption(parsed, '--hard', '--discard-changes');
  const writes = optionValues(parsed, '--output').map((given) => ({ given }));
  const judged: CliIntent = destroys ? { ...intent, risk: 'high' } : intent;
  return { intent: writes.length === 0 ? judged : { ...judged, writes }, parsed };
}

function classifyBare(globals: ParsedArgv): CliIntent {
  const plain = globals.options.every(({ name, value }) => value === undefined && name !== '--help');
  if (plain && globals.options.length > 0 && globals.doubts.length === 0)
    return readIntent('workspace', 'vcs:read', 'version');
  return unknownVerb('git', undefined);
}

function globalDanger(globals: ParsedArgv, context: CliContext): string | undefined {
  if (globals.doubts[0] !== undefined) return globals.doubts[0];
  for (const { name, value } of globals.options) {
    // SECURITY: a setting given here can name a program: `-c core.pager=…`, `-c alias.x=!…`.
    if (name === '-c' || name === '--config-env')
      return `\`${name}\` sets configuration that can name a program`;
    if (name === '--exec-path' && value !== undefined)
      return '`--exec-path` says where git finds its own programs';
    if (name === '--help') return '`--help` runs a viewer';
    const isPlace = name === '-C' || name === '--git-dir' || name === '--work-tree';
    // Another repository's own configuration and hooks would run.
    if (isPlace && !isInsideCwd(value ?? '', context)) return `\`${name}\` leads out of the working folder`;
  }
  const steps = optionValues(globals, '-C').reduce((folder, step) => resolve(folder, step), context.cwd);
  return isInsideCwd(steps, context) ? undefined : '`-C` leads out of the working folder';
}

const STRATEGIES = new Set(['ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree']);

function verbDanger(parsed: ParsedArgv): string | undefined {
  if (parsed.doubts[0] !== undefined) return parsed.doubts[0];
  for (const { name, value } of parsed.options) {
    if (name === '--strategy' && !STRATEGIES.has(value ?? ''))
      return '`--strategy` runs a program of that name';
    const reason = DANGEROUS_OPTIONS.get(name);
    if (reason !== undefined) return `\`${name}\` ${reason}`;
    // SECURITY: a log written to a file is a way to plant `~/.bashrc`; no pattern on `git *` may cover it.
    if (name === '--output') return '`--output` writes a file of its own';
  }
  return undefined;
}
