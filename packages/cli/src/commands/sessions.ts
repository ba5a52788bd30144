import { listOf, SessionSchema, SessionTokenSchema } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { relativeTime } from '../output.ts';
import { wholeId } from '../whole-id.ts';

interface Flags {
  readonly home?: string;
  readonly json?: boolean;
  readonly tenant?: string;
  readonly user?: string;
  readonly agent?: string;
  readonly jailed?: boolean;
}

const SessionList = listOf(SessionSchema);

export function addSessions(program: Command, context: CliContext): void {
  const { output } = context;
  const sessions = program
    .command('sessions')
    .description('the sessions of agents: who acts, for whom, until when')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport sessions list\n  sallyport sessions open --agent dev\n  sallyport sessions end sess_01…',
    );

  sessions
    .command('list', { isDefault: true })
    .description('live sessions')
    .option('--tenant <name>', 'only this tenant')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport sessions list --tenant default')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const query = flags.tenant === undefined ? '' : `?tenant=${encodeURIComponent(flags.tenant)}`;
      const list = await context
        .operator(flags)
        .call({ method: 'GET', path: `/v1/sessions${query}` }, (value) => SessionList.parse(value));
      if (flags.json) return output.json(list);
      if (list.items.length === 0) return output.line('no live sessions');
      const rows = list.items.map((session) => [
        session.id,
        session.agent,
        session.user,
        session.tenant,
        session.confinement,
        `ends ${relativeTime(session.expires_at)}`,
      ]);
      for (const line of output.table([
        ['SESSION', 'AGENT', 'USER', 'TENANT', 'CONFINEMENT', 'EXPIRES'],
        ...rows,
      ])) {
        output.line(line);
      }
      if (list.next_cursor !== null) output.note('there are more; narrow the list with --tenant');
    });

  sessions
    .command('show <id>')
    .description('one session')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport sessions show sess_01…')
    .action(async (typed: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const operator = context.operator(flags);
      const id = await wholeId(operator, 'sess', typed);
      const session = await operator.call(
        { method: 'GET', path: `/v1/sessions/${encodeURIComponent(id)}` },
        (value) => SessionSchema.parse(value),
      );
      if (flags.json) return output.json(session);
      const rows = Object.entries(session).map(([key, value]) => [
        key,
        Array.isArray(value) ? value.join(' → ') || '–' : String(value ?? '–'),
      ]);
      for (const line of output.table(rows)) output.line(line);
    });

  sessions
    .command('open')
    .description('open a session and print its token (shown once)')
    .option('--tenant <name>', 'tenant', 'default')
    .option('--user <name>', "on whose behalf; the tenant's default user unless given")
    .option('--agent <name>', "which agent; the tenant's default agent unless given")
    .option('--jailed', 'the agent has no way out but the gateway (only say so if that is true)')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  export SALLYPORT_TOKEN=$(sallyport sessions open --agent dev)')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const opened = await context.operator(flags).call(
        {
          method: 'POST',
          path: '/v1/sessions',
          body: {
            tenant: flags.tenant,
            ...(flags.user === undefined ? {} : { user: flags.user }),
            ...(flags.agent === undefined ? {} : { agent: flags.agent }),
            confinement: flags.jailed ? 'jailed' : 'unconfined',
          },
        },
        (value) => SessionTokenSchema.parse(value),
      );
      if (flags.json) return output.json(opened);
      output.line(opened.session_token);
      output.note(`session ${opened.session_id}, ends ${relativeTime(opened.expires_at)}`);
    });

  sessions
    .command('end <id>')
    .description('end a session at once, on open connections too')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport sessions end sess_01…')
    .action(async (typed: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const operator = context.operator(flags);
      const id = await wholeId(operator, 'sess', typed);
      await operator.call(
        { method: 'DELETE', path: `/v1/sessions/${encodeURIComponent(id)}` },
        () => undefined,
      );
      if (flags.json) return output.json({ id, ended: true });
      output.line(`${id} has ended`);
    });
}
