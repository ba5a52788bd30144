import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { resolveHome } from '@sallyport/gateway/home';
import { SallyportError } from '@sallyport/protocol';
import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext } from '../context.ts';
import type { ServiceManager } from '../service/service-manager.ts';

interface Flags {
  readonly home?: string;
  readonly config?: string;
  readonly json?: boolean;
  readonly follow?: boolean;
  readonly lines?: number;
}

/** The gateway as a service of this user: there after a reboot, and the terminal is free. */
export function addService(program: Command, context: CliContext): void {
  const { output } = context;
  const service = program
    .command('service')
    .description('the gateway as a service of yours: systemd on Linux, launchd on macOS')
    .addHelpText('after', '\nExamples:\n  sallyport service install\n  sallyport service logs --follow');

  service
    .command('install')
    .description('start the gateway now and with every login; a second time restarts it')
    .option('--config <file>', 'config file ($SALLYPORT_CONFIG, sallyport.yaml in the home)')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport service install')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const manager = await installService(context, flags);
      if (flags.json) return output.json({ manager: manager.name, file: manager.file });
      output.line(`installed and started: ${manager.file}`);
      for (const note of manager.notes()) output.note(`note: ${note}`);
    });

  service
    .command('remove')
    .description('stop it and take it out; the home stays as it is')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport service remove')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const manager = await openManager(context, flags);
      const removed = manager.remove();
      if (flags.json) return output.json({ removed, file: manager.file });
      output.line(removed ? `stopped and removed: ${manager.file}` : 'there is no service to remove');
    });

  service
    .command('status')
    .description('whether it is installed and running')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport service status')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const manager = await openManager(context, flags);
      const state = manager.state();
      if (flags.json) return output.json({ manager: manager.name, file: manager.file, ...state });
      if (!state.installed) return output.line('not installed: `sallyport service install` does it');
      const comes = state.enabled ? 'starts with every login' : 'does not start by itself';
      output.line(`${state.running ? 'running' : 'not running'}, ${comes}`);
      output.line(`${manager.name}: ${manager.file}`);
    });

  service
    .command('logs')
    .description('what it said')
    .option('-f, --follow', 'go on as it speaks')
    .option('-n, --lines <number>', 'how many of the last lines', parseLines, 100)
    .addHelpText('after', '\nExample:\n  sallyport service logs --follow')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const manager = await openManager(context, flags);
      const [name = '', ...argv] = manager.logs({ lines: flags.lines ?? 100, follow: flags.follow === true });
      const child = spawn(name, argv, { stdio: 'inherit', env: context.env });
      process.exitCode = await new Promise<number>((resolve, reject) => {
        child.once('error', (cause) =>
          reject(new SallyportError('ToolMissing', { message: `\`${name}\` cannot be started`, cause })),
        );
        child.once('close', (code) => resolve(code ?? 1));
      });
    });
}

/** Writes the service and starts it. Throws `ToolMissing` where nothing manages services. */
export async function installService(context: CliContext, flags: Flags): Promise<ServiceManager> {
  const manager = await openManager(context, flags);
  await refuseRunning(context, flags, manager);
  const { leadHere, stablePlace } = await import('../install/stable-place.ts');
  leadHere(stablePlace(context.env, context.env.HOME ?? homedir()));
  manager.install();
  return manager;
}

/** The service of a home. Throws `ToolMissing` where there is no manager. */
export async function openManager(context: CliContext, flags: Flags): Promise<ServiceManager> {
  const { findServiceManager } = await import('../service/service-manager.ts');
  const { stablePlace } = await import('../install/stable-place.ts');
  const { env } = context;
  const userHome = env.HOME ?? homedir();
  const paths = context.home(flags);
  const { node, program } = stablePlace(env, userHome);
  const config = paths.config === join(paths.home, 'sallyport.yaml') ? [] : ['--config', paths.config];
  return findServiceManager(
    { platform: process.platform, env, userHome, userId: process.getuid?.() ?? 0 },
    {
      home: paths.home,
      isUsualHome: paths.home === resolveHome({ HOME: userHome }).home,
      argv: [node, program, 'start', '--no-prompt', '--home', paths.home, ...config],
      log: join(paths.home, 'gateway.log'),
    },
  );
}

/** A gateway that somebody started by hand has the home: the service could only fail. */
async function refuseRunning(context: CliContext, flags: Flags, manager: ServiceManager): Promise<void> {
  const { isGatewayUp } = await import('../run/start-gateway.ts');
  if (manager.state().running || !(await isGatewayUp(context.home(flags).operatorSocket))) return;
  throw new SallyportError('HomeInUse', {
    message: 'a gateway that is no service runs already',
    hint: 'stop it first: `sallyport stop`',
  });
}

function parseLines(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('a number of lines.');
  return Number(text);
}
