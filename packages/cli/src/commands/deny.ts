import type { Command } from 'commander';
import { decide, describeDecision, findApproval } from '../approvals/decide.ts';
import type { CliContext, HomeFlags } from '../context.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
}

export function addDeny(program: Command, context: CliContext): void {
  const { output } = context;
  program
    .command('deny <id>')
    .description('refuse what a question asks')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport deny appr_01…')
    .action(async (id: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const operator = context.operator(flags);
      const outcome = await decide(operator, await findApproval(operator, id), { code: '3' });
      if (flags.json) return output.json(outcome);
      output.line(describeDecision(outcome));
    });
}
