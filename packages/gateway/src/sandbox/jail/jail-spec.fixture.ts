import { join } from 'node:path';
import type { JailSpec } from './jail-spec.ts';

/** A small jail below `folder`: `home`, `home/project` as the workspace and `home/.sallyport`. */
export function jailSpecBelow(folder: string, over: Partial<JailSpec> = {}): JailSpec {
  const home = join(folder, 'home');
  const workspace = join(home, 'project');
  return {
    ...{ workspace, cwd: workspace, writable: [], readOnly: [], hidden: [], userHome: home },
    gatewayHome: join(home, '.sallyport'),
    home: { path: home, files: [] },
    envFiles: 'masked',
    allowHome: false,
    env: { PATH: '/usr/bin:/bin' },
    command: ['true'],
    sockets: [],
    limits: {},
    tty: false,
    user: { uid: 1000, gid: 1000, name: 'agent' },
    hostname: 'jail',
    ...over,
  };
}
