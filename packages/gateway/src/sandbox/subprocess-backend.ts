import { randomUUID } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import { baseEnvironment, checkVariables, restrictedPath } from './environment.ts';
import { LiveSandboxes } from './live-sandboxes.ts';
import { runCommand } from './run-command.ts';
import { Spawner } from './spawner/spawner.ts';
import { DEFAULT_TIMEOUT_MS, type SandboxBackend } from './spec/sandbox-backend.ts';
import { workingFolder } from './working-folder.ts';

/** Named as in the `sandboxing.subprocess` block of the config. */
export interface SubprocessOptions {
  readonly timeout_seconds?: number;
  /** the working folder must lie in the workspace; files elsewhere stay readable: this is no boundary */
  readonly workspace_only?: boolean;
  /** only system folders of the host's PATH, and those below `extra_safe_path_prefixes` */
  readonly restricted_path?: boolean;
  readonly extra_safe_path_prefixes?: readonly string[];
  /** the environment of the gateway, of which little is passed on */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

/** The variable that daemons of a command are found by. */
const MARKER = 'SALLYPORT_EXEC_ID';

/**
 * Commands as plain processes of the gateway's user: keeps honest programs in order and stops no attacker.
 * docs/sandbox.md lists what it does not stop.
 */
export function createSubprocessBackend(options: SubprocessOptions): SandboxBackend {
  const spawner = new Spawner();
  const live = new LiveSandboxes();
  const hostPath = options.hostEnv.PATH ?? '/usr/bin:/bin';
  const path =
    options.restricted_path === false
      ? hostPath
      : restrictedPath(hostPath, options.extra_safe_path_prefixes ?? []);
  const timeoutMs =
    options.timeout_seconds === undefined ? DEFAULT_TIMEOUT_MS : options.timeout_seconds * 1000;

  return {
    name: 'subprocess',
    acquire: async (owner, spec) => {
      const { sockets = [], readOnly = [], writable = [], links = [], programs = [] } = spec;
      if (
        [sockets, readOnly, writable, links, programs].some(({ length }) => length > 0) ||
        spec.limits !== undefined ||
        spec.home !== undefined
      ) {
        throw new SallyportError('SandboxUnavailable', {
          message: 'the backend `subprocess` has no files, limits or network of its own',
          hint: 'use the backend `bubblewrap`',
        });
      }
      workingFolder(spec.workspace, undefined);
      checkVariables(spec.env ?? {});
      return live.add(
        owner,
        async ([program, ...args], exec) => {
          checkVariables(exec.env ?? {});
          const inside = options.workspace_only !== false;
          const cwd = workingFolder(inside ? spec.workspace : '/', exec.cwd ?? spec.workspace);
          const id = randomUUID();
          const env = {
            ...baseEnvironment(options.hostEnv, path),
            ...spec.env,
            ...exec.env,
            [MARKER]: id,
          };
          const request = { program, args, env, cwd, files: [], lifeline: false, marker: `${MARKER}=${id}` };
          return runCommand(spawner, request, { timeoutMs, ...exec }, spec.agentId);
        },
        async () => undefined,
      );
    },
    cleanup: async () => {
      await live.releaseAll();
      await spawner.close();
    },
  };
}
