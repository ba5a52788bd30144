import { readdirSync } from 'node:fs';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { table } from '../output.ts';

interface Flags {
  readonly home?: string;
  readonly json?: boolean;
}

const MARK = { ok: ['green', 'ok'], warn: ['yellow', 'warn'], fail: ['red', 'fail'] } as const;

export function addDoctor(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('what is missing on this machine, and the command that mends it')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport doctor')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { runDoctor, doctorChecks, configChecks, tryConfigFile } = await import('@sallyport/gateway');
      const paths = context.home(flags);
      const checks = isGone(paths.home) ? [] : configChecks(paths, context.env);
      const { env, signal } = context;
      const [looked, tried] = await Promise.all([
        runDoctor(await doctorChecks(), { paths, env, configChecks: checks, signal }),
        tryConfigFile(paths.config, { paths, env, signal }, checks),
      ]);
      const reports = [...looked, ...tried];
      const { output } = context;
      if (flags.json) output.json({ items: reports, next_cursor: null });
      else {
        const lines = table(reports.map(({ status, title, message }) => [MARK[status][1], title, message]));
        reports.forEach(({ status, fix }, index) => {
          const line = lines[index] ?? '';
          output.line(output.style(MARK[status][0], line.slice(0, 4)) + line.slice(4));
          if (fix !== undefined) output.line(`      ${output.style('dim', `→ ${fix}`)}`);
        });
      }
      if (reports.some((report) => report.status === 'fail')) process.exitCode = 1;
    });
}

/** Whether there is a home that cannot be read, as on a disk that is gone: the check of the home says so. */
function isGone(home: string): boolean {
  try {
    readdirSync(home);
    return false;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
  }
}
