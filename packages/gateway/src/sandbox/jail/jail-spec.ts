import type { SandboxHost, SandboxLimits, SandboxSpec } from '../spec/sandbox-spec.ts';

/**
 * A sandbox as bubblewrap builds it: the spec with nothing left open, the machine, and the program.
 */
export interface JailSpec
  extends Readonly<
      Required<Pick<SandboxSpec, 'workspace' | 'writable' | 'readOnly' | 'home' | 'envFiles' | 'env'>>
    >,
    Readonly<Required<Pick<SandboxSpec, 'sockets' | 'limits'>>>,
    Pick<SandboxSpec, 'ownsWorkspace' | 'programs' | 'shown' | 'links'>,
    SandboxHost {
  /** where the command starts: the workspace, or a folder inside a bound path */
  readonly cwd: string;
  /** never visible, even below a bound path; the well-known secrets of `userHome` are added to these */
  readonly hidden: readonly string[];
  /** allows a bound path that is `userHome` or contains it; `home.path` must then lie elsewhere */
  readonly allowHome: boolean;
  /** program and arguments; the program is looked up in `env.PATH` inside the jail */
  readonly command: readonly [string, ...string[]];
  /** keep the terminal and its job control; without it the jail is a session of its own */
  readonly tty: boolean;
  readonly hostname: string;
  /** for our own worker alone: it may put commands into jails of their own, as `/.sallyport/nest.json` says */
  readonly nests?: boolean;
}

/** What of a jail is not in its spec. */
export interface JailProgram {
  readonly command: JailSpec['command'];
  /** the workspace when absent */
  readonly cwd?: string;
  readonly tty?: boolean;
}

/** A home that nobody named: empty, and gone with the jail. */
const OWN_HOME = { path: '/tmp/home', files: [] };

/** The jail of a sandbox on this machine. */
export function jailOf(spec: SandboxSpec, host: SandboxHost, program: JailProgram): JailSpec {
  const { ownsWorkspace, programs, shown, links, home = OWN_HOME } = spec;
  return {
    ...{ workspace: spec.workspace, writable: spec.writable ?? [], readOnly: spec.readOnly ?? [], home },
    ...{ cwd: program.cwd ?? spec.workspace, command: program.command, tty: program.tty ?? false },
    ...{ envFiles: spec.envFiles ?? 'masked', env: spec.env ?? {}, sockets: spec.sockets ?? [] },
    ...(ownsWorkspace === undefined ? {} : { ownsWorkspace }),
    ...(programs === undefined ? {} : { programs }),
    ...(shown === undefined ? {} : { shown }),
    ...(links === undefined ? {} : { links }),
    limits: spec.limits ?? {},
    ...{ gatewayHome: host.gatewayHome, userHome: host.userHome, user: host.user },
    ...{ hidden: [], allowHome: false, hostname: 'sallyport' },
  };
}

/**
 * Wide enough for builds and test suites, narrow enough that a bomb stays a nuisance. Processes and memory are counted
 * by cgroup where one is writable, all together; else by rlimit (not for root), memory for each process.
 */
export const DEFAULT_LIMITS: Required<SandboxLimits> = {
  processes: 4096,
  memoryBytes: 8 * 1024 ** 3,
  homeBytes: 2 * 1024 ** 3,
  tmpBytes: 2 * 1024 ** 3,
  fileBytes: 16 * 1024 ** 3,
  openFiles: 65_536,
};

/** How to start a jail: hand it to `spawnJail`, which opens the files and starts the program. */
export interface JailLaunch {
  readonly program: string;
  readonly args: readonly string[];
  /** the environment of the launcher itself: without anything of the caller's */
  readonly env: Readonly<Record<string, string>>;
  /** the descriptors from 3 on, or from 4 with a lifeline: options, seccomp filter, files of the home; a path is a file of the host */
  readonly files: readonly (Uint8Array | string)[];
  /** descriptor 3 is a pipe to the caller: its end tells the forwarder that the caller is gone */
  readonly lifeline: boolean;
  /** a session and process group of its own; the caller then passes signals on */
  readonly detached: boolean;
  /** files of the host that read as empty inside, for people to be told */
  readonly masked?: readonly string[];
}
