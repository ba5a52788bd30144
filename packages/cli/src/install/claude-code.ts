import { join } from 'node:path';
import { claudeHandler, HOOK_EVENTS } from '../hook/client-hooks.ts';
import { withHooks, withoutHooks } from './hook-groups.ts';
import type { ClientInstaller, InstallPlace } from './installer.ts';
import {
  type FileChange,
  formatLike,
  isJson,
  type Json,
  parseSettings,
  readSettings,
  unusable,
} from './settings-file.ts';

/** Claude Code: the hook in its settings, our MCP endpoint in its own state. */
export const claudeCode: ClientInstaller = {
  changes(place, how) {
    const settings = settingsPath(place);
    const state = join(place.env.CLAUDE_CONFIG_DIR ?? place.userHome, '.claude.json');
    return [
      edit(settings, (json) => hooked(settings, json, place, how)),
      edit(state, (json) => listed(json, place, how)),
    ];
  },
  notes: () => ['Claude Code reads its hooks when it starts: start it anew'],
};

/** In a project the local settings: absolute paths are of this machine, and nobody else's. */
function settingsPath({ env, userHome, project }: InstallPlace): string {
  if (project !== undefined) return join(project, '.claude/settings.local.json');
  return join(env.CLAUDE_CONFIG_DIR ?? join(userHome, '.claude'), 'settings.json');
}

function edit(path: string, change: (json: Json) => Json): FileChange {
  const before = readSettings(path);
  const json = parseSettings(path, before);
  const changed = change(json);
  if (before === undefined && Object.keys(changed).length === 0) return { path, before, after: undefined };
  const isSame = JSON.stringify(json) === JSON.stringify(changed);
  return { path, before, after: isSame && before !== undefined ? before : formatLike(before, changed) };
}

function hooked(path: string, json: Json, { hook }: InstallPlace, how: 'install' | 'uninstall'): Json {
  if (how === 'uninstall') return withoutHooks(path, json);
  if (json.disableAllHooks === true)
    throw unusable(path, 'says `disableAllHooks`', 'take that out first: with it no hook runs');
  return withHooks(path, json, HOOK_EVENTS, () => ({ matcher: '*', hooks: [claudeHandler(hook)] }));
}

/** User scope at the top, a project's in its own entry. */
function listed(json: Json, { mcp, project }: InstallPlace, how: 'install' | 'uninstall'): Json {
  if (project === undefined) return withServer(json, how === 'install' ? mcp : undefined);
  const projects = isJson(json.projects) ? json.projects : {};
  const own = isJson(projects[project]) ? projects[project] : {};
  const changed = withServer(own, how === 'install' ? mcp : undefined);
  if (how === 'uninstall' && !isJson(projects[project])) return json;
  return { ...json, projects: { ...projects, [project]: changed } };
}

function withServer(json: Json, mcp: InstallPlace['mcp'] | undefined): Json {
  const servers = isJson(json.mcpServers) ? json.mcpServers : {};
  if (mcp !== undefined)
    return {
      ...json,
      mcpServers: { ...servers, sallyport: { type: 'stdio', command: mcp.command, args: mcp.args } },
    };
  const { sallyport: _ours, ...rest } = servers;
  const { mcpServers: _servers, ...others } = json;
  return Object.keys(rest).length === 0 ? others : { ...json, mcpServers: rest };
}
