import { existsSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

interface Flags {
  readonly home?: string;
  readonly json?: boolean;
}

export function addInit(program: Command, context: CliContext): void {
  program
    .command('init')
    .description('make the home and a first config, without starting anything')
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  sallyport init --home ./gate\n\n`start` does this too, the first time.',
    )
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { firstConfigText, prepareHome, writeConfigSchema } = await import('@sallyport/gateway/config');
      const paths = context.home(flags);
      prepareHome(paths);
      const made = !existsSync(paths.config);
      if (made) {
        const text = firstConfigText({ osUser: userInfo().username });
        writeFileSync(paths.config, text, { mode: 0o600, flag: 'wx' });
        writeConfigSchema(paths.config);
      }
      if (flags.json) return context.output.json({ home: paths.home, config: paths.config, made });
      context.output.line(
        made ? `made ${paths.config}` : `${paths.config} is there already; nothing was changed`,
      );
      context.output.note('next: sallyport start');
    });
}
