import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { HOOK_CLIENTS, type HookClient } from '@sallyport/protocol';
import { type FileChange, readSettings } from '../install/settings-file.ts';

/** Programs that `sallyport run` has a preset for, with their hook where they have one. */
const AGENTS: Readonly<Record<string, HookClient | undefined>> = {
  claude: 'claude-code',
  codex: 'codex',
  pi: 'pi',
  aider: undefined,
  opencode: undefined,
};

const BEGIN = '# >>> sallyport: agents run in a jail; written by `sallyport setup` >>>';
const END = '# <<< sallyport <<<';
const BLOCK = new RegExp(`\\n?${literal(BEGIN)}\\n[\\s\\S]*?${literal(END)}\\n`);

/** Agents in the path, by the names that people type. */
export function findAgents(env: NodeJS.ProcessEnv): readonly string[] {
  const folders = (env.PATH ?? '').split(delimiter);
  return Object.keys(AGENTS).filter((name) => folders.some((folder) => isProgram(join(folder, name))));
}

export function hooksOf(agents: readonly string[]): readonly HookClient[] {
  return HOOK_CLIENTS.filter((client) => agents.some((name) => AGENTS[name] === client));
}

/** The start file of the person's shell, with an alias for each agent; without any when there are none. */
export function aliasChange(
  env: NodeJS.ProcessEnv,
  userHome: string,
  agents: readonly string[],
  command: string,
): FileChange {
  const path = startFile(env, userHome);
  const before = readSettings(path);
  const kept = (before ?? '').replace(BLOCK, '');
  const after =
    agents.length === 0 ? kept : `${withLineEnd(kept)}\n${aliasLines(agents, command).join('\n')}\n`;
  return { path, before, after: before === undefined && after === '' ? undefined : after };
}

export function aliasLines(agents: readonly string[], command: string): readonly string[] {
  return [BEGIN, ...agents.map((name) => `alias ${name}='${command} run -- ${name}'`), END];
}

function startFile(env: NodeJS.ProcessEnv, userHome: string): string {
  if (env.SHELL?.endsWith('/zsh') === true) return join(env.ZDOTDIR ?? userHome, '.zshrc');
  if (env.SHELL?.endsWith('/fish') === true) return join(userHome, '.config/fish/config.fish');
  return join(userHome, '.bashrc');
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
