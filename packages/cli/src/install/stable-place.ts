import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { launcherFile, ownFile } from '@sallyport/gateway/own-files';
import { writeAtomically } from './write-files.ts';

/**
 * Paths of ours that stay the same when we are upgraded or moved: what `install` and `service install` write into files of others.
 * Two links, to the Node and the program that were used last, and a copy of the hook, which is whole in itself.
 */
export interface StablePlace {
  readonly folder: string;
  readonly node: string;
  readonly program: string;
  readonly hook: string;
}

export function stablePlace(env: NodeJS.ProcessEnv, userHome: string): StablePlace {
  const base = env.XDG_DATA_HOME;
  const folder = join(
    base?.startsWith('/') === true ? base : join(userHome, '.local/share'),
    'sallyport/program',
  );
  return {
    folder,
    node: join(folder, 'node'),
    program: join(folder, 'sallyport.js'),
    hook: join(folder, 'sallyport-hook.cjs'),
  };
}

/** Makes the paths lead to this installation. Whoever uses one meanwhile finds the old one or the new one. */
export function leadHere({ folder, node, program, hook }: StablePlace): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  link(node, realpathSync(process.execPath));
  link(program, launcherFile());
  const own = readFileSync(ownFile('sallyport-hook.cjs'), 'utf8');
  if (!existsSync(hook) || readFileSync(hook, 'utf8') !== own) writeAtomically(hook, own, 0o600);
}

/** With each start: after an upgrade or a move, what was installed before leads here again. */
export function leadHereAgain(place: StablePlace): void {
  try {
    if (existsSync(place.folder)) leadHere(place);
  } catch {
    // Somebody's disk is full or read-only: what is there leads where it led.
  }
}

export function removeStablePlace({ folder }: StablePlace): void {
  rmSync(folder, { recursive: true, force: true });
}

function link(path: string, target: string): void {
  if (leadsTo(path) === target) return;
  const fresh = `${path}.${process.pid}`;
  rmSync(fresh, { force: true });
  symlinkSync(target, fresh);
  renameSync(fresh, path);
}

function leadsTo(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
