import { readFileSync, realpathSync } from 'node:fs';
import { SallyportError } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { askYes } from '../output.ts';

interface Flags {
  readonly home?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addConfigMigrate(config: Command, context: CliContext): void {
  const { output } = context;
  config
    .command('migrate [file]')
    .description('rewrite keys that an older version knew, with what it includes; comments stay')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport config migrate')
    .action(async (file: string | undefined, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { configFiles, migrateText } = await import('@sallyport/gateway/config');
      const { showDiff } = await import('../install/show-diff.ts');
      const { writeAll } = await import('../install/write-files.ts');
      const main = file ?? context.home(flags).config;
      // All are worked out before one is written.
      const changes = configFiles(main, context.env).flatMap((named) => {
        const path = realpathSync(named);
        const before = readFileSync(path, 'utf8');
        const after = migrateText(before);
        return after === before ? [] : [{ path, before, after }];
      });
      if (changes.length === 0) {
        if (flags.json) return output.json({ changed: [] });
        return output.line('nothing to change: `sallyport config check` looks at the rest');
      }
      if (!flags.json) for (const change of changes) for (const line of showDiff(change)) output.line(line);
      if (flags.yes !== true && !(await askYes(context.streams, 'Write this? [y/N] ')))
        throw new SallyportError('BadRequest', {
          message: 'nothing was changed',
          hint: 'say yes, or pass `--yes`',
        });
      writeAll(changes);
      if (flags.json) return output.json({ changed: changes.map(({ path }) => path) });
      output.line(`rewritten: ${changes.map(({ path }) => path).join(', ')}`);
    });
}
