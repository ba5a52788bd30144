/** A file that is there when the sandbox starts. It is gone with the sandbox. */
export interface SandboxFile {
  /** relative to the home: `.claude/settings.json`; absolute paths and `..` are refused */
  readonly path: string;
  readonly content: string | Uint8Array;
  /** permission bits, 0o600 when absent */
  readonly mode?: number;
}

/** A port of the sandbox's own loopback and where its connections go. */
export interface SandboxSocket {
  /** listened on at 127.0.0.1 (and ::1 where there is one) inside */
  readonly port: number;
  /** a unix socket of the host that accepts each connection: the gateway's per-session ones, or `--forward` */
  readonly path: string;
}

/** What stops a bomb. An absent value takes the default of the backend. */
export interface SandboxLimits {
  /** processes and threads at once */
  readonly processes?: number;
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
 * What a sandbox is made of, whatever builds it: commands of tools, servers and whole agents are described alike. All
 * paths are absolute; nothing is looked up in the environment.
 *
 * What is not named here does not exist inside, apart from the read-only system folders. A backend refuses what it
 * cannot promise.
 */
export interface SandboxSpec {
  /** where programs start unless told otherwise, and what they may write, at its own path */
  readonly workspace: string;
  /** the workspace is the program's own and no person's: it is not searched for secrets */
  readonly ownsWorkspace?: boolean;
  /** more host paths that may be written, each at its own path; a backend that cannot tell them apart refuses any */
  readonly writable?: readonly string[];
  /** more host paths that may be read, each at its own path */
  readonly readOnly?: readonly string[];
  /** the same for programs and tool chains: not searched for secrets, of whose like they have thousands */
  readonly programs?: readonly string[];
  /** more names inside for these paths: `/workspace` for a folder that lies elsewhere on the host */
  readonly links?: readonly { readonly path: string; readonly target: string }[];
  /** the home inside: empty but for `files` and what is bound below it; the backend has one when absent */
  readonly home?: { readonly path: string; readonly files: readonly SandboxFile[] };
  /** `.env` files and their like below the paths above: read as empty when absent */
  readonly envFiles?: 'masked' | 'visible';
  /** paths that are no secrets whatever they look like, nor is what lies below them */
  readonly shown?: readonly string[];
  /** variables of every program in this sandbox */
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: SandboxLimits;
  /** ways out through the gateway; a backend without a network of its own refuses any */
  readonly sockets?: readonly SandboxSocket[];
  /** stands in the results */
  readonly agentId?: string;
}

/** What is true of the machine whatever runs on it. */
export interface SandboxHost {
  /** `$SALLYPORT_HOME`: never visible */
  readonly gatewayHome: string;
  /** the home of the person, or of the gateway's user: not visible as a whole, and where their secrets are */
  readonly userHome: string;
  /** who runs it; programs inside see themselves as this */
  readonly user: { readonly uid: number; readonly gid: number; readonly name: string };
}
