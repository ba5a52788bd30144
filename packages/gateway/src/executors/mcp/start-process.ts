import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import {
  jailOf,
  prepareJail,
  type SandboxHost,
  type SandboxSpec,
  spawnJail,
  viewPrograms,
} from '../../sandbox/index.ts';
import { isInside } from '../../shared/is-inside.ts';

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
  /** whether what its arguments name may be read as well */
  readonly showsArguments: boolean;
  /** unix socket of its way out; absent: there is none */
  readonly tunnel?: string | undefined;
  /** `$SALLYPORT_HOME` and the home of the gateway's user: never visible */
  readonly gatewayHome: string;
  readonly userHome: string;
}

/** Port of the way out on the jail's own loopback, where it is always free. */
const TUNNEL_PORT = 7181;
const TUNNEL = `http://127.0.0.1:${TUNNEL_PORT}`;

/**
 * The same in a jail. Throws `ToolMissing`, `SandboxUnavailable` or `SandboxRefused` rather than start it in anything
 * weaker. Its program is visible; where nobody said what else is, so is what its arguments name.
 */
export function startJailed(process: ServerProcess, jail: ServerJail): ChildProcess {
  const { program, args, env, folder } = process;
  const { uid, gid, username } = userInfo();
  const { userHome } = jail;
  const programs = viewPrograms({
    ...{ command: program, path: env.PATH ?? '', userHome, cwd: folder },
    bound: [folder, ...jail.read, ...jail.write],
  });
  const spec: SandboxSpec = {
    workspace: folder,
    ownsWorkspace: true,
    writable: jail.write,
    readOnly: jail.read,
    programs: [
      ...programs.readOnly,
      ...(jail.showsArguments ? args.flatMap((word) => namedBy(word, jail)) : []),
    ],
    env: {
      ...env,
      PATH: programs.path,
      TMPDIR: '/tmp',
      ...(jail.tunnel === undefined ? {} : TUNNEL_VARIABLES),
    },
    sockets: jail.tunnel === undefined ? [] : [{ port: TUNNEL_PORT, path: jail.tunnel }],
  };
  const host = { gatewayHome: jail.gatewayHome, userHome, user: { uid, gid, name: username } };
  const launch = prepared(spec, host, [programs.program ?? program, ...args]);
  return spawnJail(launch, ['pipe', 'pipe', 'pipe']);
}

const TUNNEL_VARIABLES = {
  HTTPS_PROXY: TUNNEL,
  https_proxy: TUNNEL,
  NO_PROXY: 'localhost,127.0.0.1',
  // Node looks at the others only when it is told to.
  NODE_USE_ENV_PROXY: '1',
};

/** No silent fallback to less: what is missing is said, with both ways out of it. */
function prepared(
  spec: SandboxSpec,
  host: SandboxHost,
  command: readonly [string, ...string[]],
): ReturnType<typeof prepareJail> {
  try {
    return prepareJail(jailOf(spec, host, { command }));
  } catch (error) {
    if (!(error instanceof SallyportError)) throw error;
    if (error.code !== 'ToolMissing' && error.code !== 'SandboxUnavailable') throw error;
    throw new SallyportError(error.code, {
      message: `${error.message}; ${error.hint ?? 'see `sallyport doctor`'}; or write \`sandbox: none\` for this server, which then can read what the gateway can`,
      cause: error,
    });
  }
}

/**
 * What of the host an argument names: the file or folder, and of a script the whole package that it belongs to, because
 * it loads what stands beside it. Nothing that would open the gateway's home or the person's as a whole.
 */
function namedBy(word: string, { userHome, gatewayHome }: ServerJail): readonly string[] {
  const path = word.startsWith('/') ? word : (/^--?[\w-]+=(\/.*)$/.exec(word)?.[1] ?? '');
  const stats = path === '' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || dirname(path) === '/') return [];
  const isOpen = (place: string): boolean =>
    ![userHome, gatewayHome].some((home) => isInside(home, place)) && !isInside(place, gatewayHome);
  let named = path;
  for (
    let above = dirname(path);
    stats.isFile() && dirname(above) !== '/' && isOpen(above);
    above = dirname(above)
  )
    if (existsSync(join(above, 'package.json'))) named = above;
  return isOpen(named) ? [named] : [];
}
