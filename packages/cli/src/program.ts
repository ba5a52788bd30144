import { Command } from 'commander';
import { addApprove } from './commands/approve.ts';
import { addAudit } from './commands/audit.ts';
import { addCa } from './commands/ca.ts';
import { addCompletion } from './commands/completion.ts';
import { addConfig } from './commands/config.ts';
import { addCredentials } from './commands/credentials.ts';
import { addDeny } from './commands/deny.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExplain } from './commands/explain.ts';
import { addGrants } from './commands/grants.ts';
import { addHook } from './commands/hook.ts';
import { addInit } from './commands/init.ts';
import { addInstall } from './commands/install.ts';
import { addKeys } from './commands/keys.ts';
import { addMcp } from './commands/mcp.ts';
import { addPending } from './commands/pending.ts';
import { addPolicy } from './commands/policy.ts';
import { addRun } from './commands/run.ts';
import { addServers } from './commands/servers.ts';
import { addSessions } from './commands/sessions.ts';
import { addStart } from './commands/start.ts';
import { addStatus } from './commands/status.ts';
import { addStop } from './commands/stop.ts';
import { addWatch } from './commands/watch.ts';
import type { CliContext } from './context.ts';
import { VERSION } from './version.ts';

/** The whole command line. Commands that need the gateway's code load it when they run, so that help is quick. */
export function createProgram(context: CliContext): Command {
  const program = new Command('sallyport')
    .description(
      'The gate between AI agents and the world: it decides, asks you when it must, and remembers.',
    )
    .version(VERSION, '-V, --version')
    .option('--home <folder>', 'where the gateway keeps its state ($SALLYPORT_HOME, ~/.sallyport)')
    .showHelpAfterError('(sallyport --help shows what there is)')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.streams.stdout.write(text),
      writeErr: (text) => void context.streams.stderr.write(text),
    })
    .addHelpText(
      'after',
      '\nFirst steps:\n  sallyport run -- claude    run an agent in a jail; starts the gateway if need be\n  sallyport start      start the gateway; the first start makes all it needs\n  sallyport status     what it is doing\n  sallyport doctor     what is missing on this machine\n\nExit codes: 0 ok, 1 failed, 2 usage.',
    );

  addRun(program, context);
  addInit(program, context);
  addStart(program, context);
  addStop(program, context);
  addStatus(program, context);
  addDoctor(program, context);
  addInstall(program, context);
  addHook(program, context);
  addWatch(program, context);
  addPending(program, context);
  addApprove(program, context);
  addDeny(program, context);
  addConfig(program, context);
  addExplain(program, context);
  addPolicy(program, context);
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
