import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import { isInside } from '../../shared/is-inside.ts';
import { SECRETS_OF_HOME } from '../../shared/well-known-secrets.ts';
import type { JailSpec } from './jail-spec.ts';

/** A host path in the jail. */
export interface BoundPath {
  /** without links: where it is mounted from and to */
  readonly real: string;
  /** as it was named, when that leads over a link: made again inside as a link */
  readonly named: string | undefined;
  readonly writable: boolean;
  readonly folder: boolean;
  /** whether files below it are looked for that must not be seen */
  readonly searched: boolean;
}

/** Where everything of a spec really lies. */
export interface JailPaths {
  /** parents before children */
  readonly bound: readonly BoundPath[];
  /** real paths that exist below a bound path and must not be seen */
  readonly hidden: readonly { readonly path: string; readonly folder: boolean }[];
}

const NEVER_BOUND = ['/', '/proc', '/sys', '/dev', '/etc', '/usr', '/var', '/run', '/boot', '/home', '/tmp'];

/**
 * Follows every link of the spec's paths and refuses what would open the jail: `SandboxRefused`.
 *
 * SECURITY: what is bound is what was checked: the real path, which holds no link any more.
 */
export function resolveJailPaths(spec: JailSpec): JailPaths {
  const bound = new Map<string, BoundPath>();
  const add = (path: string, writable: boolean, role: string, searched = true): void => {
    const entry = { ...resolveBound(path, writable, role), searched };
    checkBound(entry.real, spec, role);
    const other = bound.get(entry.real);
    // The same path twice: read-only wins, but the workspace is what the command is about.
    if (other === undefined || (!writable && other.real !== workspace.real)) bound.set(entry.real, entry);
  };
  const workspace = resolveBound(spec.workspace, true, 'the workspace');
  add(spec.workspace, true, 'the workspace', spec.ownsWorkspace !== true);
  if (!workspace.folder) refuse(`the workspace \`${spec.workspace}\` is not a folder`, 'name a folder');
  for (const path of spec.writable) add(path, true, 'the writable path');
  for (const path of spec.readOnly) add(path, false, 'the readable path');
  for (const path of spec.programs ?? []) add(path, false, 'the program', false);
  const list = [...bound.values()].sort((a, b) => a.real.length - b.real.length);

  const home = realOrNearest(spec.home.path);
  const above = list.find((entry) => isInside(home, entry.real));
  if (above !== undefined) {
    refuse(
      `the home inside the jail, \`${spec.home.path}\`, lies in \`${above.real}\`, which is the host's`,
      'take another folder as the home inside, or bind less',
    );
  }
  return { bound: list, hidden: hiddenBelow(list, spec) };
}

/** The real path, also of something that does not exist yet: that of its nearest parent, and the rest. */
export function realOrNearest(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOrNearest(parent), basename(path));
  }
}

function resolveBound(path: string, writable: boolean, role: string): BoundPath {
  if (!isAbsolute(path) || path.includes('\0')) {
    refuse(`${role} \`${path}\` is not an absolute path`, 'name it from the root on');
  }
  const named = normalize(path).replace(/(?<=.)\/$/, '');
  try {
    const real = realpathSync(named);
    const folder = lstatSync(real).isDirectory();
    return { real, named: real === named ? undefined : named, writable, folder, searched: true };
  } catch (cause) {
    throw new SallyportError('SandboxRefused', {
      message: `${role} \`${path}\` cannot be found`,
      hint: 'check its spelling and that you may read it',
      cause,
    });
  }
}

function checkBound(real: string, spec: JailSpec, role: string): void {
  if (NEVER_BOUND.includes(real) || ['/proc', '/sys', '/dev'].some((folder) => isInside(real, folder))) {
    refuse(`${role} \`${real}\` belongs to the system`, 'name a folder of your own');
  }
  // SECURITY: whoever writes the gateway's home approves their own requests; whoever reads it has every key.
  const gatewayHome = realOrNearest(spec.gatewayHome);
  if (isInside(gatewayHome, real) || isInside(real, gatewayHome)) {
    refuse(
      `${role} \`${real}\` holds the gateway's own folder or lies in it`,
      `work in another folder, or move the gateway's with \`SALLYPORT_HOME\``,
    );
  }
  const userHome = realOrNearest(spec.userHome);
  if (isInside(userHome, real) && !spec.allowHome) {
    refuse(`${role} \`${real}\` is or contains your home`, 'work in a folder of its own below it');
  }
  const secret = SECRETS_OF_HOME.find((path) => isInside(real, realOrNearest(join(userHome, path))));
  if (secret !== undefined) {
    refuse(
      `${role} \`${real}\` holds secrets (\`~/${secret}\`)`,
      'lend them: see `sallyport credentials add --help`',
    );
  }
}

/** SECURITY: a secret that is a link is hidden where it really lies, since that path leads to it as well. */
function hiddenBelow(bound: readonly BoundPath[], spec: JailSpec): JailPaths['hidden'] {
  const secrets = SECRETS_OF_HOME.map((path) => join(spec.userHome, path));
  const found = new Map<string, boolean>();
  for (const path of [...spec.hidden, ...secrets]) {
    try {
      const real = realpathSync(path);
      if (bound.some((entry) => isInside(real, entry.real))) found.set(real, lstatSync(real).isDirectory());
    } catch {
      // What does not exist needs no hiding. INVARIANT: it cannot appear later but by the agent's own hand.
    }
  }
  return [...found].map(([path, folder]) => ({ path, folder }));
}

function refuse(message: string, hint: string): never {
  throw new SallyportError('SandboxRefused', { message, hint });
}
