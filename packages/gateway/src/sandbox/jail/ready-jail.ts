import type { AgentSandbox } from '../spec/backend-definition.ts';
import type { SandboxHost } from '../spec/sandbox-spec.ts';
import { closeInherited } from './close-inherited.ts';
import { createJailGroup } from './jail-group.ts';
import { jailOf } from './jail-spec.ts';
import { lookAtHost, prepareJail } from './prepare-jail.ts';
import { signalJail, waitForStop } from './signal-jail.ts';
import { spawnJail } from './spawn-jail.ts';

/** The jail of an agent on this terminal: the machine is looked at and the group made before its spec is known. */
export function readyJail(host: SandboxHost): AgentSandbox {
  closeInherited();
  lookAtHost();
  // INVARIANT: the limits of the group are those of the jail. Both take the defaults.
  const group = createJailGroup({});
  return {
    start(spec, { command, isTerminal }) {
      const jail = jailOf({ ...spec, limits: {} }, host, { command, tty: isTerminal });
      const launch = prepareJail(jail, group);
      const child = spawnJail(launch, ['inherit', 'inherit', 'inherit']);
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
  };
}
