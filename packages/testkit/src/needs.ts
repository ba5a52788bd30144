import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { postgresBinaries } from './postgres-binaries.ts';

/**
 * What some tests need and `npm ci` does not bring. The one place where it is looked for: a test asks with
 * `describe.skipIf(needs.missing)(...)` and has `needs.install` in its name, so that whoever sees it skipped knows what
 * to type. With `SALLYPORT_TEST_ALL=1` a missing one is an error.
 */
interface Engine {
  /** programs that must all be on the PATH */
  readonly programs?: readonly string[];
  /** files that it needs besides */
  readonly files?: readonly string[];
  /** whatever else must hold */
  readonly check?: () => boolean;
  readonly install: string;
  /** missing even with `SALLYPORT_TEST_ALL=1`, because `npm run test:setup` cannot bring it everywhere */
  readonly isOptional?: boolean;
}

const apt = (packages: string): string => `apt-get install ${packages}`;

export const ENGINES = {
  aws: { programs: ['aws'], install: apt('awscli') },
  bubblewrap: {
    programs: ['bwrap'],
    // It may be there and not allowed to make namespaces.
    check: () => spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0,
    install: apt('bubblewrap'),
  },
  curl: { programs: ['curl'], install: apt('curl') },
  direnv: { programs: ['direnv'], install: apt('direnv') },
  fuse: { files: ['/dev/fuse'], install: 'a kernel with FUSE', isOptional: true },
  git: { programs: ['git'], install: apt('git') },
  go: { programs: ['go'], install: apt('golang-go'), isOptional: true },
  java: { programs: ['java', 'keytool'], install: apt('default-jdk-headless'), isOptional: true },
  make: { programs: ['make'], install: apt('make') },
  postgres: { check: () => postgresBinaries() !== undefined, install: apt('postgresql'), isOptional: true },
  ps: { programs: ['ps'], install: apt('procps') },
  pip: { programs: ['python3', 'pip3'], install: apt('python3-pip') },
  python: { programs: ['python3'], install: apt('python3') },
  'python-requests': {
    programs: ['python3'],
    check: () => spawnSync('python3', ['-c', 'import requests']).status === 0,
    install: apt('python3-requests'),
  },
  'python-venv': {
    programs: ['python3'],
    check: () => spawnSync('python3', ['-c', 'import venv']).status === 0,
    install: apt('python3-venv'),
  },
  // Starts programs of this repository as another user.
  'other-user': {
    check: () => spawnSync(process.execPath, ['-e', ''], { uid: 65_534, gid: 65_534 }).status === 0,
    install: 'run as root, in a folder that every user may read',
  },
  root: { check: () => process.getuid?.() === 0, install: 'run as root', isOptional: true },
  sqlite3: { programs: ['sqlite3'], install: apt('sqlite3') },
  ssh: { programs: ['ssh', 'ssh-keygen'], install: apt('openssh-client') },
  'ssh-audit': { programs: ['ssh-audit'], install: apt('ssh-audit') },
  sshfs: {
    programs: ['sshfs', 'fusermount3'],
    files: ['/usr/lib/openssh/sftp-server'],
    install: apt('sshfs openssh-sftp-server'),
  },
  // Not in Debian.
  terraform: {
    programs: ['terraform'],
    install: 'https://developer.hashicorp.com/terraform/install',
    isOptional: true,
  },
  tmux: { programs: ['tmux'], install: apt('tmux') },
} as const satisfies Record<string, Engine>;

export type EngineName = keyof typeof ENGINES;

export interface Needs {
  readonly missing: boolean;
  /** commands that install it: part of the name of what is skipped */
  readonly install: string;
}

/** Programs and features of the machine. */
export function requireEngine(...names: readonly EngineName[]): Needs {
  const missing = names.filter((name) => !isThere(ENGINES[name]));
  for (const name of missing) {
    const { install, isOptional = false }: Engine = ENGINES[name];
    if (!isOptional) demand(name, install);
  }
  return { missing: missing.length > 0, install: names.map((name) => ENGINES[name].install).join(', ') };
}

/** Packages in a folder of `tools/`, which `npm run test:setup` installs outside the repository. */
export function requireTools(name: string): Needs & { readonly folder: string } {
  const lock = readFileSync(join(TOOLS, name, 'package-lock.json'));
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const folder = join(process.env.SALLYPORT_CACHE ?? join(homedir(), '.cache/sallyport'), name, version);
  const missing = !existsSync(join(folder, 'node_modules/.package-lock.json'));
  if (missing) demand(`tools/${name}`, SETUP);
  return { folder, missing, install: SETUP };
}

/** Where each agent's program stands in `tools/partners`. */
const PARTNERS = {
  claude: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
  codex: '.bin/codex',
  pi: '.bin/pi',
} as const;

export type PartnerName = keyof typeof PARTNERS;

/** An agent that people use. */
export function requirePartner(name: PartnerName): Needs & { readonly program: string } {
  const { folder, install, missing } = requireTools('partners');
  return { program: join(folder, 'node_modules', PARTNERS[name]), missing, install };
}

const TOOLS = join(import.meta.dirname, '../../../tools');
const SETUP = 'npm run test:setup';

function demand(name: string, install: string): void {
  if (process.env.SALLYPORT_TEST_ALL === '1')
    throw new Error(`${name} is missing: install it with \`${install}\``);
}

function isThere({ programs = [], files = [], check = () => true }: Engine): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return (
    programs.every((program) => folders.some((folder) => isExecutable(join(folder, program)))) &&
    files.every((file) => existsSync(file)) &&
    check()
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
