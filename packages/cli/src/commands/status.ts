import { StatusSchema } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { relativeTime } from '../output.ts';

interface Flags {
  readonly home?: string;
  readonly json?: boolean;
}

export function addStatus(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('what the running gateway is doing')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport status')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const status = await context
        .operator(flags)
        .call({ method: 'GET', path: '/v1/status' }, (value) => StatusSchema.parse(value));
      const { output } = context;
      if (flags.json) return output.json(status);

      output.line(`${output.style('green', 'running')}  Sallyport ${status.version}, pid ${status.pid}`);
      const { refusing_writes: refusing } = status;
      if (refusing !== null) {
        output.line(`${output.style('red', 'refusing writes')}  ${refusing.message}`);
        if (refusing.hint !== undefined) output.line(`  ${refusing.hint}`);
      }
      output.line();
      const rows = [
        ['agents', status.urls.api],
        ['proxy', status.urls.proxy],
        ['operator', status.urls.operator],
        ['home', status.home],
        ['store', `${status.store.engine}, ${status.store.location}`],
        ['config', `${status.config.files[0] ?? 'defaults'} (revision ${status.config.revision})`],
        ['started', relativeTime(status.started_at)],
        ['sessions', status.sessions_live === null ? 'unknown' : `${status.sessions_live} live`],
        ...status.trail.map((head) => ['trail', `${head.tenant}: ${head.seq} events`]),
      ];
      for (const line of output.table(rows, 2)) output.line(`  ${line}`);
      for (const warning of status.config.warnings) {
        output.line(`\n${output.style('yellow', 'warning')}  ${warning.at ?? ''} ${warning.message}`);
      }
      const { servers_without_jail: open } = status;
      if (open.length > 0) {
        output.line(`\n${output.style('yellow', 'without a jail')}  ${open.join(', ')}`);
        output.line('  `sandbox: none` in the config: these MCP servers can read what the gateway can');
      }
      for (const { key, message, hint } of status.config.problems) {
        output.line(`\n${output.style('red', 'problem')}  ${key}: ${message}`);
        if (hint !== undefined) output.line(`  ${hint}`);
      }
      const { rejected, needs_restart: waiting } = status.config;
      if (waiting.length > 0) {
        output.line(`\n${output.style('yellow', 'needs a restart')}  ${waiting.join(', ')}`);
        output.line('  changed in the config; the gateway runs with what it was started with');
      }
      if (rejected !== null) {
        output.line(
          `\n${output.style('red', 'refused')}  a change of the config, ${relativeTime(rejected.at)}; the one before is in force`,
        );
        for (const problem of rejected.problems) output.line(`  ${problem.at ?? ''} ${problem.message}`);
        output.line(`  fix it and save: it is read again at once`);
      }
    });
}
