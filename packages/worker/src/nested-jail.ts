import { closeSync, openSync, readFileSync } from 'node:fs';
import { WorkerError } from './worker-error.ts';

/** Written into the jail by whoever built it: how a command gets a jail of its own in there. */
const JAIL_FILE = '/.sallyport/nest.json';

interface JailFacts {
  readonly program: string;
  readonly args: readonly string[];
  /** seccomp filter for what is started */
  readonly filter: string;
}

/** A command line that runs the command where this process does not exist. */
export interface NestedCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** descriptor to hand over as number 3; the caller closes it */
  readonly filter: number;
}

/** How a program is started apart from the worker. */
export type NestedJail = (
  argv: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string>>,
) => NestedCommand;

/**
 * The way into a nested jail. Throws `BadStart` where there is none.
 *
 * SECURITY: there is no way to run a command without one: next to the worker it could read its memory.
 */
export function openNestedJail(file: string = JAIL_FILE): NestedJail {
  const facts = readFacts(file);
  return (argv, cwd, env) => ({
    program: facts.program,
    args: [
      ...facts.args,
      ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
      ...['--chdir', cwd, '--seccomp', '3', '--', ...argv],
    ],
    filter: openSync(facts.filter, 'r'),
  });
}

function readFacts(file: string): JailFacts {
  try {
    // Ours: the jail's root is read-only, and this was there before anything ran in it.
    return JSON.parse(readFileSync(file, 'utf8')) as JailFacts;
  } catch (cause) {
    throw new WorkerError(
      'BadStart',
      `there is no way to nest a command here: \`${file}\` is missing`,
      cause,
    );
  }
}

export function closeNested({ filter }: NestedCommand): void {
  closeSync(filter);
}
