import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HomePaths } from '@sallyport/gateway/home';
import { agentPort } from '../agent-port.ts';
import { WITNESS_PATH } from '../hook/client-hooks.ts';

/** Where Codex asks what its hook was told, or why it cannot. */
export type CodexWitnessPlace = { readonly url: string } | { readonly missing: string };

/** The first whose hooks may be tools of MCP servers. An older one takes a file with such a hook for no file at all. */
const SINCE = [0, 152] as const;

/** Looks at the Codex that is in the path, and at the gateway's port: as it runs, else as it was installed before. */
export function findCodexWitness(
  env: NodeJS.ProcessEnv,
  userHome: string,
  paths: Pick<HomePaths, 'runtime'>,
): CodexWitnessPlace {
  const version = codexVersion(env);
  if (version === undefined) return { missing: '`codex` is not in the path' };
  if (version[0] === SINCE[0] && version[1] < SINCE[1])
    return { missing: `Codex is older than ${SINCE.join('.')}` };
  const port = agentPort(paths) ?? installedPort(env.CODEX_HOME ?? join(userHome, '.codex'));
  if (port === undefined) return { missing: 'the gateway is not running' };
  return { url: `http://127.0.0.1:${port}${WITNESS_PATH}` };
}

function codexVersion(env: NodeJS.ProcessEnv): readonly [number, number] | undefined {
  const { stdout } = spawnSync('codex', ['--version'], { env, encoding: 'utf8', timeout: 10_000 });
  const found = /(\d+)\.(\d+)\.\d+/.exec(stdout ?? '');
  return found === null ? undefined : [Number(found[1]), Number(found[2])];
}

function installedPort(home: string): number | undefined {
  try {
    const text = readFileSync(join(home, 'config.toml'), 'utf8');
    const found = /^url = "http:\/\/127\.0\.0\.1:(\d+)\/v1\/hooks\/codex\/mcp"$/m.exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}
