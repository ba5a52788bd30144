import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HomePaths } from '@sallyport/gateway/home';
import { SallyportError } from '@sallyport/protocol';
import { type FileChange, readSettings } from './settings-file.ts';

/** Our own folder in the user's config. */
export function configFolder(env: NodeJS.ProcessEnv, userHome: string): string {
  const base = env.XDG_CONFIG_HOME;
  return join(base?.startsWith('/') === true ? base : join(userHome, '.config'), 'sallyport');
}

/** Where hooks find what they open sessions with: one file for each gateway. */
export function enrollmentFile(folder: string, paths: Pick<HomePaths, 'home'>): string {
  const name = createHash('sha256').update(paths.home).digest('hex').slice(0, 12);
  return join(folder, `hook-${name}.json`);
}

/**
 * The file as it is to be. It gives the rights of an agent and no more: whoever reads it can ask the gate, and never
 * answer. Throws `GatewayNotRunning` when the gateway was never started.
 */
export function enrollmentChange(path: string, paths: HomePaths, agent: string | undefined): FileChange {
  let secret: string;
  try {
    secret = readFileSync(paths.enrollmentSecret, 'utf8').trim();
  } catch (cause) {
    throw new SallyportError('GatewayNotRunning', {
      message: `there is no \`${paths.enrollmentSecret}\` that you may read`,
      hint: 'start the gateway once with `sallyport start`, or name its home with `--home`',
      cause,
    });
  }
  const content = { home: paths.home, tenant: 'default', ...(agent === undefined ? {} : { agent }), secret };
  const after = `${JSON.stringify(content, null, 2)}\n`;
  return { path, before: readSettings(path), after, mode: 0o600, isSecret: true };
}
