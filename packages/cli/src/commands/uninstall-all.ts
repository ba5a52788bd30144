import { homedir } from 'node:os';
import { SallyportError } from '@sallyport/protocol';
import type { CliContext } from '../context.ts';
import { uninstallAll } from '../install/uninstall-all.ts';
import { writeAll } from '../install/write-files.ts';
import { askYes } from '../output.ts';
import type { ServiceManager } from '../service/service-manager.ts';
import { aliasChange } from '../setup/found-agents.ts';
import { openManager } from './service.ts';

interface Flags {
  readonly home?: string;
  readonly yes?: boolean;
  readonly withHome?: boolean;
  readonly json?: boolean;
}

/** `uninstall --all`. */
export async function runUninstallAll(flags: Flags, context: CliContext): Promise<void> {
  const { output, env } = context;
  const paths = context.home(flags);
  const what = flags.withHome === true ? `and delete ${paths.home} with its keys and its trail` : '';
  const question = `Take Sallyport out of every client, stop the gateway, remove service and certificate${what === '' ? '' : `, ${what}`}? [y/N] `;
  if (flags.yes !== true && !(await askYes(context.streams, question)))
    throw new SallyportError('BadRequest', {
      message: 'nothing was changed',
      hint: 'say yes, or pass `--yes`',
    });
  const userHome = env.HOME ?? homedir();
  const aliases = aliasChange(env, userHome, [], '');
  const hadAliases = aliases.before !== aliases.after;
  if (hadAliases) writeAll([aliases]);
  const { removed, left } = await uninstallAll({
    ...{ env, paths, signal: context.signal },
    userHome,
    service: await managerHere(context, flags),
    operator: () => context.operator(flags),
    withHome: flags.withHome === true,
  });
  const all = hadAliases ? [`the aliases in ${aliases.path}`, ...removed] : removed;
  if (flags.json) return output.json({ removed: all, left });
  for (const name of all) output.line(`removed: ${name}`);
  for (const { what: stays, how } of left) output.line(`left: ${stays}\n      ${how}`);
}

async function managerHere(context: CliContext, flags: Flags): Promise<ServiceManager | undefined> {
  try {
    return await openManager(context, flags);
  } catch (error) {
    if (error instanceof SallyportError && error.code === 'ToolMissing') return undefined;
    throw error;
  }
}
