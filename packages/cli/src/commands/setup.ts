import { mkdirSync, rmSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { COMMAND } from '@sallyport/gateway/own-files';
import { SallyportError } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext, HomeFlags } from '../context.ts';
import type { FileChange } from '../install/settings-file.ts';
import { readHidden } from '../read-hidden.ts';
import type { Asker } from '../setup/asker.ts';
import type { Answers, Given } from '../setup/wizard.ts';

interface Flags extends HomeFlags {
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly agents?: string;
  readonly channel?: string;
  readonly identity?: string;
  readonly set?: readonly string[];
  readonly credentials?: string;
  readonly policy?: string;
  readonly service?: boolean;
  readonly test?: boolean;
}

export function addSetup(program: Command, context: CliContext): void {
  program
    .command('setup')
    .description(
      'six questions, each with a default: agents, where you are asked, credentials, policy, service',
    )
    .option('-y, --yes', 'ask nothing: the defaults, and what is given as flags')
    .option('--agents <how>', 'jail, hook or none')
    .option('--channel <name>', 'where you are asked: terminal, desktop, telegram, slack, discord, email')
    .option('--identity <id>', 'who you are there')
    .option('--set <key=value...>', 'settings of the channel; a secret as a reference: `token=env:NAME`')
    .option('--credentials <names>', 'names with commas between, `all` or `none`')
    .option('--policy <name>', '`keep`, `standard`, or one of policies/')
    .option('--service', 'start the gateway with every login')
    .option('--no-service', 'do not')
    .option('--no-test', 'ask no test question')
    .option('--json', 'print what changed as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport setup\n  sallyport setup --yes\n  sallyport setup --yes --channel telegram --identity 987654321 --set token=env:TELEGRAM_TOKEN --no-test\n\nShows what would change, and writes all of it or nothing. Run it again whenever you like.',
    )
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      await runSetup(flags, context);
    });
}

async function runSetup(flags: Flags, context: CliContext): Promise<void> {
  const { env, output, signal } = context;
  const paths = context.home(flags);
  const asker = await openAsker(flags, context);
  const { askAll, numbered } = await import('../setup/wizard.ts');
  const { readConfig } = await import('../setup/config-draft.ts');
  const { planSetup } = await import('../setup/plan.ts');
  const { configChecks } = await import('@sallyport/gateway');
  const { prepareHome } = await import('@sallyport/gateway/config');
  const userHome = env.HOME ?? homedir();
  const osUser = userInfo().username;
  const before = readConfig(paths.config);
  if (before !== undefined) await demandValid(context, flags);
  const answers = await askAll({
    ...{ asker, paths, env, userHome, osUser, signal, hasConfig: before !== undefined },
    given: givenBy(flags),
    width: columns(context),
    known: await knownCredentials(before),
    simulate: (policy) => simulate(context, flags, before, policy, osUser),
  });
  const command = await shellCommand(context, answers);
  const plan = planSetup(answers, { ...{ paths, env, osUser, command, before } });
  const { showDiff } = await import('../install/show-diff.ts');
  if (plan.changes.length === 0) asker.say('Nothing to change: everything is as you want it.');
  else if (flags.json !== true)
    asker.show(
      'This would change:',
      [...plan.changes, ...plan.imports.map(shownAs)].flatMap((change) => showDiff(change)),
    );
  if (plan.changes.length > 0 && !(await asker.confirm(numbered(6, 'Write this?'), true)))
    throw (await import('../setup/asker.ts')).left();
  signal.throwIfAborted();
  prepareHome(paths);
  await write(plan, { paths, env, checks: configChecks(paths, env) });
  for (const note of plan.notes) asker.say(note);
  const problems = await finish(flags, context, asker, answers);
  if (flags.json)
    return output.json({ changed: plan.changes.map(({ path }) => path), problems, policy: answers.policy });
  asker.say(
    answers.service && problems.length === 0
      ? 'Done. The gateway runs. Next: `sallyport status`'
      : `Done. Next: \`${COMMAND} run -- ${answers.found[0] ?? 'claude'}\`, which starts the gateway if need be`,
  );
}

/** Its value is not shown, and not even read here. */
function shownAs({ path }: { readonly path: string }): FileChange {
  return { path, before: undefined, after: '', isSecret: true };
}

async function write(
  { config, changes, imports }: Awaited<ReturnType<typeof import('../setup/plan.ts')['planSetup']>>,
  place: import('@sallyport/gateway').ConfigPlace,
): Promise<void> {
  const { problemOf } = await import('@sallyport/gateway');
  const { writeConfigSchema, writeSecretFile } = await import('@sallyport/gateway/config');
  const { writeAll } = await import('../install/write-files.ts');
  const problem = problemOf(config, place);
  if (problem !== undefined) throw problem;
  mkdirSync(join(place.paths.home, 'secrets'), { recursive: true, mode: 0o700 });
  const written: string[] = [];
  try {
    for (const { path, material } of imports) {
      writeSecretFile(path, material);
      written.push(path);
    }
    writeAll(changes);
  } catch (error) {
    for (const path of written) rmSync(path, { force: true });
    throw error;
  }
  writeConfigSchema(place.paths.config);
}

