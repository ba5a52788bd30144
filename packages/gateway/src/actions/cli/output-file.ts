import { isAbsolute, relative, resolve } from 'node:path';
import type { CliContext, CliIntent } from './cli-intent.ts';

/** Names that no file is created for. */
const NO_FILE = new Set(['-', '/dev/null', '/dev/stdout', '/dev/stderr']);

/**
 * Whether a path stays in the folder that the command runs in, or in the one that the agent works in, by its words.
 * Symbolic links are the caller's business: it canonicalises every path in `writes`.
 */
export function isInsideCwd(given: string, { cwd, home, root = cwd }: CliContext): boolean {
  // Some CLIs expand `~` themselves, after any shell.
  const expanded = given.startsWith('~') ? `${home}/${given.slice(1)}` : given;
  const place = resolve(cwd, expanded);
  return !given.includes('\0') && (isBelow(place, cwd) || (root !== cwd && isBelow(place, root)));
}

function isBelow(place: string, folder: string): boolean {
  const steps = relative(folder, place);
  return steps !== '..' && !steps.startsWith('../') && !isAbsolute(steps);
}

/** A word that leads out of a folder by its own text. */
const LEADS_OUT = /^(?:[/~]|\.\.(?:\/|$))|\/\.\.(?:\/|$)/;

/** Why a command that runs code of the folder it is in runs other code, or works elsewhere. */
export function awayReason(words: readonly string[], context: CliContext): string | undefined {
  const { root, cwd } = context;
  if (root !== undefined && !isInsideCwd(cwd, { ...context, cwd: root }))
    return 'it runs in a folder outside the working folder';
  const away = words.find(
    (word) => LEADS_OUT.test(word) && !NO_FILE.has(word) && !isInsideCwd(word, context),
  );
  return away === undefined ? undefined : `\`${away}\` is outside the working folder`;
}

/** Adds a file that the command creates. Outside the working folder that alone makes the command a write. */
export function withOutput(intent: CliIntent, given: string, context: CliContext): CliIntent {
  if (NO_FILE.has(given)) return intent;
  const writes = [...(intent.writes ?? []), { given }];
  if (isInsideCwd(given, context)) return { ...intent, writes };
  return { ...intent, effect: 'write', risk: intent.risk === 'critical' ? 'critical' : 'high', writes };
}
