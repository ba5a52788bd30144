import { runCli } from './run-cli.ts';

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
