import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Engine {
  /** programs that must stand together in one folder */
  readonly programs: readonly string[];
  /** where distributions put them when they are not on the PATH */
  folders(): readonly string[];
  /** files that it needs besides */
  readonly files?: readonly string[];
  readonly install: string;
}

const ENGINES = {
  aws: { programs: ['aws'], folders: () => [], install: 'apt-get install awscli' },
  bubblewrap: { programs: ['bwrap'], folders: () => [], install: 'apt-get install bubblewrap' },
  git: { programs: ['git'], folders: () => [], install: 'apt-get install git' },
  postgres: {
    programs: ['initdb', 'postgres', 'createdb'],
    folders: () => debianPostgresFolders(),
    install: 'apt-get install postgresql',
  },
  python: { programs: ['python3', 'pip3'], folders: () => [], install: 'apt-get install python3-pip' },
  sqlite3: { programs: ['sqlite3'], folders: () => [], install: 'apt-get install sqlite3' },
  sshfs: {
    programs: ['sshfs', 'fusermount3'],
    folders: () => [],
    files: ['/usr/lib/openssh/sftp-server'],
    install: 'apt-get install sshfs openssh-sftp-server',
  },
  tmux: { programs: ['tmux'], folders: () => [], install: 'apt-get install tmux' },
} as const satisfies Record<string, Engine>;

export type EngineName = keyof typeof ENGINES;

export interface EngineState {
  /** folder of its programs; undefined when it is missing */
  readonly folder: string | undefined;
  readonly missing: boolean;
  /** command that installs it: part of the name of what is skipped */
  readonly install: string;
}

/**
 * Looks for an engine that some tests need: `describe.skipIf(requireEngine('postgres').missing)`.
 *
 * With `SALLYPORT_TEST_ALL=1` a missing engine is an error that names the command that installs it.
 */
export function requireEngine(name: EngineName): EngineState {
  const engine: Engine = ENGINES[name];
  const folder = [...pathFolders(), ...engine.folders()].find(
    (candidate) =>
      engine.programs.every((program) => isExecutable(join(candidate, program))) &&
      (engine.files ?? []).every((file) => existsSync(file)),
  );
  if (folder === undefined && process.env.SALLYPORT_TEST_ALL === '1') {
    throw new Error(`${name} is missing: install it with \`${engine.install}\``);
  }
  return { folder, missing: folder === undefined, install: engine.install };
}

function pathFolders(): readonly string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}

function debianPostgresFolders(): readonly string[] {
  const root = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(root, version, 'bin'));
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
