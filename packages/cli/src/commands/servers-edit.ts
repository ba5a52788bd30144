import type { NewServer } from '@sallyport/gateway';
import { SallyportError } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext, HomeFlags } from '../context.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
  readonly env?: readonly string[];
  readonly egress?: readonly string[];
}

/** `servers add` and `servers remove`: edits of the config that leave the rest of it alone. */
export function addServersEdit(servers: Command, context: CliContext): void {
  const { output } = context;
  const place = async (flags: HomeFlags) => {
    const { configChecks } = await import('@sallyport/gateway');
    const paths = context.home(flags);
    return { paths, env: context.env, checks: configChecks(paths, context.env) };
  };

  servers
    .command('add <name> [words...]')
    .usage('[options] <name> <url> | <name> -- <command> [arguments]')
    .description('write an MCP server into the config: its address, or the command that starts it')
    .option('--env <key=value...>', 'variables of its process that are no secrets')
    .option('--egress <host...>', 'hosts that it may reach from its jail')
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport servers add docs https://mcp.example.com/mcp\n  sallyport servers add files -- /usr/bin/mcp-files /srv/docs\n  sallyport servers add notes --env LOG=quiet --egress notes.example.com -- npx -y notes-mcp\n\nA secret is no variable here: name it under `credentials` of the server in the config.',
    )
    .action(async (name: string, words: readonly string[], _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { addServer } = await import('@sallyport/gateway');
      const where = await place(flags);
      addServer(serverOf(name, words, flags), where);
      if (flags.json) return output.json({ name, file: where.paths.config });
      output.line(`${name} is in ${where.paths.config}; a gateway that runs has it within a second`);
      output.note('see how it is: `sallyport servers list`');
    });

  servers
    .command('remove <name>')
    .description('take an MCP server out of the config')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport servers remove docs')
    .action(async (name: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { removeServer } = await import('@sallyport/gateway');
      const where = await place(flags);
      removeServer(name, where);
      if (flags.json) return output.json({ name, file: where.paths.config });
      output.line(`${name} is no longer in ${where.paths.config}`);
    });
}

function serverOf(name: string, words: readonly string[], { env = [], egress = [] }: Flags): NewServer {
  const [first] = words;
  if (first === undefined)
    throw new SallyportError('BadRequest', {
      message: 'neither an address nor a command was given',
      hint: 'for example `sallyport servers add docs https://mcp.example.com/mcp`, or `sallyport servers add files -- COMMAND`',
    });
  if (/^https?:\/\//.test(first)) {
    if (words.length > 1 || env.length > 0 || egress.length > 0)
      throw new SallyportError('BadRequest', {
        message: 'a server with an address has no arguments, no variables and no hosts of its own',
      });
    return { name, url: first };
  }
  const variables = env.map((text) => {
    const [, key, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
    if (key !== undefined && value !== undefined) return [key, value] as const;
    throw new SallyportError('BadRequest', { message: `\`${text}\` is not \`NAME=value\`` });
  });
  return { name, command: words, env: Object.fromEntries(variables), egress };
}
