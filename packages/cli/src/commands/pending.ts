import type { Command } from 'commander';
import { questionId } from '../approvals/choose-question.ts';
import { findApproval, listPending } from '../approvals/decide.ts';
import { questionLines, questionRow } from '../approvals/describe-question.ts';
import type { CliContext, HomeFlags } from '../context.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
  readonly tenant?: string;
}

export function addPending(program: Command, context: CliContext): void {
  const { output } = context;
  program
    .command('pending [id]')
    .description('questions that wait for you; with an id, all of that one')
    .option('--tenant <name>', 'only this tenant')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExamples:\n  sallyport pending\n  sallyport pending appr_01…')
    .action(async (id: string | undefined, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const operator = context.operator(flags);
      const now = Date.now();
      if (id !== undefined) {
        const approval = await findApproval(operator, await questionId(operator, id));
        if (flags.json) return output.json(approval);
        output.line(`${approval.id} is ${approval.status}`);
        for (const line of questionLines(approval, output.columns, now)) output.line(line);
        return;
      }
      const list = await listPending(operator, flags.tenant);
      if (flags.json) return output.json(list);
      if (list.items.length === 0) return output.line('nothing waits for you');
      const rows = list.items.map((approval) => questionRow(approval, now));
      for (const line of output.table([['ID', 'RISK', 'WHO', 'UNTIL', 'WHAT'], ...rows])) output.line(line);
      if (list.next_cursor !== null) output.note('there are more; narrow the list with --tenant');
      output.note(
        'all of one: `sallyport pending ID`; then `sallyport approve ID` or `deny ID` (the first letters will do)',
      );
    });
}
