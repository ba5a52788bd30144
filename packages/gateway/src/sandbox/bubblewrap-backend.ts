import { lstatSync } from 'node:fs';
import { checkVariables } from './environment.ts';
import {
  copyEtc,
  createJailGroup,
  identityFiles,
  type JailSpec,
  type JailSurroundings,
  jailFor,
  jailOf,
  type Masked,
  surveyJail,
  withLimits,
} from './jail/index.ts';
import { LiveSandboxes } from './live-sandboxes.ts';
import { runCommand } from './run-command.ts';
import type { SpawnRequest } from './spawner/frames.ts';
import { Spawner } from './spawner/spawner.ts';
import {
  DEFAULT_TIMEOUT_MS,
  type ExecOptions,
  type SandboxBackend,
  type SandboxResult,
} from './spec/sandbox-backend.ts';
import type { SandboxHost, SandboxLimits } from './spec/sandbox-spec.ts';
import { workingFolder } from './working-folder.ts';

export interface BubblewrapOptions extends SandboxHost {
  readonly timeout_seconds?: number;
}

/** Narrower than the jail of an agent: one command, not a day's work. */
const LIMITS: SandboxLimits = {
  processes: 512,
  memoryBytes: 2 * 1024 ** 3,
  homeBytes: 256 * 1024 ** 2,
  tmpBytes: 256 * 1024 ** 2,
  fileBytes: 4 * 1024 ** 3,
  openFiles: 4096,
};

/** Nothing for the spawner itself: processes are counted inside or by the group, memory by either. */
const NOT_COUNTED = { processes: true, memory: true };

const PATH = '/usr/local/bin:/usr/bin:/bin';
const OWN_HOME = { path: '/tmp/home', files: [] };

/** Each command in a jail of its own; the commands of one sandbox share its workspace and its limits. */
export function createBubblewrapBackend(options: BubblewrapOptions): SandboxBackend {
  const live = new LiveSandboxes();
  const timeoutMs =
    options.timeout_seconds === undefined ? DEFAULT_TIMEOUT_MS : options.timeout_seconds * 1000;

  return {
    name: 'bubblewrap',
    acquire: async (owner, spec) => {
      const limits = { ...LIMITS, ...spec.limits };
      const { home = OWN_HOME } = spec;
      const env = { PATH, HOME: home.path, LANG: 'C.UTF-8', ...spec.env };
      const jail = jailOf({ ...spec, home, env, limits }, options, { command: ['true'] });
      // INVARIANT: looked at before anything is made, so that a refusal leaves nothing behind.
      const around = surveyJail(jail);
      const etc = hasEtcOfItsOwn(around) ? undefined : copyEtc(around.facts, identityFiles(jail));
      const group = createJailGroup(limits);
      // The spawner joins the control group and takes the limits once: for each command that takes up to 40 ms.
      const spawner = new Spawner(group.procs, (command) => withLimits(limits, NOT_COUNTED, command));
      const ready = {
        ...{ ...around, etc: etc?.path, group: { ...group, procs: [] } },
        limitsInherited: group.limits.memory,
      };
      const requestFor = keepLast((cwd: string, extra: string, masked: string) => {
        const all = { ...jail.env, ...(JSON.parse(extra) as ExecOptions['env']) };
        return requests({ ...jail, cwd, env: all }, { ...ready, masked: JSON.parse(masked) as Masked });
      });
      const maskedNow = keepMasked(around.masked, () => surveyJail(jail).masked);
      return live.add(
        owner,
        async (command, exec) => {
          checkVariables(exec.env ?? {});
          const cwd = workingFolder(spec.workspace, exec.cwd);
          const masked = JSON.stringify(maskedNow());
          const request = requestFor(cwd, JSON.stringify(exec.env ?? {}), masked)(command);
          return notFound(await runCommand(spawner, request, { timeoutMs, ...exec }, spec.agentId));
        },
        async () => {
          await spawner.close();
          await group.remove();
          etc?.remove();
        },
      );
    },
    cleanup: () => live.releaseAll(),
  };
}

/** Something is bound below /etc: there is no place for it in a folder that is read-only and shared. */
function hasEtcOfItsOwn({ paths }: JailSurroundings): boolean {
  return paths.bound.some(({ real, named }) =>
    [real, named].some((path) => path?.startsWith('/etc/') === true),
  );
}

/**
 * What is masked, as long as all of it is where it was; else it is searched for again.
 *
 * SECURITY: a command can move the folder of a masked file away, for the next one to read under another name.
 */
function keepMasked(first: Masked, search: () => Masked): () => Masked {
  let masked = first;
  let places = identitiesOf(masked);
  return () => {
    if (identitiesOf(masked) === places) return masked;
    masked = search();
    places = identitiesOf(masked);
    return masked;
  };
}

function identitiesOf({ files, folders }: Masked): string {
  return [...files, ...folders]
    .map((path) => lstatSync(path, { throwIfNoEntry: false }))
    .map((stats) => (stats === undefined ? 'gone' : `${stats.dev}:${stats.ino}`))
    .join(' ');
}

/** What the spawner is asked for, for each command in such a jail. */
function requests(jail: JailSpec, around: JailSurroundings): (command: JailSpec['command']) => SpawnRequest {
  const launchOf = jailFor(jail, around);
  const files = launchOf(jail.command).files.map((file) =>
    typeof file === 'string' ? { path: file } : { content: Buffer.from(file).toString('base64') },
  );
  return (command) => {
    const { program, args, env, lifeline } = launchOf(command);
    return { program, args, env, cwd: '/', files, lifeline };
  };
}

/** The commands of a sandbox mostly start in the same place with the same variables. */
function keepLast<T>(make: (...key: readonly [string, string, string]) => T): typeof make {
  let last: { readonly key: readonly string[]; readonly made: T } | undefined;
  return (...key) => {
    if (!key.every((part, index) => part === last?.key[index])) last = undefined;
    last ??= { key, made: make(...key) };
    return last.made;
  };
}

/** A program that is not there is bwrap's own failure; a shell would say 127, and so does this. */
function notFound(result: SandboxResult): SandboxResult {
  const missing =
    result.returncode === 1 && /^bwrap: execvp .*: No such file or directory\n$/s.test(result.stderr);
  return missing ? { ...result, returncode: 127 } : result;
}
