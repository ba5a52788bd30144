import { createOutput } from '../output.ts';
import { printError, printTrouble } from '../print-error.ts';
import { runAgent } from './run-agent.ts';
import { parseRunFlags, type RunFlags, RunUsageError } from './run-flags.ts';

const { argv, env, stdout, stderr } = process;
const streams = { stdout, stderr };
// Until it has ended some other way.
process.exitCode = 125;
void main(argv.slice(3)).then((code) => {
  process.exitCode = code;
});

async function main(words: readonly string[]): Promise<number> {
  let flags: RunFlags;
  try {
    flags = parseRunFlags(words);
  } catch (error) {
    if (!(error instanceof RunUsageError)) throw error;
    printTrouble(
      {
        what: error.message,
        why: 'usage: sallyport run [options] -- <command> [arguments]',
        try: 'sallyport run --help',
      },
      createOutput(streams, env),
    );
    return 2;
  }
  try {
    return await runAgent(flags, { env, streams, cwd: process.cwd() });
  } catch (error) {
    printError(error, createOutput(streams, env), flags.json);
    return 125;
  }
}
