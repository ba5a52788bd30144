import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { HomePaths } from '@sallyport/gateway/home';
import type { HookClient } from '@sallyport/protocol';
import { HOOK_TIMES } from '../hook/hook-place.ts';
import { isServiceInstalled } from '../service/service-files.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { findCodexWitness } from './codex-witness.ts';
import { configFolder, enrollmentChange, enrollmentFile } from './enrollment.ts';
import { InstallRecord } from './install-record.ts';
import type { ClientInstaller, InstallPlace } from './installer.ts';
import { pi } from './pi.ts';
import { type FileChange, readSettings } from './settings-file.ts';
import { leadHere, removeStablePlace, stablePlace } from './stable-place.ts';
import { writeAll } from './write-files.ts';

/** By client. */
export const INSTALLERS: Readonly<Record<HookClient, ClientInstaller>> = {
  'claude-code': claudeCode,
  codex,
  pi,
};

export interface InstallRequest {
  readonly client: HookClient;
  readonly how: 'install' | 'uninstall';
  readonly paths: HomePaths;
  readonly env: NodeJS.ProcessEnv;
  /** absolute; the settings of that project alone */
  readonly project?: string;
  readonly agent?: string;
}

/** What would change. Nothing has been written yet. */
export interface InstallPlan {
  readonly changes: readonly FileChange[];
  readonly notes: readonly string[];
  /** Writes all of it or nothing. */
  apply(): void;
}

/** Works out what `install` or `uninstall` would do. Throws `SettingsUnusable` or `GatewayNotRunning`. */
export function planInstall(request: InstallRequest): InstallPlan {
  const { client, how, paths, env, project, agent } = request;
  const userHome = env.HOME ?? homedir();
  const folder = configFolder(env, userHome);
  const enrollment = enrollmentFile(folder, paths);
  const record = new InstallRecord(folder);
  const stable = stablePlace(env, userHome);
  const hook = { node: stable.node, hook: stable.hook, enrollment, times: HOOK_TIMES };
  const place: InstallPlace = {
    ...{ env, userHome, hook },
    ...(project === undefined ? {} : { project: resolve(project) }),
    mcp: { command: stable.node, args: [stable.program, 'mcp', '--plain-names', '--home', paths.home] },
    ...(client === 'codex' && how === 'install' ? { witness: findCodexWitness(env, userHome, paths) } : {}),
  };
  const installer = INSTALLERS[client];
  if (how === 'install') {
    const settings = installer.changes(place, 'install');
    const stripped = new Map(installer.changes(place, 'uninstall').map(({ path, after }) => [path, after]));
    const changes = [enrollmentChange(enrollment, paths, agent), ...settings].filter(isChange);
    return {
      changes,
      notes: installer.notes(place),
      apply() {
        leadHere(stable);
        for (const change of settings) record.keep(change, stripped.get(change.path));
        writeAll(changes);
        record.save();
      },
    };
  }
  const settings = installer.changes(place, 'uninstall').map((change): FileChange => {
    const original = record.originalOf(change.path, change.before);
    return original === undefined ? change : { ...change, after: original.text };
  });
  for (const { path } of settings) record.forget(path);
  const isLast = record.isEmpty;
  const goes: FileChange[] = isLast ? [removed(enrollment)].filter(isChange) : [];
  const changes = [...settings.filter(isChange), ...goes];
  return {
    changes,
    notes: [],
    apply() {
      writeAll(changes);
      record.save();
      if (!isLast) return;
      rmSync(`${enrollment}.sessions`, { recursive: true, force: true });
      if (!isServiceInstalled(env, userHome)) removeStablePlace(stable);
    },
  };
}

function removed(path: string): FileChange {
  return { path, before: readSettings(path), after: undefined, isSecret: true };
}

function isChange({ before, after }: FileChange): boolean {
  return before !== after;
}
