import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { OWN_FILES } from '../../packages/gateway/src/shared/own-files.ts';

/** What the libraries try to load and go without: speed-ups and drivers of their own. */
const NOT_INCLUDED = [
  'zlib-sync',
  'bufferutil',
  'utf-8-validate',
  'pg-native',
  're2',
  'supports-color',
  'encoding',
  'cpu-features',
  './crypto/build/Release/sshcrypto.node',
];

/** Files of the checkout that go along as they are. */
const COPIED = ['LICENSE', 'CHANGELOG.md', 'policies', 'docs/config.schema.json'];

/** Builds the package `sallyport` into `folder`, which is emptied first. Rejects when anything would be missing in it. */
export async function buildPackage(root: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const lib = join(folder, 'lib');
  mkdirSync(lib, { recursive: true });
  await bundle(root, lib);
  for (const [name, source] of Object.entries(OWN_FILES)) {
    if (isProgram(name)) continue;
    const from = source.startsWith('npm:')
      ? fileURLToPath(import.meta.resolve(source.slice('npm:'.length)))
      : join(root, 'packages', source);
    copy(from, join(lib, name));
  }
  for (const name of COPIED) copy(join(root, name), join(folder, name));
  copy(join(root, 'packages/cli/bin/sallyport.js'), join(folder, 'bin/sallyport.js'));
  copy(join(root, 'docs/install.md'), join(folder, 'README.md'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(root, lib), null, 2)}\n`);
}

const isProgram = (name: string): boolean => name.endsWith('.js');

async function bundle(root: string, lib: string): Promise<void> {
  const programs = Object.entries(OWN_FILES).filter(([name]) => isProgram(name));
  const problems: string[] = [];
  const built = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      programs.map(([name, source]) => [name.slice(0, -'.js'.length), join('packages', source)]),
    ),
    platform: 'node',
    external: NOT_INCLUDED,
    plugins: [plainRequire],
    onLog(_level, { code, message }) {
      // Libraries may use `eval` and be what they are; what is missing, or not what it was, is no package.
      if (code !== 'EVAL') problems.push(message);
    },
  });
  const { output } = await built.write({
    dir: lib,
    // CommonJS: it starts in half the time of modules, most of which goes into the modules of Node itself.
    format: 'cjs',
    minify: { compress: false, mangle: false, codegen: true },
    comments: { legal: false, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await built.close();
  const known = new Set([...builtinModules, ...NOT_INCLUDED, ...output.map(({ fileName }) => fileName)]);
  for (const file of output) {
    if (file.type !== 'chunk') continue;
    writeFileSync(join(lib, file.fileName), asciiOnly(file.code));
    for (const name of [...file.imports, ...file.dynamicImports])
      if (!name.startsWith('node:') && !known.has(name)) problems.push(`\`${name}\` is not in the package`);
  }
  if (problems.length > 0) throw new Error(`the package would not be whole:\n${problems.join('\n')}`);
}

/** A `require` that was made for a module is the bundle's own: what it loads is in the bundle, and loaded when it is called. */
const plainRequire: Plugin = {
  name: 'plain-require',
  transform: {
    filter: { id: /packages\/.*\.ts$/, code: 'createRequire(import.meta.url)' },
    handler: (code) => code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, ''),
  },
};

/**
 * Letters beyond ASCII are written as escapes: one of them makes the engine keep the text of a whole file with two bytes for each
 * letter, which took 7 MiB of a gateway. Behind a backslash, or in raw text, an escape would mean something else.
 */
function asciiOnly(code: string): string {
  if (/\\[^\p{ASCII}]|String\.raw`[^`]*[^\p{ASCII}`]/u.test(code))
    throw new Error('a letter beyond ASCII cannot be written as an escape');
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function manifest(root: string, lib: string): unknown {
  const read = (path: string) =>
    JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;
  const { name, version, license } = read('packages/cli/package.json');
  const { description, optionalDependencies } = read('package.json');
  return {
    ...{ name, version, description, license },
    bin: { sallyport: 'bin/sallyport.js' },
    engines: { node: '>=18' },
    os: ['linux', 'darwin'],
    optionalDependencies,
    sallyport: { files: readdirSync(lib).length },
  };
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}
