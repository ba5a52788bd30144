import type { Action, PathFact, Target, TargetKind } from '@sallyport/protocol';
import { addressTarget } from './address-target.ts';
import { commandTarget } from './command-target.ts';
import { httpTarget } from './http-target.ts';
import { mcpTarget } from './mcp-target.ts';
import { objectInArguments } from './object-arguments.ts';
import type { Operation } from './operation.ts';
import { pathTarget } from './path-target.ts';
import { plainTarget } from './plain-target.ts';
import type { Hosts, TargetDefinition } from './target-definition.ts';

/** One definition for each kind of target; a kind without one does not compile. */
const TARGETS = {
  path: pathTarget,
  http: httpTarget,
  command: commandTarget,
  mcp: mcpTarget,
  address: addressTarget,
  plain: plainTarget,
} satisfies { readonly [Kind in TargetKind]: TargetDefinition<Extract<Target, { readonly kind: Kind }>> };

/** What can be asked of a target, whatever its kind. Made once for each: nothing is allocated here. */
export function factsOf(target: Target): TargetDefinition {
  return TARGETS[target.kind];
}

/** Whether a stored target is of a kind that this version knows. */
export function isKnownTarget(target: { readonly kind?: unknown }): target is Target {
  return typeof target.kind === 'string' && Object.hasOwn(TARGETS, target.kind);
}

/**
 * What an action does, and to what, one by one: what a question names and a standing answer covers. None where only the
 * whole of it can be named. What a config calls an argument that says where a call leads is part of the object.
 */
export function operationsOf({ target, tool, effect, input }: OperationSource): readonly Operation[] {
  const own = withArguments(factsOf(target).operations(target, { tool, effect }), target, input);
  if (target.named === undefined || own.length === 0) return own;
  return [
    ...own,
    ...target.named.map(({ arg }) => ({
      operation: `${tool} ${arg}`,
      object: JSON.stringify(input[arg]) ?? '',
    })),
  ];
}

/** A tool of a server is described by nobody: what its arguments are called says where it leads, but for those that a config names. */
function withArguments(
  own: readonly Operation[],
  target: Target,
  input: Action['input'],
): readonly Operation[] {
  if (target.kind !== 'mcp') return own;
  const named = new Set(target.named?.map(({ arg }) => arg));
  const object = objectInArguments(input, named);
  if (object === undefined) return [];
  return object === '' ? own : own.map((one) => ({ ...one, object: `${one.object} ${object}` }));
}

type OperationSource = Pick<Action, 'target' | 'tool' | 'effect' | 'input'>;

/** The paths that a target names, wherever it names them. */
export function pathsOf(target: Target): readonly PathFact[] {
  const own = factsOf(target).paths(target);
  if (target.named === undefined) return own;
  return [...own, ...target.named.flatMap((argument) => pathsOf(argument.target))];
}

/** Every host that an action names, whatever its kind: the one place that knows [GA-13]. */
export function hostsOf({ target, reach }: Pick<Action, 'target' | 'reach'>): Hosts {
  const own = factsOf(target).hosts(target, reach);
  if (target.named === undefined) return own;
  // The tool runs where the agent does not: its commands reach out whatever holds the agent.
  const others = target.named.map((argument) => hostsOf({ target: argument.target, reach: 'remote' }));
  return {
    named: [own, ...others].flatMap(({ named }) => named),
    unknown: [own, ...others].flatMap(({ unknown }) => unknown),
  };
}

/** Every domain that a target is about; undefined when there are others that nobody can tell. */
export function domainsOf(target: Target): readonly string[] | undefined {
  const domains = factsOf(target).domains(target);
  if (domains === undefined || target.named === undefined) return domains;
  const others = target.named.map((argument) => hostsOf({ target: argument.target, reach: 'remote' }));
  if (others.some(({ unknown }) => unknown.length > 0)) return undefined;
  return [...domains, ...others.flatMap(({ named }) => named.map(({ host }) => host))];
}
