import { join } from 'node:path';
import { piExtension } from '../hook/client-hooks.ts';
import type { ClientInstaller } from './installer.ts';
import { readSettings, unusable } from './settings-file.ts';

/** Pi: an extension of its own. It knows no MCP servers: the extension brings our tools. */
export const pi: ClientInstaller = {
  changes({ env, userHome, project, hook, mcp }, how) {
    const folder =
      project === undefined ? (env.PI_CODING_AGENT_DIR ?? join(userHome, '.pi/agent')) : join(project, '.pi');
    const path = join(folder, 'extensions/sallyport.js');
    const before = readSettings(path);
    if (before !== undefined && !before.includes('sallyport-hook.cjs'))
      throw unusable(path, 'does not come from us', 'move it out of the way');
    return [{ path, before, after: how === 'install' ? piExtension(hook, mcp) : undefined }];
  },
  notes: ({ project }) =>
    project === undefined ? [] : ['Pi loads extensions of a project only once it trusts the project'],
};
