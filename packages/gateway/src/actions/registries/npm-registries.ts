import { dirname } from 'node:path';
import { findProgram, type HostFacts, type Registry, registriesAt } from './registry.ts';

const DEFAULT =
  /Definition\(\s*['"]registry['"],\s*\{\s*default:\s*['"`]([^'"`]+)|define\(\s*['"]registry['"],\s*\{\s*default:\s*['"`]([^'"`]+)/;

/**
 * npm: environment, the user's and the machine's `npmrc`, scoped registries; else the default that stands in
 * the installed npm's own definitions.
 */
export function npmRegistries(facts: HostFacts): readonly Registry[] {
  const { env, files, home } = facts;
  const cli = findProgram(facts, 'npm');
  const root = cli === undefined ? undefined : dirname(dirname(cli));
  const found: Registry[] = [];
  let main: readonly Registry[] = registriesAt(
    'npm',
    [variable(env, 'npm_config_registry')],
    'npm_config_registry',
  );

  const user = variable(env, 'npm_config_userconfig') ?? `${home}/.npmrc`;
  // npm's own folder is PREFIX/lib/node_modules/npm
  const prefix = root === undefined ? undefined : dirname(dirname(dirname(root)));
  const shared =
    variable(env, 'npm_config_globalconfig') ?? (prefix === undefined ? undefined : `${prefix}/etc/npmrc`);
  for (const path of [user, shared, '/etc/npmrc', root === undefined ? undefined : `${root}/npmrc`]) {
    if (path === undefined) continue;
    const lines = readNpmrc(files.text(path) ?? '');
    if (main.length === 0) main = registriesAt('npm', [lines.get('registry')], path);
    const scoped = [...lines].filter(([key]) => /^@[^:]+:registry$/.test(key)).map(([, value]) => value);
    found.push(...registriesAt('npm', scoped, path));
  }
  if (main.length === 0 && root !== undefined) {
    const path = `${root}/node_modules/@npmcli/config/lib/definitions/definitions.js`;
    const match = DEFAULT.exec(files.text(path) ?? '');
    main = registriesAt('npm', [match?.[1] ?? match?.[2]], path);
  }
  return [...main, ...found];
}

/** npm takes its variables in any case. */
function variable(env: HostFacts['env'], name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toLowerCase() === name);
  const value = key === undefined ? undefined : env[key];
  return value === '' ? undefined : value;
}

function readNpmrc(text: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, key, value] = /^\s*([^;#=\s][^=\s]*)\s*=\s*"?([^"\r]*?)"?\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) lines.set(key, value);
  }
  return lines;
}
