import process from 'node:process';

/** `run` is typed all day, so it goes its own way: past everything that the other commands need. */
const [word, ...rest] = process.argv.slice(2);
const isHelp = rest.length === 0 || rest[0] === '--help' || rest[0] === '-h';
// Without `await` at the top: the built package is CommonJS, which starts sooner. What fails here ends the process all the same.
if (word === 'run' && !isHelp) void import('./run/main.ts');
else void runProgram();

async function runProgram(): Promise<void> {
  const { runCli } = await import('./commands/program.ts');
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  // A reader that goes away (`sallyport audit export | head`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  const code = await runCli({
    argv: process.argv.slice(2),
    env: process.env,
    streams: { stdout: process.stdout, stderr: process.stderr },
    signal: interrupted.signal,
  });
  process.exitCode ??= code;
}
