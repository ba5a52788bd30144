import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { stopAndWait } from '../wait-stopped.ts';

/** How long it is waited for, in ms */
const LONGEST_MS = 5_000;

interface Flags {
  readonly home?: string;
  readonly json?: boolean;
  readonly now?: boolean;
}

export function addStop(program: Command, context: CliContext): void {
  program
    .command('stop')
    .description('stop the gateway; with --now, the kill switch')
    .option('--now', 'revoke every session, withdraw every question, end the process at once')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExamples:\n  sallyport stop\n  sallyport stop --now')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { answer, isFree } = await stopAndWait(context.operator(flags), context.home(flags), {
        now: flags.now === true,
        longestMs: LONGEST_MS,
      });
      if (flags.json) return context.output.json(answer);
      context.output.line(
        flags.now === true
          ? 'stopped: every session is revoked, agents have no way out'
          : isFree
            ? 'stopped'
            : 'stopping: what is under way may end',
      );
    });
}
