import { existsSync } from 'node:fs';
import { SallyportError } from '@sallyport/protocol';
import type { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { CliContext } from '../context.ts';
import { table } from '../output.ts';

interface Flags {
  readonly home?: string;
  readonly config?: string;
  readonly check?: boolean;
  readonly json?: boolean;
}

interface Part {
  readonly part: 'gateway' | 'database' | 'config';
  /** whether this version goes on with it as it is, or after its next start */
  readonly ok: boolean;
  readonly says: string;
}

export function addVersion(program: Command, context: CliContext): void {
  const { output } = context;
  program
    .command('version')
    .description('this version; with --check, whether database, config and gateway fit it')
    .option('--check', 'look at what is in the home, and change nothing')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport version --check')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { version } = packageJson;
      if (flags.check !== true) return flags.json ? output.json({ version }) : output.line(version);
      const parts = [await gatewayPart(context, flags), ...(await storedParts(context, flags))];
      const ok = parts.every((part) => part.ok);
      if (flags.json) output.json({ version, ok, parts });
      else {
        output.line(`Sallyport ${version}`);
        const mark = (part: Part): string =>
          part.ok ? output.style('green', 'ok') : output.style('red', 'no');
        for (const line of table(parts.map((part) => [`  ${mark(part)}`, part.part, part.says])))
          output.line(line);
      }
      if (!ok) process.exitCode = 1;
    });
}

/** Two versions of us on one gateway: what the other one does not know, it refuses. */
async function gatewayPart(context: CliContext, flags: Flags): Promise<Part> {
  try {
    const status = await context.operator(flags).call({ method: 'GET', path: '/v1/status' }, versionIn);
    const isSame = status.version === packageJson.version;
    return {
      ...{ part: 'gateway', ok: isSame },
      says: isSame
        ? 'runs, and is of this version'
        : `runs, and is of version ${status.version}: \`sallyport stop\`, then start it with this one`,
    };
  } catch (error) {
    if (!(error instanceof SallyportError) || error.code !== 'GatewayNotRunning') throw error;
    return { part: 'gateway', ok: true, says: 'does not run' };
  }
}

/** Of whatever version the answer is. */
function versionIn(value: unknown): { readonly version: string } {
  const version =
    typeof value === 'object' && value !== null && 'version' in value ? String(value.version) : '?';
  return { version };
}

async function storedParts(context: CliContext, flags: Flags): Promise<readonly Part[]> {
  const { checkConfigFile, databaseNeeds } = await import('@sallyport/gateway');
  const paths = context.home(flags);
  const needs = databaseNeeds(paths);
  const database = (ok: boolean, says: string): Part => ({ part: 'database', ok, says });
  const config = (ok: boolean, says: string): Part => ({ part: 'config', ok, says });
  return [
    needs === undefined
      ? database(true, 'there is none in the home')
      : needs.unknown.length > 0
        ? database(
            false,
            `was written by a newer Sallyport (it has \`${needs.unknown[0]}\`): install that version`,
          )
        : needs.pending.length > 0
          ? database(
              true,
              `is older: the next start brings it up to date (${needs.pending.join(', ')}); there is no way back but a backup`,
            )
          : database(true, 'is of this version'),
    configPart(),
  ];

  function configPart(): Part {
    if (!existsSync(paths.config)) return config(true, 'there is none; the first start writes it');
    const checked = checkConfigFile(paths.config, paths, context.env);
    const [first] = checked.problems.filter(({ severity }) => severity === 'error');
    if (first === undefined) return config(true, 'fits');
    return config(
      false,
      `${first.file}:${first.line}: ${first.message}${first.hint === undefined ? '' : `; ${first.hint}`}`,
    );
  }
}
