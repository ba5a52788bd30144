import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { type SandboxHost, type SandboxSpec, viewPrograms } from '@sallyport/gateway/sandbox';
import type { StartedRun } from '@sallyport/protocol';
import { SallyportError } from '@sallyport/protocol/error';
import { readGitSettings } from './git-settings.ts';
import { keptConversations } from './kept-conversations.ts';
import type { Preset, PresetParts } from './presets/preset.ts';
import { caBundle, jailedEnv } from './run-env.ts';
import { PRESET_NAMES, type RunFlags } from './run-flags.ts';

/** Below the home inside: what programs must trust. */
const TRUST = '.sallyport-trust';
const NO_PRESET: PresetParts = { files: [], readOnly: [], env: {} };

export interface RunPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** the person's home */
  readonly userHome: string;
  /** `$SALLYPORT_HOME` */
  readonly gatewayHome: string;
  readonly isTerminal: boolean;
}

/** The folder that the agent works in. Throws `SandboxRefused` when there is none, or none that can be looked at. */
export function workspaceOf(flags: RunFlags, place: Pick<RunPlace, 'cwd'>): string {
  const workspace = resolve(place.cwd, flags.workspace ?? '.');
  try {
    if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory() === true) return workspace;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new SallyportError('SandboxRefused', {
      message: `the workspace \`${workspace}\` cannot be looked at (${code})`,
      hint: 'see that you may read it; on a network or FUSE disk, that it is still mounted, and for your user',
      cause,
    });
  }
  throw new SallyportError('SandboxRefused', {
    message: `the workspace \`${workspace}\` is not a folder`,
    hint: 'name one that exists with `--workspace`, or start in it',
  });
}

/**
 * Throws `SandboxUnavailable` where a forwarded port could not ask.
 *
 * SECURITY: macOS has one loopback for all: the profile would open the port itself, past the gate.
 */
export function checkForward({ forward }: Pick<RunFlags, 'forward'>, platform: NodeJS.Platform): void {
  if (forward.length === 0 || platform === 'linux') return;
  throw new SallyportError('SandboxUnavailable', {
    message: '`--forward` needs a jail with a network of its own, which this system has not',
    hint: 'run the agent on Linux',
  });
}

/** The machine that an agent runs on, for its sandbox. */
export function sandboxHost({ gatewayHome, userHome }: RunPlace): SandboxHost {
  const { uid, gid, username } = userInfo();
  return { gatewayHome, userHome, user: { uid, gid, name: username } };
}

/**
 * Everything that decides what the agent's sandbox is, whichever backend builds it. Throws `CommandNotFound` for a program that is nowhere.
 *
 * SECURITY: nothing of the caller's environment or home gets in but what is named here or in a preset.
 */
export async function agentSandbox(
  flags: RunFlags,
  started: StartedRun,
  client: string | undefined,
  place: RunPlace,
): Promise<{ readonly spec: SandboxSpec; readonly command: readonly [string, ...string[]] }> {
  const { userHome } = place;
  const workspace = workspaceOf(flags, place);
  const writable = flags.write.map((path) => resolve(place.cwd, path));
  const [name, ...args] = flags.command;
  const programs = viewPrograms({
    ...{ command: name, path: place.env.PATH ?? '', userHome, cwd: place.cwd },
    bound: [workspace, ...writable],
  });
  if (programs.program === undefined) throw notFound(name);
  // Loaded for those who need them: most commands have no preset.
  const preset = client === undefined ? undefined : await loadPreset(client);
  const isRoot = process.getuid?.() === 0;
  const parts = preset?.build({ userHome, workspace, isRoot, caller: place.env, started }) ?? NO_PRESET;
  const talks = keptConversations(place, workspace, preset);
  const authority = readFileSync(started.ca_file, 'utf8');
  const files = [
    { path: `${TRUST}/ca.pem`, content: authority, mode: 0o444 },
    { path: `${TRUST}/bundle.pem`, content: await caBundle(authority), mode: 0o444 },
  ];
  const places = {
    home: userHome,
    path: programs.path,
    caFile: join(userHome, TRUST, 'ca.pem'),
    bundleFile: join(userHome, TRUST, 'bundle.pem'),
  };
  const spec: SandboxSpec = {
    workspace,
    writable: [...writable, ...talks.map(({ target }) => target)],
    ...(talks.length === 0 ? {} : { links: talks }),
    readOnly: [...parts.readOnly, ...flags.read.map((path) => resolve(place.cwd, path))],
    programs: programs.readOnly,
    home: { path: userHome, files: [...files, ...parts.files] },
    envFiles: flags.showEnvFiles ? 'visible' : 'masked',
    shown: flags.show.map((path) => resolve(place.cwd, path)),
    env: {
      ...jailedEnv(place.env, started, places, readGitSettings(userHome, workspace)),
      ...kept(place.env, preset?.keeps ?? []),
      ...parts.env,
    },
    sockets: socketsOf(started),
  };
  return { spec, command: [programs.program, ...args] };
}

function socketsOf({ sockets, ports }: StartedRun): NonNullable<SandboxSpec['sockets']> {
  // INVARIANT: the gateway gives every jailed run its sockets.
  if (sockets === null) throw new SallyportError('Internal', { message: 'the run has no sockets' });
  return [
    { port: ports.proxy, path: sockets.proxy },
    { port: ports.api, path: sockets.api },
    ...sockets.forward,
  ];
}

function kept(caller: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = caller[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function loadPreset(client: string): Promise<Preset | undefined> {
  if (!(PRESET_NAMES as readonly string[]).includes(client)) return undefined;
  const { PRESETS } = await import('./presets/presets.ts');
  return PRESETS.get(client);
}

/** Shells say so with exit code 127, and so does `run`. */
export function notFound(name: string): SallyportError {
  return new SallyportError('ToolMissing', {
    message: `there is no program \`${name}\``,
    hint: 'check its name and your PATH',
    details: { exit: 127 },
  });
}
