import { existsSync } from 'node:fs';
import { type Config, type DoctorCheck, loadConfig } from '../config/index.ts';
import { nativeCalls } from '../shared/native-calls.ts';

/** Names of the servers that the gateway starts outside of a jail. */
export function serversWithoutJail({ mcp_servers }: Pick<Config, 'mcp_servers'>): readonly string[] {
  return mcp_servers.filter(({ sandbox }) => sandbox === 'none').map(({ name }) => name);
}

/** MCP servers that run outside of a jail, which they do only when the config says so. */
export const serversDoctorCheck: DoctorCheck = {
  id: 'servers.sandbox',
  title: 'MCP servers',
  async run({ paths, env, configChecks }) {
    if (!existsSync(paths.config)) return { status: 'ok', message: 'none is configured' };
    const { config } = loadConfig({ file: paths.config, env, checks: configChecks });
    const open = serversWithoutJail(config);
    if (open.length === 0) return { status: 'ok', message: 'each runs in a jail of its own, or elsewhere' };
    return {
      status: 'warn',
      message: `\`sandbox: none\`: ${open.join(', ')} can read what the gateway can, its keys included`,
      fix: 'take that line out, and name what a server needs under `sandbox.read`, `sandbox.write` and `egress`',
    };
  },
};

/** Whether the operator side can tell a person's terminal from what an agent started. */
export const peersDoctorCheck: DoctorCheck = {
  id: 'identity.peers',
  title: 'operator side',
  async run() {
    if (nativeCalls() !== undefined)
      return { status: 'ok', message: 'the operator side refuses processes that an agent started' };
    return {
      status: 'warn',
      message:
        'nobody can tell who is at the operator socket: an unconfined agent with its token is not refused',
      fix: 'on Linux, use a Node with `node:ffi` (26.1 or newer, without --no-experimental-ffi); elsewhere run the gateway as a user of its own',
    };
  },
};
