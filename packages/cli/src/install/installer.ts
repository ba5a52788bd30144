import type { HookPlace } from '../hook/hook-place.ts';
import type { CodexWitnessPlace } from './codex-witness.ts';
import type { FileChange } from './settings-file.ts';

/** Where settings go, and what is put into them. */
export interface InstallPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly userHome: string;
  /** absolute; absent: for everything that this user does */
  readonly project?: string;
  readonly hook: HookPlace;
  /** our MCP endpoint as a process */
  readonly mcp: { readonly command: string; readonly args: readonly string[] };
  /** Codex alone */
  readonly witness?: CodexWitnessPlace;
}

/** How one client is told of the hook. */
export interface ClientInstaller {
  /**
   * Every file that is touched, with what it is to become; an unchanged one has `after` equal to `before`. Reads, and
   * writes nothing. Throws `SettingsUnusable`.
   */
  changes(place: InstallPlace, how: 'install' | 'uninstall'): readonly FileChange[];
  /** what the person should know, once it is installed */
  notes(place: InstallPlace): readonly string[];
}
