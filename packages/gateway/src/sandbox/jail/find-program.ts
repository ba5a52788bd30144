import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isInside } from '../../shared/is-inside.ts';

/** Folders that every jail has, read-only. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/opt', '/nix/store', '/run/current-system/sw'];

/**
 * Below a home: where tool chains live that hold no secrets. A PATH that leads there brings the whole of it along,
 * because its programs load what stands beside them.
 */
const TOOL_CHAINS = [
  '.nvm/versions',
  '.volta',
  '.local/share/fnm',
  '.pyenv',
  '.rbenv',
  '.asdf',
  '.local/share/mise',
  '.cargo/bin',
  '.rustup',
  '.bun',
  '.deno',
  '.npm-global',
  '.local/share/pnpm',
  '.local/share/uv',
  '.sdkman',
  'go',
];

/** What of the machine's programs is in the jail. */
export interface ProgramView {
  /** `PATH` inside */
  readonly path: string;
  /** host paths to bind read-only, so that the PATH leads somewhere */
  readonly readOnly: readonly string[];
  /** the program as it is to be started; undefined when there is none of that name */
  readonly program: string | undefined;
}

const STANDARD = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Looks for a program as a shell would, and finds out what has to be bound for it to run. */
export function viewPrograms(options: {
  readonly command: string;
  readonly path: string;
  readonly userHome: string;
  readonly cwd: string;
  /** folders that are in the jail anyway: workspace and writable paths */
  readonly bound: readonly string[];
}): ProgramView {
  const { command, userHome, cwd, bound } = options;
  const entries = options.path.split(':').filter((entry) => isAbsolute(entry));
  const readOnly = new Set<string>();
  const kept: string[] = [];
  for (const entry of entries) {
    const chain = TOOL_CHAINS.map((name) => join(userHome, name)).find((root) => isInside(entry, root));
    if (chain !== undefined && isFolder(chain)) readOnly.add(chain);
    else if (![...SYSTEM, ...bound].some((root) => isInside(entry, root))) continue;
    if (!kept.includes(entry)) kept.push(entry);
  }
  const program = command.includes('/') ? executable(resolve(cwd, command)) : lookUp(command, entries);
  const scripts = program === undefined ? undefined : interpreterOf(program);
  if (program !== undefined)
    for (const extra of bundleOf(program, scripts !== undefined)) readOnly.add(extra);
  // `#!/usr/bin/env node`: the one that this shell would take, wherever it is.
  const interpreter = scripts === undefined ? undefined : lookUp(scripts, entries);
  if (interpreter !== undefined) {
    readOnly.add(interpreter);
    if (!kept.includes(dirname(interpreter))) kept.unshift(dirname(interpreter));
  }
  const path = [...kept, ...STANDARD.filter((entry) => !kept.includes(entry))].join(':');
  const inJail = [...SYSTEM, ...bound];
  return {
    path,
    program,
    readOnly: [...readOnly].filter(
      (place) =>
        !inJail.some((root) => isInside(place, root)) &&
        // What lies in a folder that is bound is there already, links too.
        ![...readOnly].some((root) => root !== place && isInside(place, root)),
    ),
  };
}

function lookUp(command: string, entries: readonly string[]): string | undefined {
  return entries.map((entry) => executable(join(entry, command))).find((found) => found !== undefined);
}

/** The program itself and, for one that is a package, all of the package with what it depends on. */
function bundleOf(program: string, isScript: boolean): readonly string[] {
  const real = realpathSync(program);
  const modules = real.indexOf('/node_modules/');
  if (isScript && modules !== -1) return [program, join(real.slice(0, modules), 'node_modules')];
  // A program of its own folder (`~/.local/share/claude/versions/2.1`) needs no more than itself.
  return [program, ...interpreterFolder(real)];
}

/** What a script asks `env` to run it with: `node`. */
function interpreterOf(program: string): string | undefined {
  const head = Buffer.alloc(256);
  const descriptor = openSync(program, 'r');
  try {
    const length = readSync(descriptor, head, 0, head.length, 0);
    const [line = ''] = head.toString('latin1', 0, length).split('\n', 1);
    return /^#!\s*\/usr\/bin\/env\s+(?:-S\s+)?([\w.-]+)/.exec(line)?.[1];
  } finally {
    closeSync(descriptor);
  }
}

/** `…/venv/bin/aider`: a script whose packages stand in the same environment. */
function interpreterFolder(real: string): readonly string[] {
  const environment = dirname(dirname(real));
  return isFile(join(environment, 'pyvenv.cfg')) ? [environment] : [];
}

function executable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
