import { resolve } from 'node:path';
import { listOf, RuleSchema, SimulationSchema } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext, HomeFlags } from '../context.ts';
import { pastMoment } from '../past-moment.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
  readonly tenant?: string;
  readonly policy?: string;
  readonly since?: string;
  readonly until?: string;
}

const RuleList = listOf(RuleSchema);

export function addPolicy(program: Command, context: CliContext): void {
  const { output } = context;

  program
    .command('rules')
    .description('the rules in force, in the order in which they are judged')
    .option('--tenant <name>', 'tenant', 'default')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport rules')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const list = await context
        .operator(flags)
        .call(
          { method: 'GET', path: `/v1/rules?tenant=${encodeURIComponent(flags.tenant ?? 'default')}` },
          (value) => RuleList.parse(value),
        );
      if (flags.json) return output.json(list);
      if (list.items.length === 0) return output.line('no rules: everything asks');
      const rows = list.items.map(({ list: name, order, rule, at }) => [
        name,
        String(order),
        rule,
        at === undefined ? '' : `${at.file}:${at.line}`,
      ]);
      for (const line of output.table([['LIST', '#', 'RULE', 'WHERE'], ...rows])) output.line(line);
    });

  const policy = program
    .command('policy')
    .description('test a policy before it is in force')
    .addHelpText('after', '\nExample:\n  sallyport policy test policies/solo.test.yaml');

  policy
    .command('test <file>')
    .description('a table of actions and the answers that the policy must give')
    .option('--policy <file>', 'config to test, instead of the one that the table names')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport policy test policies/team.test.yaml')
    .action(async (file: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { testPolicyFile } = await import('@sallyport/gateway');
      const report = await testPolicyFile({
        file: resolve(file),
        env: context.env,
        paths: context.home(flags),
        ...(flags.policy === undefined ? {} : { policy: resolve(flags.policy) }),
      });
      const failed = report.results.filter(({ ok }) => !ok);
      if (flags.json)
        output.json({ ok: failed.length === 0, policy: report.policy, results: report.results });
      else {
        for (const { text, why, expected, actual, reason } of failed) {
          output.line(`${output.style('red', 'wrong')}  ${text}`);
          output.line(`       expected ${expected}, the policy says ${actual}: ${reason}`);
          output.line(output.style('dim', `       ${why}`));
        }
        const passed = report.results.length - failed.length;
        output.line(`${passed} right, ${failed.length} wrong, in ${report.policy}`);
      }
      if (failed.length > 0) process.exitCode = 1;
    });

  program
    .command('simulate')
    .description('what a changed policy would have decided differently')
    .requiredOption('--policy <file>', 'the changed config')
    .option('--since <time>', 'ISO time, or a duration: 2h, 7d', '7d')
    .option('--until <time>', 'ISO time, or a duration')
    .option('--tenant <name>', 'only this tenant')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport simulate --policy new.yaml --since 7d')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      if (output.isTerminal && flags.json !== true) output.note('replaying the trail …');
      const answer = await context.operator(flags).call(
        {
          method: 'POST',
          path: '/v1/simulate',
          body: {
            policy: resolve(flags.policy ?? ''),
            ...(flags.since === undefined ? {} : { since: pastMoment(flags.since) }),
            ...(flags.until === undefined ? {} : { until: pastMoment(flags.until) }),
            ...(flags.tenant === undefined ? {} : { tenant: flags.tenant }),
          },
        },
        (value) => SimulationSchema.parse(value),
      );
      if (flags.json) return output.json(answer);
      for (const { agent, tool, what, was, would_be: would, reason } of answer.differences) {
        output.line(
          `${was} → ${output.style(would === 'allow' ? 'green' : 'yellow', would)}  ${agent}  ${tool}  ${what}`,
        );
        output.line(output.style('dim', `    ${reason}`));
      }
      if (answer.truncated) output.note('there are more differences than are listed');
      const skipped = answer.skipped === 0 ? '' : `, ${answer.skipped} could not be replayed`;
      output.line(`${answer.judged} decisions, ${answer.differ} would differ${skipped}`);
    });
}
