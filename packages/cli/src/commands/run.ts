import { type Command, CommanderError } from 'commander';
import type { CliContext } from '../context.ts';

export function addRun(program: Command, context: CliContext): void {
  program
    .command('run')
    .description('run an agent in a jail whose only way out is the gate')
    .usage('[options] -- <command> [arguments]')
    .argument('[command...]', 'the agent, as you would type it')
    .option('--agent <name>', "agent of the config; the tenant's default agent unless given")
    .option('--tenant <name>', 'tenant; `default` unless given')
    .option('--workspace <folder>', 'folder that the agent works in; the current one unless given')
    .option('--write <path>', 'another path that the agent may write; may be given again')
    .option('--read <path>', 'another path that the agent may read; may be given again')
    .option(
      '--forward <port>',
      'a port of this machine that the agent may ask to reach; each connection asks; may be given again',
    )
    .option(
      '--preset <name>',
      'claude, codex, pi, aider or opencode; by the name of the command unless given',
    )
    .option('--no-preset', 'none of them: a home with nothing in it')
    .option(
      '--show <path>',
      'a file that is no secret, or a folder of such, whatever it looks like; may be given again',
    )
    .option(
      '--show-env-files',
      'mask nothing: the agent reads `.env` files, keys and logins of its workspace',
    )
    .option('--unconfined', 'WITHOUT the jail: the agent can do whatever you can')
    .option('--suggest', 'say at the end which rules would have avoided the questions')
    .option('--json', 'say at the end what it did, as one line of JSON on standard error')
    .option('--config <file>', 'config of a gateway that has to be started')
    .allowUnknownOption()
    .addHelpText(
      'after',
      `
Examples:
  sallyport run -- claude --dangerously-skip-permissions
  sallyport run --write ../build -- codex
  sallyport run -- npm test

The exit code is the agent's own; 125: the run could not begin or was cut short; 127: no such program.`,
    )
    .action(async (_words: readonly string[], _flags: unknown, command: Command) => {
      const { parseRunFlags, RunUsageError } = await import('../run/run-flags.ts');
      const { runAgent } = await import('../run/run-agent.ts');
      const { home } = command.optsWithGlobals<{ home?: string }>();
      try {
        const flags = parseRunFlags(wordsAfterRun(program));
        const chosen = { ...flags, home: flags.home ?? home };
        process.exitCode = await runAgent(chosen, { ...context, cwd: process.cwd() });
      } catch (error) {
        if (!(error instanceof RunUsageError)) throw error;
        throw new CommanderError(2, 'run.usage', error.message);
      }
    });
}

/** As they were typed: what belongs to the agent is not ours to sort. */
function wordsAfterRun(program: Command): readonly string[] {
  const { rawArgs } = program as unknown as { rawArgs: readonly string[] }; // commander keeps them, untyped
  return rawArgs.slice(rawArgs.indexOf('run') + 1);
}
