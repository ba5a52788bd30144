import { ApiKeySchema, CreatedApiKeySchema, CreatedEnrollmentSchema, listOf } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { relativeTime } from '../output.ts';
import { wholeId } from '../whole-id.ts';

interface Flags {
  readonly home?: string;
  readonly json?: boolean;
  readonly tenant?: string;
  readonly agent?: string;
}

const KeyList = listOf(ApiKeySchema);

export function addKeys(program: Command, context: CliContext): void {
  const { output } = context;
  const keys = program
    .command('keys')
    .description('API keys, and the secrets with which agents enroll')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport keys create ci\n  sallyport keys revoke key_01…\n  sallyport keys enrollment',
    );

  keys
    .command('list', { isDefault: true })
    .description('API keys, never their values')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport keys list')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const list = await context
        .operator(flags)
        .call({ method: 'GET', path: '/v1/keys' }, (value) => KeyList.parse(value));
      if (flags.json) return output.json(list);
      if (list.items.length === 0) return output.line('no API keys');
      const rows = list.items.map((key) => [
        key.id,
        key.name,
        key.client_id,
        key.tenant,
        key.revoked_at === null
          ? `made ${relativeTime(key.created_at)}`
          : `revoked ${relativeTime(key.revoked_at)}`,
      ]);
      for (const line of output.table([['KEY', 'NAME', 'CLIENT', 'TENANT', 'STATE'], ...rows]))
        output.line(line);
    });

  keys
    .command('create <name>')
    .description('make an API key and print it (shown once)')
    .option('--tenant <name>', 'tenant', 'default')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport keys create ci > ci.key')
    .action(async (name: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const created = await context
        .operator(flags)
        .call({ method: 'POST', path: '/v1/keys', body: { tenant: flags.tenant, name } }, (value) =>
          CreatedApiKeySchema.parse(value),
        );
      if (flags.json) return output.json(created);
      output.line(created.key);
      output.note(`${created.id}, client ${created.client_id}; it is not shown again`);
    });

  keys
    .command('revoke <id>')
    .description('an API key stops working at once')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport keys revoke key_01…')
    .action(async (typed: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const operator = context.operator(flags);
      const id = await wholeId(operator, 'key', typed);
      await operator.call({ method: 'DELETE', path: `/v1/keys/${encodeURIComponent(id)}` }, () => undefined);
      if (flags.json) return output.json({ id, revoked: true });
      output.line(`${id} is revoked`);
    });

  keys
    .command('enrollment')
    .description('make a new enrollment secret (shown once); the one before stops working')
    .option('--tenant <name>', 'tenant', 'default')
    .option('--agent <name>', 'a secret that opens sessions of this agent only')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport keys enrollment --agent dev')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const created = await context.operator(flags).call(
        {
          method: 'POST',
          path: '/v1/enrollment',
          body: { tenant: flags.tenant, ...(flags.agent === undefined ? {} : { agent: flags.agent }) },
        },
        (value) => CreatedEnrollmentSchema.parse(value),
      );
      if (flags.json) return output.json(created);
      output.line(created.enrollment_secret);
      output.note(`for tenant ${created.tenant}${created.agent === null ? '' : `, agent ${created.agent}`}`);
    });
}
