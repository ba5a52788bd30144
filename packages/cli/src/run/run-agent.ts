import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { type HomePaths, homeFailure, resolveHome } from '@sallyport/gateway/home';
import type { NewRun, RunSummary, StartedRun, TakenBackWire } from '@sallyport/protocol';
import { SallyportError } from '@sallyport/protocol/error';
import type { Streams } from '../output.ts';
import { checkForward, type RunPlace, workspaceOf } from './agent-sandbox.ts';
import { type HeldRun, holdRun, type QuestionLine } from './held-run.ts';
import { PRESET_NAMES, type RunFlags } from './run-flags.ts';
import { type AgentStarter, type Supervised, supervise } from './supervise.ts';
import { WaitingNotice } from './waiting-notice.ts';

export interface RunContext {
  readonly env: NodeJS.ProcessEnv;
  readonly streams: Streams;
  readonly cwd: string;
}

/** Exit code of a run that never began, or that was cut short. */
const CUT = 125;
const NOT_FOUND = 127;
/** An agent that failed sooner than this may never have been started. */
const QUICK_MS = 2_000;

/**
 * Runs an agent: finds or starts the gateway, opens a session, puts the agent in a jail, waits, and says what it did.
 *
 * Resolves with the agent's own exit code; 125 when the run was cut short, 127 when there is no such program. Throws
 * when it could not begin.
 */
export async function runAgent(flags: RunFlags, context: RunContext): Promise<number> {
  const { env, streams } = context;
  const paths = resolveHome(env, {
    ...(flags.home === undefined ? {} : { home: flags.home }),
    ...(flags.config === undefined ? {} : { config: flags.config }),
  });
  const note = (text: string): void => void streams.stderr.write(`${text}\n`);
  // Once: later the disk that it is on may hang.
  const workspace = workspaceOf(flags, context);
  checkForward(flags, process.platform);
  const client = flags.usePreset ? (flags.preset ?? clientOf(flags.command[0])) : undefined;
  const place: RunPlace = {
    ...{ env, cwd: context.cwd, userHome: env.HOME ?? homedir(), gatewayHome: paths.home },
    isTerminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
  };
  const isTerminal = 'isTTY' in streams.stderr && streams.stderr.isTTY === true;
  const waiting = new WaitingNotice({
    write: isTerminal ? (text) => void streams.stderr.write(text) : undefined,
    hasLines: client === undefined || !(PRESET_NAMES as readonly string[]).includes(client),
    isDumb: env.TERM === 'dumb' || env.TERM === undefined,
  });
  // While the gateway opens the session, everything else is made ready.
  const [run, starter] = await bothOrNeither(
    openRun(paths, flags, client, context, note, (line) => waiting.take(line)),
    readyAgent(flags, place, note),
  );
  let code: number;
  let cut: string | undefined;
  const giveBack = async (): Promise<void> => {
    // Whatever it was given of the terminal: a program writes to its standard input just as well.
    if (flags.isUnconfined || ![0, 1, 2].some((descriptor) => isatty(descriptor))) return;
    const { settleTerminal } = await import('./terminal/settle-terminal.ts');
    await settleTerminal(env);
  };
  try {
    const { tip, snapshot_problem: problem } = run.started;
    if (isTerminal) note(describeBeginning(run.started));
    if (tip !== null) note(`sallyport: ${tip}`);
    if (problem !== null) note(`sallyport: this run cannot be undone: ${problem}`);
    const over = run.ended.then((reason) => reason ?? 'the gateway is gone');
    const agent = await starter.start(run.started, client);
    const begun = performance.now();
    const ended: Supervised = await supervise(agent, over, giveBack);
    ({ exitCode: code, cut } = ended);
    const isQuick = performance.now() - begun < QUICK_MS;
    // What bwrap says of a kernel that does not let it is no help to anyone; whether it may is quickly tried.
    if (!flags.isUnconfined && code === 1 && isQuick) await explainFailedJail();
  } catch (error) {
    run.drop();
    await starter.clean();
    await settle(starter, workspace, note);
    if (
      error instanceof SallyportError &&
      error.code === 'ToolMissing' &&
      error.details?.exit === NOT_FOUND
    ) {
      note(`sallyport: ${error.message}`);
      return NOT_FOUND;
    }
    throw error;
  }
  waiting.close();
  const cleaning = starter.clean();
  await giveBack();
  const takenBack = await settle(starter, workspace, note);
  if (cut !== undefined) note(`sallyport: the run was ended: ${cut}`);
  // On a terminal, or when somebody asked: the agent's own output stays the agent's.
  if (flags.json || flags.suggest || isTerminal)
    await report(await finish(run, code, takenBack), flags, note);
  else await leave(run, code, takenBack);
  await cleaning;
  return cut === undefined ? code : CUT;
}

/** One line: who watches, and where its questions go. */
function describeBeginning({ agent, confinement, asks }: StartedRun): string {
  const how = confinement === 'jailed' ? 'in a jail' : 'WITHOUT a jail';
  const where = asks.length === 0 ? '' : `${asks.join(', ')} and `;
  return `sallyport: ${agent} works ${how}; questions go to ${where}\`sallyport watch\` in another terminal`;
}

