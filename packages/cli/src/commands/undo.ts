import { resolve } from 'node:path';
import {
  PrunedSchema,
  SallyportError,
  SnapshotListSchema,
  UndoPlanSchema,
  type UndoPlanWire,
  type UndoRequestWire,
  UndoResultSchema,
} from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext, HomeFlags } from '../context.ts';
import type { OperatorClient } from '../operator-client.ts';
import { askYes } from '../output.ts';
import { wholeId } from '../whole-id.ts';

interface Flags extends HomeFlags {
  readonly to?: string;
  readonly path?: readonly string[];
  readonly list?: boolean;
  readonly diff?: boolean;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addUndo(program: Command, context: CliContext): void {
  program
    .command('undo [run]')
    .description('put a workspace back as it was before a run: files, links, branches, index, stash')
    .option('--to <snapshot>', 'another moment than the start of the run')
    .option('--path <path...>', 'only these files or folders')
    .option('--list', 'what can be undone here')
    .option('--diff', 'show the lines that would go and come')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--force', 'also put back what changed after the run')
    .option('--prune', 'remove snapshots that are too old or too many')
    .option('--yes', 'do not ask')
    .option('--json', 'print the answer as JSON; with `--dry-run` or `--yes`')
    .addHelpText(
      'after',
      `
Without a run: the last one in this folder. An undo can be undone as well: it says how.

Examples:
  sallyport undo
  sallyport undo --dry-run --diff
  sallyport undo sess_01… --path src --path README.md
  sallyport undo --list`,
    )
    .action(async (run: string | undefined, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const operator = await findGateway(context, flags);
      if (flags.prune === true) await prune(operator, context, flags);
      else if (flags.list === true) await list(operator, context, flags);
      else
        await undo(operator, context, flags, run === undefined ? run : await wholeId(operator, 'sess', run));
    });
}

async function undo(
  operator: OperatorClient,
  context: CliContext,
  flags: Flags,
  run: string | undefined,
): Promise<void> {
  const { output } = context;
  const { describePlan, describeResult, hasOwnWork, isEmpty } = await import('../undo/describe-plan.ts');
  const cwd = process.cwd();
  let request: UndoRequestWire = {
    ...(run === undefined ? { workspace: cwd } : { run }),
    ...(flags.to === undefined ? {} : { to: flags.to }),
    ...(flags.path === undefined ? {} : { paths: flags.path.map((path) => resolve(cwd, path)) }),
    force: flags.force === true,
  };
  const ask = (): Promise<UndoPlanWire> =>
    operator.call(
      { method: 'POST', path: '/v1/undo/plan', body: { ...request, diff: flags.diff === true } },
      (value) => UndoPlanSchema.parse(value),
    );
  const show = (plan: UndoPlanWire): void => {
    if (flags.json !== true) for (const line of describePlan(plan)) output.line(line);
  };
  let plan = await ask();
  show(plan);
  const mayAsk = flags.yes !== true && flags.dryRun !== true && flags.json !== true;
  if (mayAsk && request.force !== true && hasOwnWork(plan)) {
    if (await askYes(context.streams, 'Put back what changed after the run as well? [y/N] ')) {
      request = { ...request, force: true };
      plan = await ask();
      show(plan);
    }
  }
  if (flags.dryRun === true || isEmpty(plan)) {
    if (flags.json) output.json(plan);
    else if (isEmpty(plan)) output.line('nothing to put back');
    return;
  }
  if (flags.yes !== true && !(mayAsk && (await askYes(context.streams, 'Undo this? [y/N] ')))) {
    throw new SallyportError('BadRequest', {
      message: 'nothing was changed',
      hint: 'say yes, or pass `--yes`',
    });
  }
  const body = { ...request, digest: plan.digest };
  const result = await operator.call({ method: 'POST', path: '/v1/undo', body }, (value) =>
    UndoResultSchema.parse(value),
  );
  if (!result.done) {
    throw new SallyportError('Unprocessable', {
      message: `the undo could not be finished, and everything is as it was: ${result.problem ?? 'no reason was given'}`,
    });
  }
  if (flags.json) output.json(result);
  else for (const line of describeResult(result)) output.line(line);
}

async function list(operator: OperatorClient, { output }: CliContext, flags: Flags): Promise<void> {
  const path = `/v1/snapshots?${new URLSearchParams({ workspace: process.cwd() })}`;
  const found = await operator.call({ method: 'GET', path }, (value) => SnapshotListSchema.parse(value));
  if (flags.json) return output.json(found);
  const { describeList } = await import('../undo/describe-plan.ts');
  for (const line of describeList(found)) output.line(line);
}

async function prune(operator: OperatorClient, { output }: CliContext, flags: Flags): Promise<void> {
  const removed = await operator.call({ method: 'POST', path: '/v1/snapshots/prune' }, (value) =>
    PrunedSchema.parse(value),
  );
  if (flags.json) return output.json(removed);
  const { megabytes } = await import('../undo/describe-plan.ts');
  output.line(`removed ${removed.removed} snapshots, ${megabytes(removed.bytes)}`);
}

/** The gateway holds the snapshots: as `run` does, this starts it where it is not running. */
async function findGateway(context: CliContext, flags: Flags): Promise<OperatorClient> {
  try {
    const operator = context.operator(flags);
    await operator.call({ method: 'GET', path: '/healthz' }, () => undefined);
    return operator;
  } catch (error) {
    if (!(error instanceof SallyportError) || error.code !== 'GatewayNotRunning') throw error;
  }
  const { startGatewayInBackground } = await import('../run/start-gateway.ts');
  const paths = context.home(flags);
  context.output.note(`sallyport: no gateway is running in ${paths.home}: starting one in the background`);
  await startGatewayInBackground(paths, context.env, (seconds) =>
    context.output.note(`sallyport: waiting for the gateway, ${seconds} s`),
  );
  return context.operator(flags);
}
