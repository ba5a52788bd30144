import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { type CliContext, createContext } from '../context.ts';
import { EXIT, type Streams } from '../output.ts';
import { printError, printTrouble } from '../print-error.ts';
import { usageTrouble } from '../usage-error.ts';
import { addApprove, addDeny } from './approve.ts';
import { addAudit } from './audit.ts';
import { addBackup } from './backup.ts';
import { addCa } from './ca.ts';
import { addCompletion } from './completion.ts';
import { addConfig } from './config.ts';
import { addCredentials } from './credentials.ts';
import { addDoctor } from './doctor.ts';
import { addExplain } from './explain.ts';
import { addGrants } from './grants.ts';
import { addHook } from './hook.ts';
import { addInit } from './init.ts';
import { addInstall } from './install.ts';
import { addKeys } from './keys.ts';
import { addMcp } from './mcp.ts';
import { addPending } from './pending.ts';
import { addPolicy } from './policy.ts';
import { addRun } from './run.ts';
import { addServers } from './servers.ts';
import { addService } from './service.ts';
import { addSessions } from './sessions.ts';
import { addSetup } from './setup.ts';
import { addStart } from './start.ts';
import { addStats } from './stats.ts';
import { addStatus } from './status.ts';
import { addStop } from './stop.ts';
import { addSuggest } from './suggest.ts';
import { addUndo } from './undo.ts';
import { addVersion } from './version.ts';
import { addWatch } from './watch.ts';

/** The whole command line. Commands that need the gateway's code load it when they run, so that help is quick. */
export function createProgram(context: CliContext): Command {
  const program = new Command('sallyport')
    .description(
      'The gate between AI agents and the world: it decides, asks you when it must, and remembers.',
    )
    .version(packageJson.version, '-V, --version')
    .option('--home <folder>', 'where the gateway keeps its state ($SALLYPORT_HOME, ~/.sallyport)')
    .option('--wide', 'cut no column of a table, however narrow the terminal is')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.streams.stdout.write(text),
      writeErr: (text) => void context.streams.stderr.write(text),
      // Said below, in the one style of errors.
      outputError: () => {},
    })
    .on('option:wide', () => context.output.widen())
    .addHelpText(
      'after',
      '\nFirst steps:\n  sallyport setup      a few questions, and everything is in place\n  sallyport run -- claude    run an agent in a jail; starts the gateway if need be\n  sallyport start      start the gateway; the first start makes all it needs\n  sallyport status     what it is doing\n  sallyport doctor     what is missing on this machine\n\nExit codes: 0 ok, 1 failed, 2 usage.',
    );

  addRun(program, context);
  addUndo(program, context);
  addSetup(program, context);
  addInit(program, context);
  addStart(program, context);
  addStop(program, context);
  addStatus(program, context);
  addService(program, context);
  addDoctor(program, context);
  addBackup(program, context);
  addVersion(program, context);
  addInstall(program, context);
  addHook(program, context);
  addWatch(program, context);
  addPending(program, context);
  addApprove(program, context);
  addDeny(program, context);
  addConfig(program, context);
  addExplain(program, context);
  addPolicy(program, context);
  addStats(program, context);
  addSuggest(program, context);
  addGrants(program, context);
  addSessions(program, context);
  addKeys(program, context);
  addCredentials(program, context);
  addServers(program, context);
  addMcp(program, context);
  addCa(program, context);
  addAudit(program, context);
  addCompletion(program, context);
  return program;
}

/** Runs one command line and says with which code the process should end. */
export async function runCli(input: {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly streams: Streams;
  readonly signal: AbortSignal;
}): Promise<number> {
  const context = createContext(input);
  const program = createProgram(context);
  try {
    if (input.argv.length === 0) {
      program.outputHelp();
      return EXIT.usage;
    }
    await program.parseAsync([...input.argv], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.ok;
      sayUsage(error, program, context, input.argv);
      return EXIT.usage;
    }
    if (input.signal.aborted) return EXIT.failed;
    printError(error, context.output, input.argv.includes('--json'));
    return EXIT.failed;
  }
}

/** A group of commands without one (`sallyport audit`) has shown its help already. */
function sayUsage(
  error: CommanderError,
  program: Command,
  { output }: CliContext,
  argv: readonly string[],
): void {
  if (error.code === 'commander.help') return;
  if (argv.includes('--json')) {
    output.json({ error: { code: 'BadRequest', message: error.message.replace(/^error: /, '') } });
  } else printTrouble(usageTrouble(error, program, argv), output);
}
