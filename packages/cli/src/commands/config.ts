import { resolve } from 'node:path';
import type { LocatedProblem } from '@sallyport/gateway/config';
import { ComparedSchema, ConfigStateSchema, ReloadedSchema, SallyportError } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { type Output, relativeTime } from '../output.ts';
import { addConfigMigrate } from './config-migrate.ts';

/** How long a gateway that runs here may take to compare, in ms */
const ANSWER_MS = 5_000;

interface Flags {
  readonly home?: string;
  readonly json?: boolean;
  readonly offline?: boolean;
}

export function addConfig(program: Command, context: CliContext): void {
  const { output } = context;
  const config = program
    .command('config')
    .description('check the config, print its schema, see what is in force')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport config check\n  sallyport config schema > sallyport.schema.json',
    );

  config
    .command('check [file]')
    .description('read a config as the gateway would, and try its channels and sources, without starting it')
    .option('--offline', 'read it only: try nothing that it names')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport config check team.yaml')
    .action(async (file: string | undefined, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { checkConfigFile, configChecks, formatProblems, tryConfigFile } = await import(
        '@sallyport/gateway'
      );
      const paths = context.home(flags);
      const path = file ?? paths.config;
      const checked = checkConfigFile(path, paths, context.env);
      const { env, signal } = context;
      const tried =
        checked.ok && flags.offline !== true
          ? await tryConfigFile(path, { paths, env, signal }, configChecks(paths, env))
          : [];
      const failed = tried.filter(({ status }) => status !== 'ok');
      const waiting = checked.ok ? await needsRestart(context, flags, resolve(path)) : [];
      if (flags.json)
        output.json({
          ok: checked.ok,
          file: path,
          problems: checked.problems.map(plain),
          needs_restart: waiting,
          tried,
        });
      else {
        if (checked.problems.length > 0)
          output.line(formatProblems(checked.problems, { color: output.isTerminal }));
        output.line(
          checked.ok
            ? `${output.style('green', 'ok')}  ${path}`
            : `${output.style('red', 'not valid')}  ${path}`,
        );
        if (waiting.length > 0) sayRestart(output, waiting);
        for (const { status, title, message, fix } of failed) {
          const mark = output.style(
            status === 'fail' ? 'red' : 'yellow',
            status === 'fail' ? 'does not work' : 'warning',
          );
          output.line(`${mark}  ${title}: ${message}`);
          if (fix !== undefined) output.line(`  ${fix}`);
        }
        if (tried.length > failed.length)
          output.line(
            `tried and fine: ${tried
              .filter(({ status }) => status === 'ok')
              .map(({ title }) => title)
              .join(', ')}`,
          );
      }
      if (!checked.ok || failed.some(({ status }) => status === 'fail')) process.exitCode = 1;
    });

  addConfigMigrate(config, context);

  config
    .command('schema')
    .description('print the JSON Schema of the config, for editors')
    .addHelpText('after', '\nExample:\n  sallyport config schema > sallyport.schema.json')
    .action(async () => {
      const { jsonSchema } = await import('@sallyport/gateway/config');
      context.streams.stdout.write(`${JSON.stringify(jsonSchema(), null, 2)}\n`);
    });

  config
    .command('show')
    .description('what is in force: files, revision, warnings, the last change that was refused')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport config show')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const state = await context
        .operator(flags)
        .call({ method: 'GET', path: '/v1/config' }, (value) => ConfigStateSchema.parse(value));
      if (flags.json) return output.json(state);
      output.line(`revision ${state.revision}, in force since ${relativeTime(state.loaded_at)}`);
      for (const file of state.files) output.line(`  ${file}`);
      for (const warning of state.warnings)
        output.line(`${output.style('yellow', 'warning')}  ${warning.at ?? ''} ${warning.message}`);
      for (const { key, message } of state.problems)
        output.line(`${output.style('red', 'problem')}  ${key}: ${message}`);
      if (state.needs_restart.length > 0) sayRestart(output, state.needs_restart);
      if (state.rejected === null) return;
      output.line(
        `${output.style('red', 'refused')}  ${relativeTime(state.rejected.at)}: ${state.rejected.message}`,
      );
      for (const problem of state.rejected.problems) output.line(`  ${problem.at ?? ''} ${problem.message}`);
    });

  config
    .command('reload')
    .description('read the config again now (it is also read whenever a file changes)')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport config reload')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const answer = await context
        .operator(flags)
        .call({ method: 'POST', path: '/v1/config/reload' }, (value) => ReloadedSchema.parse(value));
      if (flags.json) return output.json(answer);
      output.line(answer.changed ? `revision ${answer.config.revision} is in force` : 'nothing has changed');
      for (const { key, message } of answer.config.problems)
        output.line(`${output.style('red', 'problem')}  ${key}: ${message}`);
      if (answer.config.needs_restart.length > 0) sayRestart(output, answer.config.needs_restart);
      if (answer.config.rejected !== null)
        throw new SallyportError('ConfigInvalid', { message: answer.config.rejected.message });
    });
}

/** What the gateway that runs in this home would need a restart for; nothing where none runs. */
async function needsRestart(context: CliContext, flags: Flags, file: string): Promise<readonly string[]> {
  try {
    const compared = await context.operator(flags).call(
      {
        method: 'POST',
        path: '/v1/config/compare',
        body: { file },
        signal: AbortSignal.timeout(ANSWER_MS),
      },
      (value) => ComparedSchema.parse(value),
    );
    return compared.needs_restart;
  } catch {
    // The check is about the file: whether a gateway can be asked is another question.
    return [];
  }
}

function sayRestart(output: Output, keys: readonly string[]): void {
  output.line(`${output.style('yellow', 'needs a restart')}  ${keys.join(', ')}`);
  output.line('  the gateway that runs here was started with other values');
}

function plain({ file, line, column, severity, message, hint }: LocatedProblem): Record<string, unknown> {
  return { severity, at: `${file}:${line}:${column}`, message, ...(hint === undefined ? {} : { hint }) };
}
