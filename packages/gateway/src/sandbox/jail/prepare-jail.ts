import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import { ownFile } from '../../shared/own-files.ts';
import { WorkspaceBefore } from '../guard/workspace-before.ts';
import { hostFacts } from './host-facts.ts';
import { type JailSurroundings, jailArgv } from './jail-argv.ts';
import { type JailGroup, NO_GROUP } from './jail-group.ts';
import { type JailPaths, realOrNearest, resolveJailPaths } from './jail-paths.ts';
import type { JailLaunch, JailSpec } from './jail-spec.ts';
import { macosLaunch } from './macos-profile.ts';
import { findMaskedFiles, type Masked } from './mask/find-masked-files.ts';

/**
 * Checks a spec against the machine and says how to start its jail.
 *
 * Throws `SandboxRefused` for a spec that would open the jail, `ToolMissing` without bwrap. `group` comes
 * from `createJailGroup` and is the caller's to remove; without one the limits are weaker, as docs/sandbox.md says.
 */
export function prepareJail(spec: JailSpec, group: JailGroup = NO_GROUP): JailLaunch {
  if (process.platform === 'darwin') {
    const paths = resolveJailPaths(spec);
    return macosLaunch(spec, paths, maskedFiles(spec, paths, new WorkspaceBefore([])));
  }
  return jailArgv(spec, surveyJail(spec, group));
}

/** What `prepareJail` would find out about this machine, found out while there is time. Throws as it does. */
export function lookAtHost(): void {
  if (process.platform !== 'darwin') hostFacts();
}

/** The part of `prepareJail` that looks at the machine: good for many commands of one spec. */
export function surveyJail(spec: JailSpec, group: JailGroup = NO_GROUP): JailSurroundings {
  const facts = hostFacts();
  const paths = resolveJailPaths(spec);
  if (spec.tty && facts.setpriv === undefined) {
    throw new SallyportError('ToolMissing', {
      message: 'a jail with a terminal needs `setpriv`, which is not installed',
      hint: 'install the package `util-linux`',
    });
  }
  for (const { path, port } of spec.sockets) checkSocket(path, port);
  const writable = paths.bound.filter((entry) => entry.folder && entry.writable && entry.searched);
  const before = new WorkspaceBefore(writable.map((entry) => entry.real));
  return {
    facts,
    paths,
    masked: maskedFiles(spec, paths, before),
    before,
    forwarders: dirname(ownFile('jail/forwarder.cjs')),
    group,
    limitsInherited: false,
  };
}

function maskedFiles(spec: JailSpec, paths: JailPaths, before: WorkspaceBefore): Masked {
  const folders = paths.bound.filter((entry) => entry.folder);
  return findMaskedFiles(
    folders.map((entry) => entry.real),
    {
      secrets: spec.envFiles === 'masked',
      walked: folders.filter((entry) => entry.searched).map((entry) => entry.real),
      shown: (spec.shown ?? []).map(realOrNearest),
      visit: (folder, entries) => before.visit(folder, entries),
    },
  );
}

function checkSocket(path: string, port: number): void {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new SallyportError('SandboxRefused', { message: `\`${port}\` is not a port` });
  }
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) {
    throw new SallyportError('SandboxRefused', { message: `\`${path}\` is not a unix socket` });
  }
}
