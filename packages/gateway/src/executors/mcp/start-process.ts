import { type ChildProcess, spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { prepareJail, spawnJail } from '../../sandbox/index.ts';

export interface ServerProcess {
  readonly program: string;
  readonly args: readonly string[];
  /** all of its variables: nothing of the gateway's own is added */
  readonly env: Readonly<Record<string, string>>;
  /** its working folder and HOME */
  readonly folder: string;
}

/** A process group of its own, so that what it starts ends with it. */
export function startProcess({ program, args, env, folder }: ServerProcess): ChildProcess {
  return spawn(program, args, { env, cwd: folder, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
}

export interface ServerJail {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** unix socket of its way out; absent: there is none */
  readonly tunnel?: string | undefined;
  /** `$SALLYPORT_HOME` and the home of the gateway's user: never visible */
  readonly gatewayHome: string;
  readonly userHome: string;
}

/** Port of the way out on the jail's own loopback, where it is always free. */
const TUNNEL_PORT = 7181;
const TUNNEL = `http://127.0.0.1:${TUNNEL_PORT}`;

/** The same in a jail. Throws `ToolMissing` or `SandboxRefused` rather than start it in anything weaker. */
export function startJailed(process: ServerProcess, jail: ServerJail): ChildProcess {
  const { program, args, env, folder } = process;
  const { uid, gid, username } = userInfo();
  const launch = prepareJail({
    workspace: folder,
    cwd: folder,
    writable: jail.write,
    readOnly: jail.read,
    home: { path: '/tmp/home', files: [] },
    userHome: jail.userHome,
    hidden: [],
    envFiles: 'masked',
    gatewayHome: jail.gatewayHome,
    allowHome: false,
    env: { ...env, TMPDIR: '/tmp', ...(jail.tunnel === undefined ? {} : TUNNEL_VARIABLES) },
    command: [program, ...args],
    sockets: jail.tunnel === undefined ? [] : [{ port: TUNNEL_PORT, path: jail.tunnel }],
    limits: {},
    tty: false,
    user: { uid, gid, name: username },
    hostname: 'sallyport',
  });
  return spawnJail(launch, ['pipe', 'pipe', 'pipe']);
}

const TUNNEL_VARIABLES = {
  HTTPS_PROXY: TUNNEL,
  https_proxy: TUNNEL,
  NO_PROXY: 'localhost,127.0.0.1',
  // Node looks at the others only when it is told to.
  NODE_USE_ENV_PROXY: '1',
};
