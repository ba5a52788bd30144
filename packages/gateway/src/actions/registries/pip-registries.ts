import { dirname } from 'node:path';
import { findProgram, type HostFacts, type Registry, registriesAt } from './registry.ts';

const DEFAULT = /PackageIndex\(\s*["']([^"']+)["'](?:,\s*file_storage_domain\s*=\s*["']([^"']+)["'])?/;

/** pip: environment and its config files; else the index and the file host that stand in the installed pip. */
export function pipRegistries(facts: HostFacts): readonly Registry[] {
  const { env, files, home } = facts;
  const found: Registry[] = [];
  found.push(...registriesAt('pypi', words(env.PIP_INDEX_URL), 'PIP_INDEX_URL'));
  let replaced = found.length > 0;
  found.push(...registriesAt('pypi', words(env.PIP_EXTRA_INDEX_URL), 'PIP_EXTRA_INDEX_URL'));
  const config = env.XDG_CONFIG_HOME ?? `${home}/.config`;
  for (const path of [
    env.PIP_CONFIG_FILE,
    `${config}/pip/pip.conf`,
    `${home}/.pip/pip.conf`,
    '/etc/xdg/pip/pip.conf',
    '/etc/pip.conf',
  ]) {
    if (path === undefined) continue;
    const settings = readConfig(files.text(path) ?? '');
    const main = replaced ? [] : registriesAt('pypi', words(settings.get('index-url')), path);
    if (main.length > 0) replaced = true;
    found.push(...main, ...registriesAt('pypi', words(settings.get('extra-index-url')), path));
  }
  return replaced ? found : [...installedDefault(facts), ...found];
}

function installedDefault(facts: HostFacts): readonly Registry[] {
  for (const folder of libraryFolders(facts)) {
    for (const version of facts.files
      .list(folder)
      .filter((name) => /^python3/.test(name))
      .toReversed()) {
      for (const packages of ['site-packages', 'dist-packages']) {
        const path = `${folder}/${version}/${packages}/pip/_internal/models/index.py`;
        const [, index, fileHost] = DEFAULT.exec(facts.files.text(path) ?? '') ?? [];
        if (index === undefined) continue;
        return registriesAt(
          'pypi',
          [index, fileHost === undefined ? undefined : `https://${fileHost}/`],
          path,
        );
      }
    }
  }
  return [];
}

function libraryFolders(facts: HostFacts): readonly string[] {
  const python = findProgram(facts, 'python3');
  const pyenv = `${facts.env.PYENV_ROOT ?? `${facts.home}/.pyenv`}/versions`;
  return [
    ...(python === undefined ? [] : [`${dirname(dirname(python))}/lib`]),
    ...facts.files
      .list(pyenv)
      .toReversed()
      .map((version) => `${pyenv}/${version}/lib`),
    '/usr/local/lib',
    '/usr/lib',
  ];
}

const words = (text: string | undefined): readonly string[] =>
  text?.split(/\s+/).filter((word) => word !== '') ?? [];

/** Sections `[global]` and `[install]` of an ini file; a value goes on in indented lines. */
function readConfig(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let wanted = false;
  let last: string | undefined;
  for (const line of text.split('\n')) {
    const section = /^\[([^\]]+)\]/.exec(line)?.[1];
    const [, key, value] = /^([\w-]+)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (section !== undefined) {
      wanted = section === 'global' || section === 'install';
      last = undefined;
    } else if (wanted && key !== undefined && value !== undefined) {
      last = key.replaceAll('_', '-');
      settings.set(last, value);
    } else if (wanted && last !== undefined && /^\s+[^\s#;]/.test(line)) {
      settings.set(last, `${settings.get(last) ?? ''} ${line.trim()}`);
    }
  }
  return settings;
}