/** The service and the hooks, which need the config; what fails is told, and the rest stays. */
async function finish(
  flags: Flags,
  context: CliContext,
  asker: Asker,
  answers: Answers,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      asker.say(what);
    } catch (error) {
      if (!(error instanceof SallyportError)) throw error;
      problems.push(error.message);
      asker.say(`not done: ${what}\n${error.message}${error.hint === undefined ? '' : `\n${error.hint}`}`);
    }
  };
  if (answers.service) {
    const { installService } = await import('./service.ts');
    await attempt('The gateway is a service.', async () => {
      await installService(context, flags);
    });
  }
  if (answers.agents !== 'hook') return problems;
  const { hooksOf } = await import('../setup/found-agents.ts');
  const { planInstall } = await import('../install/run-install.ts');
  const { showDiff } = await import('../install/show-diff.ts');
  const { isGatewayUp, startGatewayInBackground } = await import('../run/start-gateway.ts');
  const paths = context.home(flags);
  // Hooks open their sessions with a secret that the first start makes.
  if (!(await isGatewayUp(paths.operatorSocket)))
    await attempt('The gateway is started.', () => startGatewayInBackground(paths, context.env, () => {}));
  for (const client of hooksOf(answers.found)) {
    await attempt(`The hook of ${client} is installed.`, async () => {
      const plan = planInstall({ client, how: 'install', paths, env: context.env });
      asker.show(
        `Settings of ${client}:`,
        plan.changes.flatMap((change) => showDiff(change)),
      );
      if (plan.changes.length > 0 && !(await asker.confirm(`7/7  Write the settings of ${client}?`, true)))
        throw new SallyportError('BadRequest', { message: `${client} is as it was` });
      plan.apply();
    });
  }
  return problems;
}

async function openAsker(flags: Flags, context: CliContext): Promise<Asker> {
  const { streams, env, signal, output } = context;
  const input = (streams.stdin ?? process.stdin) as Readable & { isTTY?: boolean };
  if (flags.yes === true) {
    const { createDefaultsAsker } = await import('../setup/asker.ts');
    return createDefaultsAsker(flags.json === true ? () => {} : (line) => output.line(line));
  }
  if (input.isTTY !== true || !output.isTerminal || flags.json === true)
    throw new SallyportError('BadRequest', {
      message: 'there is no terminal to ask you in',
      hint: 'run it in one, or take the defaults: `sallyport setup --yes`; `sallyport setup --help` has a flag for each question',
    });
  const screen = streams.stdout as Writable;
  if (env.TERM === 'dumb') {
    const { createPlainAsker } = await import('../setup/plain-asker.ts');
    return createPlainAsker(input, screen, signal, (question) => readHidden(question, context));
  }
  const { createClackAsker } = await import('../setup/clack-asker.ts');
  return createClackAsker(input, screen, signal);
}

function givenBy(flags: Flags): Given {
  const { agents, credentials, set = [] } = flags;
  if (agents !== undefined && agents !== 'jail' && agents !== 'hook' && agents !== 'none')
    throw new SallyportError('BadRequest', { message: '`--agents` is jail, hook or none' });
  const pairs = set.map((text) => {
    const [, key, value] = /^([a-z_]+)=(.*)$/s.exec(text) ?? [];
    if (key !== undefined && value !== undefined) return [key, value] as const;
    throw new SallyportError('BadRequest', { message: `\`${text}\` is not \`key=value\`` });
  });
  const names = credentials === 'all' || credentials === 'none' ? credentials : credentials?.split(',');
  const isScript = flags.yes === true;
  return {
    set: Object.fromEntries(pairs),
    test: flags.test !== false && !isScript,
    ...(agents === undefined ? (isScript ? { agents: 'keep' as const } : {}) : { agents }),
    ...(flags.channel === undefined ? (isScript ? { channel: 'terminal' } : {}) : { channel: flags.channel }),
    ...(flags.identity === undefined ? {} : { identity: flags.identity }),
    ...(names === undefined ? (isScript ? { credentials: 'none' as const } : {}) : { credentials: names }),
    ...(flags.policy === undefined ? {} : { policy: flags.policy }),
    ...(flags.service === undefined ? (isScript ? { service: false } : {}) : { service: flags.service }),
  };
}

/** A config that is broken already is mended first: what it should say is not ours to guess. */
async function demandValid(context: CliContext, flags: Flags): Promise<void> {
  const { checkConfigFile } = await import('@sallyport/gateway');
  const paths = context.home(flags);
  if (checkConfigFile(paths.config, paths, context.env).ok) return;
  throw new SallyportError('ConfigInvalid', {
    message: `\`${paths.config}\` is not valid as it is`,
    hint: `see why: \`${COMMAND} config check\``,
  });
}

async function knownCredentials(text: string | undefined): Promise<readonly string[]> {
  if (text === undefined) return [];
  const { parse } = await import('yaml');
  const config = parse(text) as { tenants?: { default?: { credentials?: object } } };
  return Object.keys(config.tenants?.default?.credentials ?? {});
}

/** What another policy would have decided differently; undefined where no gateway with a past runs. */
async function simulate(
  context: CliContext,
  flags: Flags,
  before: string | undefined,
  policy: string,
  osUser: string,
): Promise<string | undefined> {
  if (before === undefined) return undefined;
  const { baseConfig } = await import('../setup/config-draft.ts');
  const { simulateText } = await import('../setup/simulate-text.ts');
  return simulateText(context.operator(flags), context.home(flags), baseConfig(before, policy, osUser));
}

/** `sallyport` where the shell finds it, else the program itself, at a path that stays. */
async function shellCommand({ env }: CliContext, { agents, found }: Answers): Promise<string> {
  const { isProgram } = await import('../setup/found-agents.ts');
  if ((env.PATH ?? '').split(delimiter).some((folder) => isProgram(join(folder, 'sallyport'))))
    return 'sallyport';
  const { leadHere, stablePlace } = await import('../install/stable-place.ts');
  const place = stablePlace(env, env.HOME ?? homedir());
  if (agents === 'jail' && found.length > 0) leadHere(place);
  return `"${place.node}" "${place.program}"`;
}

function columns({ streams }: CliContext): number {
  return 'columns' in streams.stdout ? streams.stdout.columns : 80;
}
