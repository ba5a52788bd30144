import { isAbsolute, relative, resolve } from 'node:path';
import type { CliContext, CliIntent } from './cli-intent.ts';

/** Names that no file is created for. */
const NO_FILE = new Set(['-', '/dev/null', '/dev/stdout', '/dev/stderr']);

/**
 * Whether a path stays in the working folder, by its words. Symbolic links are the caller's business: it
 * canonicalises every path in `writes`.
 */
export function isInsideCwd(given: string, context: CliContext): boolean {
  // Some CLIs expand `~` themselves, after any shell.
  const expanded = given.startsWith('~') ? `${context.home}/${given.slice(1)}` : given;
  const steps = relative(context.cwd, resolve(context.cwd, expanded));
  return !given.includes('\0') && steps !== '..' && !steps.startsWith('../') && !isAbsolute(steps);
}

/** Adds a file that the command creates. Outside the working folder that alone makes the command a write. */
export function withOutput(intent: CliIntent, given: string, context: CliContext): CliIntent {
  if (NO_FILE.has(given)) return intent;
  const writes = [...(intent.writes ?? []), { given }];
  if (isInsideCwd(given, context)) return { ...intent, writes };
  return { ...intent, effect: 'write', risk: intent.risk === 'critical' ? 'critical' : 'high', writes };
}
