import type { ChildProcess } from 'node:child_process';
import { userInfo } from 'node:os';
import { SallyportError } from '@sallyport/protocol';
import {
  jailOf,
  prepareJail,
  type SandboxFile,
  type SandboxSpec,
  spawnJail,
  viewPrograms,
} from '../../sandbox/index.ts';
import { COMMAND_FOLDER, COMMAND_HOME } from '../../shared/command-places.ts';
import type { Secret } from '../../shared/secret.ts';

/** What one command gets, and nothing else on the machine. */
export interface CommandMaterial {
  /** lent values among them */
  readonly env: Readonly<Record<string, string>>;
  /** of its home, lent values among them: in memory, and gone with it */
  readonly files: readonly SandboxFile[];
  /** what must not come back to the agent */
  readonly secrets: readonly Secret[];
}

/** The machine that commands run on. */
export interface CommandHost {
  /** where programs are looked for */
  readonly path: string;
  /** `$SALLYPORT_HOME` and the home of the gateway's user: never visible */
  readonly gatewayHome: string;
  readonly userHome: string;
}

/** Port of the way out on the jail's own loopback, where it is always free. */
const WAY_OUT = 7181;

/** In the home: authorities that the config trusts beside the system. */
const TRUST = 'trust.pem';

/** Enough for a CLI, and little enough that a bomb is felt by nobody else. */
const LIMITS = {
  processes: 512,
  memoryBytes: 2 * 1024 ** 3,
  homeBytes: 256 * 1024 ** 2,
  tmpBytes: 256 * 1024 ** 2,
  fileBytes: 1024 ** 3,
  openFiles: 4096,
} as const;

export interface CommandStart {
  readonly argv: readonly string[];
  readonly material: CommandMaterial;
  /** its working folder on this machine */
  readonly folder: string;
  /** unix socket of its way out */
  readonly tunnel: string;
  /** PEM of what it trusts, where that is not what the system trusts */
  readonly trust?: string | undefined;
}

/**
 * Starts one command in a jail of its own: an empty home, an empty folder, no network but the way out, no variable of the
 * gateway's. Throws `ToolMissing`, `SandboxUnavailable` or `SandboxRefused` rather than start it in anything weaker.
 *
 * SECURITY: variables and files travel in descriptors without a name; neither `ps` nor a disk shows them [SS-3].
 */
export function startCommand(start: CommandStart, host: CommandHost): ChildProcess {
  const { argv, material, folder, tunnel, trust } = start;
  const [name = '', ...args] = argv;
  const { uid, gid, username } = userInfo();
  const { gatewayHome, userHome } = host;
  const view = viewPrograms({ command: name, path: host.path, userHome, cwd: folder, bound: [folder] });
  if (view.program === undefined) {
    throw new SallyportError('ToolMissing', {
      message: `\`${name}\` is not installed where the gateway runs`,
      hint: 'the operator installs it there, and looks with `sallyport doctor`',
    });
  }
  const spec: SandboxSpec = {
    workspace: folder,
    ownsWorkspace: true,
    programs: view.readOnly,
    links: [{ path: COMMAND_FOLDER, target: folder }],
    home: {
      path: COMMAND_HOME,
      files: [...material.files, ...(trust === undefined ? [] : [{ path: TRUST, content: trust }])],
    },
    env: {
      ...wayOut(),
      ...(trust === undefined ? {} : trusting()),
      ...material.env,
      ...{ PATH: view.path, HOME: COMMAND_HOME, TMPDIR: '/tmp', PWD: COMMAND_FOLDER },
    },
    sockets: [{ port: WAY_OUT, path: tunnel }],
    limits: LIMITS,
  };
  const jail = jailOf(
    spec,
    { gatewayHome, userHome, user: { uid, gid, name: username } },
    {
      command: [view.program, ...args],
    },
  );
  return spawnJail(prepareJail(jail), ['pipe', 'pipe', 'pipe']);
}

/** Each program has a name of its own for it. */
function trusting(): Readonly<Record<string, string>> {
  const names = ['SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'AWS_CA_BUNDLE', 'REQUESTS_CA_BUNDLE', 'GIT_SSL_CAINFO'];
  return Object.fromEntries(names.map((name) => [name, `${COMMAND_HOME}/${TRUST}`]));
}

function wayOut(): Readonly<Record<string, string>> {
  const address = `http://127.0.0.1:${WAY_OUT}`;
  return {
    ...{ HTTPS_PROXY: address, https_proxy: address, HTTP_PROXY: address, http_proxy: address },
    ...{ NO_PROXY: '', no_proxy: '', LANG: 'C.UTF-8' },
  };
}
