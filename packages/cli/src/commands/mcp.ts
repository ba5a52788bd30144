import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

interface Flags {
  readonly home?: string;
  readonly agent?: string;
  readonly tenant?: string;
  readonly server?: string;
  readonly plainNames?: boolean;
}

export function addMcp(program: Command, context: CliContext): void {
  program
    .command('mcp')
    .description('an MCP server on standard streams, with the tools that the gateway lets an agent use')
    .option('--agent <name>', "agent of the config; the tenant's default agent unless given")
    .option('--tenant <name>', 'tenant; `default` unless given')
    .option('--server <name>', 'only this MCP server of the gateway, under its own names')
    .option('--plain-names', 'names of tools with letters, digits, `_` and `-` only')
    .addHelpText(
      'after',
      '\nFor clients that start their MCP servers themselves. Inside `sallyport run` it uses the session of the run;\nelsewhere it opens an unconfined one, which ends with it.\n\nExamples:\n  sallyport mcp --server github\n  claude mcp add sallyport -- sallyport mcp',
    )
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const [{ Bridge }, { openEndpoint }] = await Promise.all([
        import('../mcp/bridge.ts'),
        import('../mcp/mcp-endpoint.ts'),
      ]);
      const { stdin = process.stdin, stdout } = context.streams;
      const path = flags.server === undefined ? '/mcp' : `/mcp/${encodeURIComponent(flags.server)}`;
      // Clients end their servers so: the session that was opened ends with us.
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
      const bridge = new Bridge({
        input: stdin,
        // `as`: standard output is a stream that can be written, in whichever of its forms.
        output: stdout as NodeJS.WriteStream,
        open: () => openEndpoint(context.env, context.home(flags), flags),
        signal: stop.signal,
        path: flags.plainNames === true ? `${path}?names=plain` : path,
      });
      await bridge.run();
    });
}
