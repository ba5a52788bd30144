import { SallyportError } from '@sallyport/protocol';
import type { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { CliContext } from '../context.ts';
import { readHidden } from '../read-hidden.ts';

interface Flags {
  readonly home?: string;
  readonly config?: string;
  readonly keys?: boolean;
  readonly withoutKeys?: boolean;
  readonly json?: boolean;
}

/** `backup` and `restore`: one file with what a gateway knows. */
export function addBackup(program: Command, context: CliContext): void {
  const { output } = context;
  program
    .command('backup')
    .description('write what the gateway knows into one file; it may go on running')
    .argument('<target>', 'a file that is not there yet, or a folder')
    .option(
      '--keys',
      'its keys and secrets too, sealed with a passphrase (asked for, or read from the standard input)',
    )
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport backup /backups\n  sallyport backup --keys before-upgrade.backup',
    )
    .action(async (target: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { makeBackup } = await import('@sallyport/gateway');
      const passphrase = flags.keys === true ? await newPassphrase(context) : undefined;
      const paths = context.home(flags);
      const made = await makeBackup({
        ...{ paths, target, passphrase, env: context.env },
        ...{ version: packageJson.version, now: Date.now() },
      });
      if (flags.json) return output.json({ ...made, keys: made.keys });
      output.line(`written: ${made.file} (${(made.bytes / 1e6).toFixed(1)} MB)`);
      if (!made.hasDatabase) output.note('note: the database is a Postgres: back it up with `pg_dump`');
      if (passphrase === undefined)
        output.note('note: without keys and secrets; `--keys` takes them along, sealed');
      if (made.leftOut.length > 0) output.note(`note: not in it: ${made.leftOut.join(', ')}`);
    });

  program
    .command('restore')
    .description('put a backup in the place of what the home has; the gateway must not run')
    .argument('<file>', 'what `sallyport backup` wrote')
    .option('--without-keys', 'leave the keys of the home as they are')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport stop && sallyport restore before-upgrade.backup')
    .action(async (file: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { restoreBackup } = await import('@sallyport/gateway');
      const paths = context.home(flags);
      const { about, before, hasKeys } = await restoreBackup({
        ...{ file, paths, now: Date.now() },
        passphrase: async () =>
          flags.withoutKeys === true
            ? undefined
            : oneLine(await readHidden('passphrase of the keys', context)),
      });
      if (flags.json)
        return output.json({
          home: paths.home,
          made_at: about.made_at,
          before: before ?? null,
          keys: hasKeys,
        });
      output.line(
        `restored: ${paths.home} is as it was on ${about.made_at.slice(0, 16).replace('T', ' ')} UTC`,
      );
      if (before !== undefined) output.line(`what was there before is in ${before}`);
      output.note(
        'note: sessions, keys and grants are those of that time, also what was revoked since: look at `sallyport grants` and `sallyport sessions` after the start',
      );
      if (!hasKeys) output.note('note: keys and secrets are not from the backup');
    });
}

/** Typed twice on a terminal: nobody can read a backup whose passphrase has a slip in it. */
async function newPassphrase(context: CliContext): Promise<string> {
  const first = oneLine(await readHidden('passphrase for the keys', context));
  const stdin = context.streams.stdin ?? process.stdin;
  if (!('isTTY' in stdin) || stdin.isTTY !== true) return first;
  if (oneLine(await readHidden('once more', context)) === first) return first;
  throw new SallyportError('BadRequest', { message: 'the two differ; no backup was made' });
}

function oneLine(text: string): string {
  return text.replace(/\r?\n$/, '');
}
