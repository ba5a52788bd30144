import type { Action, CommandFact, HostFact, Target } from '@sallyport/protocol';
import { assertNever } from '../../shared/assert-never.ts';
import type { RequestFacts } from './network.ts';

/** Where an action leads beyond this machine. */
export interface Hosts {
  readonly named: readonly NamedHost[];
  /** commands that may talk to hosts which nobody can tell; undefined stands for the line as a whole */
  readonly unknown: readonly (CommandFact | undefined)[];
}

export interface NamedHost extends HostFact {
  /** the whole request, where it is known */
  readonly request?: RequestFacts;
}

const NO_HOSTS: Hosts = { named: [], unknown: [] };

/**
 * Whether an action names no host, may go to none that nobody can tell, and sends nothing of the agent's own: most of
 * them. Asked first, so that what needs no look takes no time.
 */
export function leadsNowhere({ target, reach }: Pick<Action, 'target' | 'reach'>): boolean {
  if (target.named !== undefined) return false;
  switch (target.kind) {
    case 'http':
      return false;
    case 'command':
      if (reach === 'remote' && target.unknown !== undefined) return false;
      for (const fact of target.commands)
        if (fact.reach === 'remote' || fact.ownCredentials !== undefined) return false;
      return true;
    case 'mcp':
    case 'path':
    case 'address':
    case 'plain':
      return true;
    default:
      return assertNever(target);
  }
}

/**
 * Every host that an action names, whatever its kind: the one place that knows [GA-13].
 *
 * Hosts of a command count where it reaches out; what a jailed one does outside comes by the proxy or SSH door, and
 * is judged there. Where a program's own settings lead (a remote of the repository, a cloud's API) is not known here,
 * and is neither named nor unknown.
 */
export function hostsOf({ target, reach }: Pick<Action, 'target' | 'reach'>): Hosts {
  const own = ownHostsOf(target, reach);
  if (target.named === undefined) return own;
  // The tool runs where the agent does not: its commands reach out whatever holds the agent.
  const others = target.named.map((argument) => hostsOf({ target: argument.target, reach: 'remote' }));
  return {
    named: [own, ...others].flatMap(({ named }) => named),
    unknown: [own, ...others].flatMap(({ unknown }) => unknown),
  };
}

function ownHostsOf(target: Target, reach: Action['reach']): Hosts {
  switch (target.kind) {
    case 'http':
      return { named: [{ host: target.host, port: target.port, request: target }], unknown: [] };
    case 'command':
      return hostsOfCommands(target, reach);
    case 'mcp':
    case 'path':
    case 'address':
    case 'plain':
      return NO_HOSTS;
    default:
      return assertNever(target);
  }
}

function hostsOfCommands(target: Target & { readonly kind: 'command' }, reach: Action['reach']): Hosts {
  const { commands } = target;
  const isUnread = reach === 'remote' && target.unknown !== undefined;
  // Most commands are local: no list is made for none.
  if (!isUnread && !reachesOut(commands)) return NO_HOSTS;
  const remote = commands.filter(isRemote);
  return {
    named: [...remote.flatMap((fact) => fact.hosts ?? []), ...(target.hosts ?? [])],
    unknown: [
      ...remote.filter(({ unknownHosts }) => unknownHosts === true),
      ...(isUnread ? [undefined] : []),
    ],
  };
}

function reachesOut(commands: readonly CommandFact[]): boolean {
  for (const fact of commands) if (fact.reach === 'remote') return true;
  return false;
}

function isRemote({ reach }: CommandFact): boolean {
  return reach === 'remote';
}
