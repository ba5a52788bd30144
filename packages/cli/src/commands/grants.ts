import { GrantSchema, listOf } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext, HomeFlags } from '../context.ts';
import { exportGrants } from '../export-grants.ts';
import { relativeTime } from '../output.ts';
import { wholeId } from '../whole-id.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
  readonly tenant?: string;
  readonly all?: boolean;
}

const GrantList = listOf(GrantSchema);

export function addGrants(program: Command, context: CliContext): void {
  const { output } = context;
  const grants = program
    .command('grants')
    .description('standing answers that people gave: see them, revoke them')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport grants list\n  sallyport grants revoke grant_01…\n  sallyport grants export',
    );

  const fetch = (flags: Flags) => {
    const query = new URLSearchParams();
    if (flags.tenant !== undefined) query.set('tenant', flags.tenant);
    if (flags.all === true) query.set('ended', 'true');
    return context
      .operator(flags)
      .call({ method: 'GET', path: `/v1/grants?${query}` }, (value) => GrantList.parse(value));
  };

  grants
    .command('list', { isDefault: true })
    .description('live grants, and those that an upgrade ended for being too wide, in words')
    .option('--tenant <name>', 'only this tenant')
    .option('--all', 'also those that are used up or revoked')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport grants list --all')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const list = await fetch(flags);
      if (flags.json) return output.json(list);
      if (list.items.length === 0) return output.line('no grants');
      for (const grant of list.items) {
        const state =
          grant.ended_at === null ? '' : `  (${grant.end_reason ?? 'ended'} ${relativeTime(grant.ended_at)})`;
        output.line(`${grant.id}  ${grant.covers}${state}`);
        if (grant.instead !== null)
          output.line(`    too wide for this version, so it answers nothing; instead: ${grant.instead}`);
        output.line(
          output.style(
            'dim',
            `    given by ${grant.created_by} ${relativeTime(grant.created_at)}, used ${grant.uses} times`,
          ),
        );
      }
    });

  grants
    .command('revoke <id>')
    .description('a grant answers nothing from now on')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport grants revoke grant_01…')
    .action(async (typed: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const operator = context.operator(flags);
      const id = await wholeId(operator, 'grant', typed);
      await operator.call(
        { method: 'DELETE', path: `/v1/grants/${encodeURIComponent(id)}` },
        () => undefined,
      );
      if (flags.json) return output.json({ id, revoked: true });
      output.line(`${id} is revoked`);
    });

  grants
    .command('export')
    .description('permanent grants as reviewable YAML: rules, exceptions, network entries')
    .option('--tenant <name>', 'tenant', 'default')
    .addHelpText('after', '\nExample:\n  sallyport grants export > policies/granted.yaml')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const list = await fetch(flags);
      context.streams.stdout.write(exportGrants(list.items, flags.tenant ?? 'default'));
    });
}
