import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import v8 from 'node:v8';
import type { RunningGateway } from '@sallyport/gateway';
import { COMMAND } from '@sallyport/gateway/own-files';
import { PORT_NAMES, PORTS, type PortName } from '@sallyport/protocol';
import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext } from '../context.ts';
import { leadHereAgain, stablePlace } from '../install/stable-place.ts';
import { type Output, table } from '../output.ts';
import { QuietTerminal } from '../quiet-terminal.ts';

interface Flags extends Readonly<Partial<Record<`${PortName}Port`, number>>> {
  readonly home?: string;
  readonly json?: boolean;
  readonly config?: string;
  readonly prompt?: boolean;
  readonly detach?: boolean;
}

export function addStart(program: Command, context: CliContext): void {
  const command = program
    .command('start')
    .description('start the gateway in the foreground; the first start makes all it needs')
    .option('--config <file>', 'config file ($SALLYPORT_CONFIG, sallyport.yaml in the home)');
  for (const name of PORT_NAMES)
    command.option(`--${name}-port <port>`, `${PORTS[name].about} (0 = any free one)`, parsePort);
  command
    .option('--no-prompt', 'do not ask in this terminal; people are asked on the other channels')
    .option(
      '--detach',
      'in the background: returns when it is up; what it says is in `gateway.log` in its home',
    )
    .option('--json', 'print one JSON line when it is up')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport start\n  sallyport start --detach\n  sallyport start --home ./gate --api-port 0 --proxy-port 0 --ssh-port 0 --operator-port 0\n\nCtrl-C stops it.',
    )
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { output } = context;
      leadHereAgain(stablePlace(context.env, context.env.HOME ?? homedir()));
      if (flags.detach === true) return startDetached(flags, context);
      if (output.isTerminal && flags.json !== true) output.note('starting …');
      youngStaysYoung();
      const { startGateway } = await import('@sallyport/gateway');
      const gateway = await startGateway({
        env: context.env,
        ...(flags.home === undefined ? {} : { home: flags.home }),
        ...(flags.config === undefined ? {} : { configFile: flags.config }),
        ports: Object.fromEntries(
          PORT_NAMES.flatMap((name) => {
            const port = flags[`${name}Port`];
            return port === undefined ? [] : [[name, port]];
          }),
        ),
        signal: context.signal,
        ...(output.isTerminal ? { log: quietLog(flags, context) } : {}),
      });
      // Once it is up: nobody waits for what only editors read.
      if (gateway.firstStart)
        (await import('@sallyport/gateway/config')).writeConfigSchema(gateway.home.config);
      if (flags.json)
        output.json({ status: 'ok', pid: process.pid, home: gateway.home.home, ports: gateway.ports });
      else for (const line of describeStart(gateway, output)) output.line(line);
      await Promise.all([gateway.closed, promptFor(gateway, flags, context)]);
    });
}

async function startDetached(flags: Flags, context: CliContext): Promise<void> {
  const { isGatewayUp, startGatewayInBackground } = await import('../run/start-gateway.ts');
  const { output } = context;
  const paths = context.home(flags);
  const wasUp = await isGatewayUp(paths.operatorSocket);
  if (!wasUp) {
    const ports = PORT_NAMES.flatMap((name) => {
      const port = flags[`${name}Port`];
      return port === undefined ? [] : [`--${name}-port`, String(port)];
    });
    await startGatewayInBackground(
      paths,
      context.env,
      (seconds) => output.note(`starting … ${seconds} s`),
      ports,
    );
  }
  // Written last, when everything else answers already.
  for (let looks = 0; !existsSync(paths.runtime) && looks < 100; looks += 1) await setTimeout(50);
  const runtime = JSON.parse(readFileSync(paths.runtime, 'utf8')) as { pid: number; ports: object };
  if (flags.json) return output.json({ status: 'ok', home: paths.home, ...runtime });
  output.line(
    `${wasUp ? 'it runs already' : 'Sallyport is running'}, pid ${runtime.pid}; \`${COMMAND} stop\` stops it`,
  );
  if (!wasUp) output.line(`what it says is in ${join(paths.home, 'gateway.log')}`);
}

/**
 * An event waits in memory for its batch for a moment. The engine learns from that to put the objects of every request where
 * it collects seldom and with much work, which took a fifth of the CPU and memory that grew and fell by 100 MB. Before
 * anything of the gateway is compiled: only a guess of the optimizer is turned off.
 */
function youngStaysYoung(): void {
  v8.setFlagsFromString('--no-allocation-site-pretenuring');
}

/** In a terminal of its own the gateway asks right there; piped, with `--json` or `--no-prompt`, it asks elsewhere only. */
async function promptFor(gateway: RunningGateway, flags: Flags, context: CliContext): Promise<void> {
  const { output } = context;
  const { stdin, stdout } = process;
  if (!output.isTerminal || !stdin.isTTY || flags.json === true || flags.prompt === false) return;
  const { promptWhileRunning } = await import('../approvals/start-prompt.ts');
  const ended = new AbortController();
  void gateway.closed.then(() => ended.abort());
  await promptWhileRunning({
    operator: context.operator({ home: gateway.home.home }),
    output,
    stdin,
    width: () => stdout.columns,
    signal: ended.signal,
    onInterrupt: () => process.kill(process.pid, 'SIGINT'),
  });
}

/** On a terminal a person reads; piped, every line goes out as JSON. */
function quietLog(flags: Flags, context: CliContext): QuietTerminal {
  return new QuietTerminal(context.output, join(context.home(flags).home, 'gateway.log'));
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('a port is a number from 0 to 65535.');
  return port;
}

/** What a person reads after a start: that it runs, where, and what to do next. */
export function describeStart(gateway: RunningGateway, output: Output): readonly string[] {
  const { home, urls, firstStart } = gateway;
  const where = table([
    ['  agents', urls.api],
    ['  proxy', urls.proxy],
    ['  operator', urls.operator],
    ['  config', home.config],
    ['  home', home.home],
  ]);
  const next = table([
    [`  ${COMMAND} run -- claude`, 'your agent, in a jail'],
    [`  ${COMMAND} watch`, 'what agents do, and what waits for you'],
    [`  ${COMMAND} explain -- 'Bash(git push origin main)'`, 'what the gate would say'],
  ]);
  return [
    `${output.style('green', 'Sallyport is running.')}${firstStart ? ' This was its first start: everything it needs was made.' : ''}`,
    '',
    ...where,
    '',
    ...(firstStart ? ['What to do next, in another terminal:', ...next, ''] : []),
    output.style('dim', 'Ctrl-C stops it; `sallyport stop --now` is the kill switch.'),
  ];
}
