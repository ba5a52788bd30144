/**
 * `npm run build`: the package that people install, in `dist/package`. `npm run pack` makes its tarball too, in `dist`.
 * `--out=FOLDER` takes another folder than `dist`.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildPackage } from './pack/build-package.ts';

const root = resolve(import.meta.dirname, '..');
const args = process.argv.slice(2);
const named = args.find((arg) => arg.startsWith('--out='))?.slice('--out='.length);
const out = resolve(named ?? join(root, 'dist'));
const folder = join(out, 'package');
await buildPackage(root, folder);
console.log(`built: ${megabytes(sizeOf(folder))} in ${folder}`);

if (args.includes('--pack')) {
  const argv = ['pack', folder, '--pack-destination', out, '--loglevel=error'];
  const file = join(out, execFileSync('npm', argv, { cwd: out, encoding: 'utf8' }).trim());
  console.log(`packed: ${megabytes(statSync(file).size)} in ${file}`);
}

function sizeOf(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
