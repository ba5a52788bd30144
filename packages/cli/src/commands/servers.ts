import {
  listOf,
  type McpChange,
  McpChangeSchema,
  McpServerSchema,
  type McpServerWire,
  SallyportError,
} from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext, HomeFlags } from '../context.ts';
import { describeChange } from '../describe-change.ts';
import { describeReads } from '../describe-reads.ts';
import { relativeTime, visibleLine } from '../output.ts';
import { addServersEdit } from './servers-edit.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
}

const ServerList = listOf(McpServerSchema);
const ChangeList = listOf(McpChangeSchema);
/** As much of a hash as is shown, and must be given back: too much for a server to make another one with. */
const SHOWN = 16;

/** MCP servers, and what they say differently than a person accepted. */
export function addServers(program: Command, context: CliContext): void {
  const { output } = context;
  const servers = program
    .command('servers')
    .description('MCP servers: add and remove them, how they are, what changed in what they say, accept it')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport servers list\n  sallyport servers diff github\n  sallyport servers accept github 3f9a1c2b4d5e6f70',
    );
  const list = (flags: Flags) =>
    context
      .operator(flags)
      .call({ method: 'GET', path: '/v1/mcp-servers' }, (value) => ServerList.parse(value));
  const changesOf = (flags: Flags, name: string) =>
    context
      .operator(flags)
      .call({ method: 'GET', path: `/v1/mcp-servers/${encodeURIComponent(name)}/changes` }, (value) =>
        ChangeList.parse(value),
      );

  servers
    .command('list', { isDefault: true })
    .description('each server, its state, and how many of its definitions wait for you')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport servers list')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const found = await list(flags);
      if (flags.json) return output.json(found);
      if (found.items.length === 0) return output.line('no MCP servers; `sallyport servers add` takes one');
      const rows = found.items.map(({ name, status, transport, tools, pending, last_error, reads }) => [
        name,
        status,
        transport,
        `${tools.length} tools`,
        pending > 0
          ? `${pending} changed: sallyport servers diff ${name}`
          : status === 'Running'
            ? presetNote(name, reads)
            : visibleLine(last_error ?? ''),
      ]);
      for (const line of output.table(rows)) output.line(line.trimEnd());
    });

  addServersEdit(servers, context);

  servers
    .command('diff [name]')
    .description('what a server says differently than was accepted: hidden from agents until you accept it')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport servers diff github')
    .action(async (name: string | undefined, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const names = name === undefined ? (await list(flags)).items.map((server) => server.name) : [name];
      const items = (await Promise.all(names.map((of) => changesOf(flags, of)))).flatMap(
        (found) => found.items,
      );
      if (flags.json) return output.json({ items, next_cursor: null });
      if (items.length === 0) return output.line('nothing has changed since it was accepted');
      for (const change of items) show(change);
    });

  const show = (change: McpChange): void => {
    const what = change.kind === 'tool' ? `tool ${change.name}` : 'instructions';
    const how = change.before === null ? 'is new' : 'has changed';
    output.line(output.style('bold', `${change.server}: ${what} ${how} (${relativeTime(change.at)})`));
    for (const { sign, text } of describeChange(change))
      output.line(output.style(sign === '+' ? 'green' : 'red', `  ${sign} ${text}`));
    output.line(`  accept: sallyport servers accept ${change.server} ${change.hash.slice(0, SHOWN)}`);
    output.line();
  };

  servers
    .command('reads <name>')
    .description('which tools of a server are judged as reads, what a preset would add, and how to accept it')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport servers reads files')
    .action(async (name: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const server = (await list(flags)).items.find((one) => one.name === name);
      if (server === undefined)
        throw new SallyportError('NotFound', { message: `there is no MCP server \`${name}\`` });
      if (flags.json) return output.json(server.reads);
      for (const line of describeReads(server)) output.line(line);
    });

  servers
    .command('accept <name> <hash...>')
    .description('accept what `diff` showed, by its hash: agents see it from now on')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport servers accept github 3f9a1c2b4d5e6f70')
    .action(async (name: string, hashes: readonly string[], _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { items } = await changesOf(flags, name);
      const changes = hashes.map((hash) => pick(items, hash));
      const accepted = await context.operator(flags).call(
        {
          method: 'POST',
          path: `/v1/mcp-servers/${encodeURIComponent(name)}/accept`,
          body: { changes: changes.map(({ kind, name: of, hash }) => ({ kind, name: of, hash })) },
        },
        (value) => ChangeList.parse(value),
      );
      if (flags.json) return output.json(accepted);
      for (const { kind, name: of } of accepted.items)
        output.line(`${kind === 'tool' ? of : 'instructions'} of ${name}: accepted`);
    });

  servers
    .command('restart <name>')
    .description('end a server and every connection to it, and start it anew')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport servers restart github')
    .action(async (name: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const path = `/v1/mcp-servers/${encodeURIComponent(name)}/restart`;
      await context.operator(flags).call({ method: 'POST', path }, () => undefined);
      if (flags.json) return output.json({ name, restarted: true });
      output.line(`${name} is started anew`);
    });
}

/** SECURITY: told, never taken: what counts as a read is the operator's to write into the config. */
function presetNote(name: string, { tools, offered, outdated }: McpServerWire['reads']): string {
  const look = `sallyport servers reads ${name}`;
  if (outdated.length > 0) return `${outdated.length} preset holds no more: ${look}`;
  const more = offered?.tools.filter((tool) => !tools.includes(tool)).length ?? 0;
  return offered === null || more === 0
    ? ''
    : `${more} only read, says the preset ${offered.preset}: ${look}`;
}

function pick(changes: readonly McpChange[], hash: string): McpChange {
  const found = hash.length < SHOWN ? undefined : changes.find((change) => change.hash.startsWith(hash));
  if (found !== undefined) return found;
  throw new SallyportError('NotFound', {
    message: `\`${hash}\` is not the hash of anything that waits`,
    hint: 'it may have changed again: look at it with `sallyport servers diff`, and copy the hash that it shows',
  });
}
