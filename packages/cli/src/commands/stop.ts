import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

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
      const answer = await context
        .operator(flags)
        .call({ method: 'POST', path: '/v1/stop', body: { now: flags.now === true } }, (value) => value);
      if (flags.json) return context.output.json(answer);
      context.output.line(
        flags.now === true
          ? 'stopped: every session is revoked, agents have no way out'
          : 'stopping: what is under way may end',
      );
    });
}
