import type { Command } from 'commander';
import type { CliContext, HomeFlags } from '../context.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
  readonly plain?: boolean;
}

export function addWatch(program: Command, context: CliContext): void {
  const { output, signal } = context;
  program
    .command('watch')
    .description('live: what agents do now, what waits for you; one key decides')
    .option('--plain', 'lines instead of a screen, as where the output is no terminal; takes no keys')
    .option('--json', 'lines of JSON: {"event":…} or {"approval":…}')
    .addHelpText(
      'after',
      '\nKeys: 1 allow once, 2 for this session, 3 deny, 6 always; ↑↓ choose, space more, q quit.\n\nExamples:\n  sallyport watch\n  sallyport watch --json | jq .approval.title',
    )
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const operator = context.operator(flags);
      const { stdin, stdout } = process;
      if (!output.isTerminal || !stdin.isTTY || flags.plain === true || flags.json === true) {
        const { watchLines } = await import('../approvals/watch-lines.ts');
        return watchLines({ operator, output, asJson: flags.json === true, signal });
      }
      const { watchTerminal } = await import('../approvals/watch-terminal.ts');
      return watchTerminal({ operator, output, stdin, stdout, signal });
    });
}
