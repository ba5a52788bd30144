import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');
/** What runs on a person's machine: whatever a config names is done by a file of these. */
const PACKAGES = ['protocol', 'gateway', 'worker', 'client', 'cli'];

interface Import {
  readonly folder: string;
  readonly specifier: string;
  /** what comes before the path within the package */
  readonly name: string;
}

const sources = PACKAGES.flatMap((name) =>
  globSync(`packages/${name}/{src,bin}/**/*.{ts,js}`, { cwd: ROOT })
    .filter((path) => !/\.(test|contract|fixture)\.ts$|-cases\/|\/cases\//.test(path))
    .map((path) => ({ path, folder: `packages/${name}`, text: codeOf(path) })),
);

function codeOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8').replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
}

/** Every package that some code loads, now or when it is first used; types are gone by then. */
const imports: readonly Import[] = sources.flatMap(({ folder, text }) =>
  [
    ...text.matchAll(/^(?:import|export) (?!type )[^;]*? from '([^'.][^']*)';|^import '([^'.][^']*)';/gms),
    ...text.matchAll(/(?<!typeof )\b(?:import|require|import\.meta\.resolve)\(\s*'([^'.][^']*)'\s*\)/g),
  ]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((specifier) => !isBuiltin(specifier))
    .map((specifier) => ({
      folder,
      specifier,
      name: /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier,
    })),
);
const byFolder = new Map<string, Map<string, Import>>();
for (const one of imports) {
  const own = byFolder.get(one.folder) ?? new Map<string, Import>();
  byFolder.set(one.folder, own.set(one.specifier, one));
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly optional?: boolean } | undefined>
  >;
}

// `as`: files of npm, in this repository
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;

test('the libraries of channels, clouds, mail and models are among what is looked at', () => {
  const seen = imports.map(({ name }) => name);
  for (const name of [
    '@slack/bolt',
    'discord.js',
    'imapflow',
    'google-auth-library',
    'ai',
    'pg',
    'zod',
    'graphql',
  ])
    expect(seen).toContain(name);
});

test('[CF-2] no code looks for a module at a place that only a second install would fill', () => {
  const computed = sources.filter(({ text }) =>
    /(?<!typeof )\bimport\((?!\s*')|\brequire\((?!\s*')/.test(text),
  );
  expect(computed.map(({ path }) => path)).toEqual([]);
});

describe.each([...byFolder])('[CF-2] what %s loads', (folder, specifiers) => {
  const { dependencies = {} } = manifestOf(folder);

  test.each([...specifiers.values()])('$specifier comes with `npm ci`, on every platform', ({ name }) => {
    expect(dependencies).toHaveProperty([name], expect.any(String));
    const locked = lock.packages[`${folder}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`];
    expect(locked).toBeDefined();
    expect([locked?.dev ?? false, locked?.optional ?? false]).toEqual([false, false]);
  });

  test('is there, and can be loaded', async () => {
    const program = `
      import { existsSync } from 'node:fs';
      for (const name of ${JSON.stringify([...specifiers.keys()])}) {
        if (!existsSync(new URL(import.meta.resolve(name)))) throw new Error(name + ' is not there');
        if (!name.endsWith('.wasm')) await import(name);
      }
      process.exit(0);`;
    const options = { cwd: join(ROOT, folder), timeout: 120_000 };
    // Rejects with what Node says about the module that it cannot load.
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], options);
  });
});
