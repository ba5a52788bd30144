import { HOOK_CLIENTS, type HookClient, SallyportError } from '@sallyport/protocol';
import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext } from '../context.ts';
import { askYes } from '../output.ts';

interface Flags {
  readonly home?: string;
  readonly project?: boolean | string;
  readonly agent?: string;
  readonly yes?: boolean;
  readonly all?: boolean;
  readonly withHome?: boolean;
  readonly json?: boolean;
}

/** `install` and `uninstall`: they differ in one word. */
export function addInstall(program: Command, context: CliContext): void {
  program
    .command('install')
    .description("put the gate in front of a client's tools: its hook and our MCP endpoint in its settings")
    .argument('<client>', HOOK_CLIENTS.join(', '), parseClient)
    .option('--project [folder]', 'in the settings of this folder, not of everything you do')
    .option('--agent <name>', "agent of the config; the tenant's default agent unless given")
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print what changed as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  sallyport install claude-code\n\nShows what would change and asks first. A second time changes nothing.',
    )
    .action((client: HookClient, _flags: Flags, command: Command) =>
      run('install', client, command, context),
    );
  program
    .command('uninstall')
    .description('take it out again: your settings are what they were')
    .argument('[client]', HOOK_CLIENTS.join(', '), parseClient)
    .option(
      '--all',
      'everything: every client, the service, the gateway that runs, the certificate; says what is left',
    )
    .option('--with-home', 'with --all: the home too, with all that the gateway knows')
    .option('--project [folder]', 'from the settings of this folder')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print what changed as JSON')
    .addHelpText('after', '\nExamples:\n  sallyport uninstall claude-code\n  sallyport uninstall --all')
    .action(async (client: HookClient | undefined, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      if (flags.all === true && client === undefined) {
        const { runUninstallAll } = await import('./uninstall-all.ts');
        return runUninstallAll(flags, context);
      }
      if (client === undefined || flags.all === true)
        throw new SallyportError('BadRequest', { message: 'name a client, or pass `--all`, one of the two' });
      return run('uninstall', client, command, context);
    });
}

async function run(
  how: 'install' | 'uninstall',
  client: HookClient,
  command: Command,
  context: CliContext,
): Promise<void> {
  const flags = command.optsWithGlobals<Flags>();
  const { planInstall } = await import('../install/run-install.ts');
  const { showDiff } = await import('../install/show-diff.ts');
  const { output, env } = context;
  const project = flags.project === true ? '.' : flags.project;
  const plan = planInstall({
    ...{ client, how, env, paths: context.home(flags) },
    ...(project === undefined || project === false ? {} : { project }),
    ...(flags.agent === undefined ? {} : { agent: flags.agent }),
  });
  const changed = plan.changes.map(({ path }) => path);
  if (changed.length === 0) {
    if (flags.json) output.json({ client, changed });
    else output.line('nothing to change');
    return;
  }
  if (!flags.json) for (const change of plan.changes) for (const line of showDiff(change)) output.line(line);
  if (flags.yes !== true && !(await askYes(context.streams, 'Write this? [y/N] ')))
    throw new SallyportError('BadRequest', {
      message: 'nothing was changed',
      hint: 'say yes, or pass `--yes`',
    });
  plan.apply();
  if (flags.json) output.json({ client, changed });
  else output.line(`${how === 'install' ? 'installed' : 'removed'}: ${changed.length} files`);
  for (const note of plan.notes) output.note(`note: ${note}`);
}

function parseClient(text: string): HookClient {
  const found = HOOK_CLIENTS.find((client) => client === text);
  if (found === undefined) throw new InvalidArgumentError(`one of ${HOOK_CLIENTS.join(', ')}`);
  return found;
}
