import { dirname } from 'node:path';
import { findProgram, type HostFacts, type Registry, registriesAt } from './registry.ts';

/** go: environment, the user's `go/env`, else the `go.env` of the installed toolchain; proxies and checksums. */
export function goRegistries(facts: HostFacts): readonly Registry[] {
  const { env, files, home } = facts;
  const program = findProgram(facts, 'go');
  const roots = [
    env.GOROOT,
    program === undefined ? undefined : dirname(dirname(program)),
    '/usr/local/go',
    '/usr/lib/go',
  ];
  const paths = [
    env.GOENV ?? `${env.XDG_CONFIG_HOME ?? `${home}/.config`}/go/env`,
    ...roots.map((root) => (root === undefined ? undefined : `${root}/go.env`)),
  ];
  const layers = [
    { source: 'environment', settings: new Map(Object.entries(env)) },
    ...paths.flatMap((path) =>
      path === undefined ? [] : [{ source: path, settings: readEnv(files.text(path) ?? '') }],
    ),
  ];
  const found: Registry[] = [];
  for (const name of ['GOPROXY', 'GOSUMDB']) {
    const layer = layers.find(({ settings }) => (settings.get(name) ?? '') !== '');
    const value = layer?.settings.get(name);
    if (layer === undefined || value === undefined) continue;
    found.push(
      ...registriesAt('go', name === 'GOPROXY' ? value.split(/[,|]/) : sumUrls(value), layer.source),
    );
  }
  return found;
}

/** `name`, `name+key` or `name+key url`: the name is the host unless a URL follows. */
function sumUrls(value: string): readonly string[] {
  const [name = '', url] = value.trim().split(/\s+/);
  if (name === 'off') return [];
  return [url ?? `https://${name.split('+')[0]}`];
}

function readEnv(text: string): Map<string, string | undefined> {
  const settings = new Map<string, string | undefined>();
  for (const line of text.split('\n')) {
    const [, key, value] = /^([A-Z0-9_]+)=(.*?)\r?$/.exec(line) ?? [];
    if (key !== undefined) settings.set(key, value);
  }
  return settings;
}
