/** A file that is there when the jail starts. It lives in memory and is gone with the jail. */
export interface JailFile {
  /** relative to the home: `.claude/settings.json`; absolute paths and `..` are refused */
  readonly path: string;
  readonly content: string | Uint8Array;
  /** permission bits, 0o600 when absent */
  readonly mode?: number;
}

/** A port of the jail's own loopback and where its connections go. */
export interface JailSocket {
  /** listened on at 127.0.0.1 (and ::1 where there is one) inside the jail */
  readonly port: number;
  /** a unix socket of the host that accepts each connection: the gateway's per-session ones, or `--forward` */
  readonly path: string;
}

/** Who the agent is inside. The ids are mapped to the ones that start the jail. */
export interface JailUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

/** What stops a bomb. An absent value takes the default of `DEFAULT_LIMITS`. */
export interface JailLimits {
  /** processes and threads at once, by cgroup where one is writable, else by rlimit (not for root) */
  readonly processes?: number;
  /** bytes of memory: all together by cgroup where one is writable, else for each process */
  readonly memoryBytes?: number;
  /** bytes of the home, which is in memory; a home below /tmp counts there */
  readonly homeBytes?: number;
  /** bytes of /tmp (where /var/tmp leads) and of /dev/shm */
  readonly tmpBytes?: number;
  /** bytes of the largest file that can be written */
  readonly fileBytes?: number;
  readonly openFiles?: number;
}

/**
 * Everything that decides what a jail is. All paths are absolute; nothing is looked up in the environment.
 *
 * What is not named here does not exist inside, apart from the read-only system folders.
 */
export interface JailSpec {
  /** the project: bound writable at its own path */
  readonly workspace: string;
  /** the workspace is the program's own and no person's: it is not searched for secrets */
  readonly ownsWorkspace?: boolean;
  /** where the command starts: the workspace, or a folder inside a bound path */
  readonly cwd: string;
  /** more host paths that may be written, each at its own path */
  readonly writable: readonly string[];
  /** more host paths that may be read, each at its own path */
  readonly readOnly: readonly string[];
  /** the same for the agent's program and tool chains: not searched for secrets, of whose like they have thousands */
  readonly programs?: readonly string[];
  readonly home: {
    /** the home inside: empty but for `files` and what is bound below it; not inside a bound path */
    readonly path: string;
    readonly files: readonly JailFile[];
  };
  /** the home of the person on the host: not to be bound as a whole, and where their secrets are */
  readonly userHome: string;
  /** never visible, even below a bound path; the well-known secrets of `userHome` are added to these */
  readonly hidden: readonly string[];
  /** `.env` files and their like below the bound paths: `masked` (read as empty) or as they are */
  readonly envFiles: 'masked' | 'visible';
  /** paths that are no secrets whatever they look like, nor is what lies below them */
  readonly shown?: readonly string[];
  /** `$SALLYPORT_HOME`: no bound path may contain it or lie inside it */
  readonly gatewayHome: string;
  /** allows a bound path that is `userHome` or contains it; `home.path` must then lie elsewhere */
  readonly allowHome: boolean;
  /** the whole environment of the command */
  readonly env: Readonly<Record<string, string>>;
  /** program and arguments; the program is looked up in `env.PATH` inside the jail */
  readonly command: readonly [string, ...string[]];
  /** ways out: the proxy, the agent API, forwarded ports; with none there is no forwarder in the jail */
  readonly sockets: readonly JailSocket[];
  readonly limits: JailLimits;
  /** keep the terminal and its job control; without it the jail is a session of its own */
  readonly tty: boolean;
  readonly user: JailUser;
  readonly hostname: string;
  /** more names inside for bound paths: `/workspace` for a folder that lies elsewhere on the host */
  readonly links?: readonly { readonly path: string; readonly target: string }[];
  /** for our own worker alone: it may put commands into jails of their own, as `/.sallyport/nest.json` says */
  readonly nests?: boolean;
}

/** Wide enough for builds and test suites, narrow enough that a bomb stays a nuisance. */
export const DEFAULT_LIMITS: Required<JailLimits> = {
  processes: 4096,
  memoryBytes: 8 * 1024 ** 3,
  homeBytes: 2 * 1024 ** 3,
  tmpBytes: 2 * 1024 ** 3,
  fileBytes: 16 * 1024 ** 3,
  openFiles: 65_536,
};
