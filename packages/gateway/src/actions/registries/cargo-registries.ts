import { type HostFacts, type Registry, registriesAt } from './registry.ts';

const SCHEME = 'sparse+https://';
const MAX_PROGRAM_BYTES = 128 * 1_048_576;

/**
 * cargo: environment and its config files; the download and API hosts of the indexes that it has fetched; and
 * the default index, which stands as a string in the installed program.
 */
export function cargoRegistries(facts: HostFacts): readonly Registry[] {
  const { env, files, home } = facts;
  const cargo = env.CARGO_HOME ?? `${home}/.cargo`;
  const named = Object.entries(env)
    .filter(([key]) => /^CARGO_REGISTRIES_\w+_INDEX$/.test(key))
    .map(([, value]) => value);
  const found: Registry[] = [...registriesAt('cargo', named, 'CARGO_REGISTRIES')];
  let replaced = false;
  for (const path of [`${cargo}/config.toml`, `${cargo}/config`]) {
    const text = files.text(path) ?? '';
    found.push(...registriesAt('cargo', settings(text, /^(?:registry|index)$/), path));
    if (settings(text, /^replace-with$/).length > 0) replaced = true;
  }
  if (replaced) return found;
  for (const index of files.list(`${cargo}/registry/index`)) {
    const path = `${cargo}/registry/index/${index}/config.json`;
    found.push(...registriesAt('cargo', urlsOf(files.text(path) ?? ''), path));
  }
  return [...installedDefault(facts), ...found];
}

/** Values of the keys, whatever their table: `registry = "…"` and `index = "…"` mean the same in all of them. */
function settings(text: string, wanted: RegExp): readonly string[] {
  const values: string[] = [];
  for (const line of text.split('\n')) {
    const [, key, value] = /^\s*(?:[\w."-]+\.)?([\w-]+)\s*=\s*["']([^"']*)["']\s*(?:#.*)?$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined && wanted.test(key)) values.push(value);
  }
  return values;
}

const urlsOf = (json: string): readonly string[] =>
  [...json.matchAll(/"(?:dl|api)"\s*:\s*"([^"{]+)/g)].map((match) => match[1] ?? '');

function installedDefault({ env, files, home }: HostFacts): readonly Registry[] {
  const toolchains = `${env.RUSTUP_HOME ?? `${home}/.rustup`}/toolchains`;
  const programs = [
    ...files.list(toolchains).map((name) => `${toolchains}/${name}/bin/cargo`),
    '/usr/bin/cargo',
    '/usr/local/bin/cargo',
  ];
  for (const path of programs) {
    const registries = registriesAt('cargo', [embeddedIndex(files.bytes(path, MAX_PROGRAM_BYTES))], path);
    if (registries.length > 0) return registries;
  }
  return [];
}

/** Strings stand next to each other in a program: the default is the one that ends a host with a slash. */
function embeddedIndex(program: Buffer | undefined): string | undefined {
  if (program === undefined) return undefined;
  for (let at = program.indexOf(SCHEME); at !== -1; at = program.indexOf(SCHEME, at + 1)) {
    const url = /^sparse\+https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+\//.exec(
      program.toString('latin1', at, at + 120),
    );
    if (url !== null) return url[0];
  }
  return undefined;
}
