import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

/** The package, built and installed into a folder of its own as a stranger would, without a network. */
export interface InstalledPackage {
  /** what the shell starts */
  readonly program: string;
  /** where npm put it */
  readonly folder: string;
  readonly tarball: string;
  readonly prefix: string;
  /** puts the tarball into the prefix, again too */
  install(): void;
  readonly userHome: string;
  /** a folder with `node` in it, the one that runs this */
  readonly nodeFolder: string;
  /** another one, for anything */
  readonly elsewhere: string;
  env(more?: Readonly<Record<string, string>>): Record<string, string>;
  start(argv: readonly string[], how?: StartOptions): Started;
  run(argv: readonly string[], how?: StartOptions): Promise<Ended>;
  /** every file below the prefix with its size and time */
  files(): readonly string[];
  remove(): void;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  /** what starts it: a Node and its flags; the shell's way unless given */
  readonly node?: readonly string[];
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout(): string;
}

export async function installPackage(): Promise<InstalledPackage> {
  const dir = mkdtempSync(join(tmpdir(), 'sallyport-package-'));
  const at = (name: string): string => {
    mkdirSync(join(dir, name));
    return join(dir, name);
  };
  const [built, prefix, userHome, elsewhere] = [at('built'), at('a prefix'), at('home'), at('elsewhere')];
  const nodeFolder = at('node');
  symlinkSync(process.execPath, join(nodeFolder, 'node'));
  const npmEnv = { ...process.env, HOME: userHome, npm_config_cache: join(dir, 'npm-cache') };
  const run = (program: string, argv: readonly string[]): string =>
    execFileSync(program, argv, { cwd: elsewhere, env: npmEnv, encoding: 'utf8' });
  run(process.execPath, [
    resolve(import.meta.dirname, '../../../../scripts/build.ts'),
    '--pack',
    `--out=${built}`,
  ]);
  const tarball = join(built, `sallyport-${packageJson.version}.tgz`);
  const install = (): void =>
    void run('npm', ['install', '--global', '--offline', '--omit=optional', '--prefix', prefix, tarball]);
  install();
  const program = join(prefix, 'bin/sallyport');
  const env: InstalledPackage['env'] = (more) => ({
    HOME: userHome,
    PATH: `${nodeFolder}:/usr/local/bin:/usr/bin:/bin`,
    TERM: 'dumb',
    ...more,
  });
  const start: InstalledPackage['start'] = (argv, { cwd = elsewhere, node = [], ...how } = {}) => {
    const [first = '', ...rest] = [...node, program, ...argv];
    const child = spawn(first, rest, { cwd, env: how.env ?? env() });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(how.input ?? '');
    const ended = new Promise<Ended>((done, failed) => {
      child.once('error', failed);
      child.once('close', (code, signal) => done({ code, signal, stdout, stderr }));
    });
    return { process: child, ended, stdout: () => stdout };
  };
  return {
    ...{ program, tarball, prefix, install, userHome, nodeFolder, elsewhere, env, start },
    folder: join(prefix, 'lib/node_modules/sallyport'),
    run: (argv, how) => start(argv, how).ended,
    files: () =>
      readdirSync(prefix, { recursive: true, encoding: 'utf8' })
        .toSorted()
        .map((name) => `${name} ${describeFile(join(prefix, name))}`),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function describeFile(path: string): string {
  const { size, mtimeMs } = lstatSync(path);
  return `${size} ${mtimeMs}`;
}

/** Sum of the sizes of the files in a folder. */
export function sizeOfFolder(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => {
    const stats = statSync(join(folder, name));
    return sum + (stats.isFile() ? stats.size : 0);
  }, 0);
}
