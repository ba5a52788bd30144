import { join } from 'node:path';
import { readPlainText } from '../../shared/git-folder.ts';

const LARGEST = 1_048_576;

/**
 * What a program goes by when its words do not say where: read from its own files, in their usual places. It is part of what is
 * asked about, so that a yes holds for that place alone [GA-11]. Undefined: nobody can say.
 */
export function currentSetting(program: string, cwd: string, home: string): string | undefined {
  const read = (...path: readonly string[]): string => readPlainText(join(...path), LARGEST, 'follow') ?? '';
  switch (program) {
    case 'kubectl':
    case 'helm':
      return plain(/^current-context:[ \t]*["']?([^"'\r\n#]+)/m.exec(read(home, '.kube/config'))?.[1]);
    case 'gcloud': {
      const name = plain(read(home, '.config/gcloud/active_config')) ?? 'default';
      // SECURITY: the name becomes part of a path.
      if (!/^[\w-]+$/.test(name)) return undefined;
      const file = read(home, '.config/gcloud/configurations', `config_${name}`);
      const core = /^\[core\]\s*$([^[]*)/m.exec(file)?.[1] ?? '';
      return plain(/^project[ \t]*=[ \t]*(.+)$/m.exec(core)?.[1]);
    }
    case 'terraform':
      return plain(read(cwd, '.terraform/environment'));
    case 'az':
      return defaultSubscription(read(home, '.azure/azureProfile.json'));
    // open: any program may be asked for
    default:
      return undefined;
  }
}

function plain(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
}

function defaultSubscription(text: string): string | undefined {
  try {
    const { subscriptions } = JSON.parse(text.replace(/^\uFEFF/, '')) as { subscriptions?: unknown };
    const list = Array.isArray(subscriptions)
      ? (subscriptions as { isDefault?: unknown; id?: unknown }[])
      : [];
    const id = list.find(({ isDefault }) => isDefault === true)?.id;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
