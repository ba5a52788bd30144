import { guardOf } from '../guard/distant-guard.ts';
import { keptFolder } from '../guard/take-back.ts';
import type { Guard } from '../guard/workspace-guard.ts';
import type { AgentSandbox } from '../spec/backend-definition.ts';
import type { SandboxHost } from '../spec/sandbox-spec.ts';
import { closeInherited } from './close-inherited.ts';
import { jailArgv } from './jail-argv.ts';
import { createJailGroup } from './jail-group.ts';
import { type JailLaunch, type JailSpec, jailOf } from './jail-spec.ts';
import { lookAtHost, prepareJail, surveyJail } from './prepare-jail.ts';
import { signalJail, waitForStop } from './signal-jail.ts';
import { spawnJail } from './spawn-jail.ts';

/** The jail of an agent on this terminal: the machine is looked at and the group made before its spec is known. */
export function readyJail(host: SandboxHost): AgentSandbox {
  closeInherited();
  lookAtHost();
  // INVARIANT: the limits of the group are those of the jail. Both take the defaults.
  const group = createJailGroup({});
  let guard: Guard | undefined;
  const ready = (jail: JailSpec): JailLaunch => {
    if (process.platform !== 'linux') return prepareJail(jail, group);
    const around = surveyJail(jail, group);
    guard = guardOf(around.before, keptFolder(host.gatewayHome));
    return jailArgv(jail, around);
  };
  return {
    start(spec, { command, isTerminal }) {
      const jail = jailOf({ ...spec, limits: {} }, host, { command, tty: isTerminal });
      const launch = ready(jail);
      const child = spawnJail(launch, ['inherit', 'inherit', 'inherit']);
      if (child.pid !== undefined) guard?.begin(child.pid);
      // With a terminal, and where it is a job of its own.
      const isJob = isTerminal && process.platform === 'linux';
      return {
        child,
        signal: (name) => signalJail(child, name),
        ...(isJob ? { whenStopped: () => waitForStop(child) } : {}),
        masked: launch.masked ?? [],
      };
    },
    clean: () => group.remove(),
    async settle() {
      // Nothing of the jail may be left: a control group kills it, and without one its first process does.
      await group.remove();
      return (await guard?.settle()) ?? [];
    },
  };
}
