import { CommanderError } from 'commander';
import { createContext } from './context.ts';
import { EXIT, printError } from './exit.ts';
import type { Streams } from './output.ts';
import { createProgram } from './program.ts';

/** Runs one command line and says with which code the process should end. */
export async function runCli(input: {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly streams: Streams;
  readonly signal: AbortSignal;
}): Promise<number> {
  const context = createContext(input);
  const program = createProgram(context);
  try {
    if (input.argv.length === 0) {
      program.outputHelp();
      return EXIT.usage;
    }
    await program.parseAsync([...input.argv], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (input.signal.aborted) return EXIT.failed;
    printError(error, context.output, input.argv.includes('--json'));
    return EXIT.failed;
  }
}
