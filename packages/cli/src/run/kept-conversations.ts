import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import type { Preset } from './presets/preset.ts';

/** Where a client finds its conversations inside, and where they lie on the host. */
export interface KeptFolder {
  readonly path: string;
  readonly target: string;
}

/**
 * The conversations of a client, so that `claude --resume` finds them in the next run of the same workspace. Each
 * workspace has folders of its own: what an agent reads there, an agent wrote there.
 *
 * SECURITY: only folders of conversations, never a login or settings: what is written into one run is no command in the
 * next. A client in a jail has placeholders, so no token can be in what it keeps [CR-1].
 */
export function keptConversations(
  place: { readonly env: NodeJS.ProcessEnv; readonly userHome: string },
  workspace: string,
  preset: Preset | undefined,
): readonly KeptFolder[] {
  const { env, userHome } = place;
  const own = env.XDG_STATE_HOME;
  const state = own !== undefined && isAbsolute(own) ? own : join(userHome, '.local/state');
  const name = `${basename(workspace).replace(/[^\w.-]/g, '_')}-${createHash('sha256').update(workspace).digest('hex').slice(0, 16)}`;
  return (preset?.conversations ?? []).map((path) => {
    const target = join(state, 'sallyport/conversations', name, preset?.name ?? '', basename(path));
    mkdirSync(target, { recursive: true, mode: 0o700 });
    return { path: join(userHome, path), target };
  });
}