/** What the agent had planted: told in any case, because it tried to run something as the person. */
async function settle(
  { settle }: AgentStarter,
  workspace: string,
  note: (text: string) => void,
): Promise<readonly TakenBackWire[]> {
  const found = (await settle?.()) ?? [];
  if (found.length === 0) return [];
  const { describeTakenBack } = await import('./describe-taken-back.ts');
  const places = found.slice(0, MOST_TAKEN_BACK).map(({ path, why, kept, times }) => ({
    ...{ path: path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path },
    ...{ why: why.slice(0, 400), kept: kept ?? null, times },
  }));
  for (const line of describeTakenBack(places, found.length)) note(line);
  return places;
}

const MOST_TAKEN_BACK = 200;

/** When one of the two fails, what the other made is taken away, and the first failure is thrown. */
async function bothOrNeither(
  opening: Promise<HeldRun>,
  readying: Promise<AgentStarter>,
): Promise<readonly [HeldRun, AgentStarter]> {
  try {
    return await Promise.all([opening, readying]);
  } catch (error) {
    const [opened, made] = await Promise.allSettled([opening, readying]);
    if (opened.status === 'fulfilled') opened.value.drop();
    if (made.status === 'fulfilled') await made.value.clean();
    throw error;
  }
}

async function readyAgent(
  flags: RunFlags,
  place: RunPlace,
  note: (text: string) => void,
): Promise<AgentStarter> {
  if (flags.isUnconfined) {
    const { readyUnconfined } = await import('./start-unconfined.ts');
    return readyUnconfined(flags, place, note);
  }
  const { readyJailed } = await import('./start-jailed.ts');
  return readyJailed(flags, place, note);
}

async function openRun(
  paths: HomePaths,
  flags: RunFlags,
  client: string | undefined,
  context: RunContext,
  note: (text: string) => void,
  onQuestion: (line: QuestionLine) => void,
): Promise<HeldRun> {
  const body: NewRun = {
    confinement: flags.isUnconfined ? 'unconfined' : 'jailed',
    workspace: workspaceOf(flags, context),
    ...(flags.agent === undefined ? {} : { agent: flags.agent }),
    ...(flags.tenant === undefined ? {} : { tenant: flags.tenant }),
    ...(client === undefined ? {} : { client }),
    ...(flags.forward.length === 0 ? {} : { forward: [...flags.forward] }),
  };
  const place = () => ({ socketPath: paths.operatorSocket, token: readToken(paths) });
  try {
    return await holdRun(place(), body, onQuestion);
  } catch (error) {
    if (!(error instanceof SallyportError) || error.code !== 'GatewayNotRunning') throw error;
  }
  note(`sallyport: no gateway is running in ${paths.home}: starting one in the background`);
  const { startGatewayInBackground } = await import('./start-gateway.ts');
  await startGatewayInBackground(paths, context.env, (seconds) =>
    note(`sallyport: waiting for the gateway, ${seconds} s`),
  );
  note('sallyport: it keeps running; `sallyport stop` ends it, `sallyport watch` shows what agents ask');
  return holdRun(place(), body, onQuestion);
}

/** Throws `GatewayNotRunning` when there is no token yet: nothing was ever started there. */
function readToken(paths: HomePaths): string {
  try {
    return readFileSync(paths.operatorToken, 'utf8').trim();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT') throw new SallyportError('GatewayNotRunning', { cause });
    if (code !== 'EACCES' && code !== 'EPERM') throw homeFailure(paths.home, cause);
    throw new SallyportError('NotPermitted', {
      message: `\`${paths.operatorToken}\` cannot be read`,
      hint: 'run this as the user who owns the home of the gateway',
      cause,
    });
  }
}

/** Throws `SandboxUnavailable` when no jail can be built on this machine. */
async function explainFailedJail(): Promise<void> {
  const { BACKENDS } = await import('@sallyport/gateway/sandbox');
  const problem = BACKENDS.bubblewrap.probe();
  if (problem !== undefined) throw problem;
}

/** What it did; undefined when the gateway cannot say any more. */
async function finish(
  run: HeldRun,
  code: number,
  takenBack: readonly TakenBackWire[],
): Promise<RunSummary | undefined> {
  try {
    return await run.finish(code, takenBack);
  } catch {
    return undefined;
  } finally {
    run.drop();
  }
}

/** Nothing is said, but what the agent left is held before anybody goes on. */
async function leave(run: HeldRun, code: number, takenBack: readonly TakenBackWire[]): Promise<void> {
  try {
    await run.leave(code, takenBack);
  } catch {
    // The gateway is gone, and its runs with it.
  } finally {
    run.drop();
  }
}

async function report(
  summary: RunSummary | undefined,
  flags: RunFlags,
  note: (text: string) => void,
): Promise<void> {
  if (flags.json) {
    note(JSON.stringify({ run: summary ?? null }));
    return;
  }
  if (summary === undefined) {
    note('sallyport: the gateway is gone, so there is no summary; `sallyport audit` has the trail');
    return;
  }
  const { runScreen } = await import('./run-screen.ts');
  for (const line of runScreen(summary, flags.suggest)) note(line);
}

/** The name that a command line would choose a preset by: `claude` for `/usr/local/bin/claude`. */
function clientOf(program: string): string {
  const name = program.slice(program.lastIndexOf('/') + 1);
  return name.replace(/\.(?:exe|js|mjs|cjs)$/, '').slice(0, 64);
}
