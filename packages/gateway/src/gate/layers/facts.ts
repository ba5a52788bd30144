import type { Action, CommandFact, CommandTarget, NamedPath, PathFact, Target } from '@sallyport/protocol';

const NO_PATHS: readonly PathFact[] = [];
const NO_ACTIONS: readonly Action[] = [];

/** The paths that an action names, wherever it names them. */
export function pathsOf(target: Target): readonly PathFact[] {
  if (target.named === undefined) return ownPathsOf(target);
  return [...ownPathsOf(target), ...target.named.flatMap((argument) => pathsOf(argument.target))];
}

function ownPathsOf(target: Target): readonly PathFact[] {
  switch (target.kind) {
    case 'path':
      return target.paths;
    case 'command': {
      const writing = target.commands.filter((fact) => fact.writes.length > 0);
      return writing.length === 0 ? NO_PATHS : writing.flatMap((fact) => fact.writes);
    }
    default:
      return NO_PATHS;
  }
}

/** The arguments that a config names, each as an action: a tool does not act in the agent's jail. */
export function namedActions(action: Action): readonly Action[] {
  const { actor, target } = action;
  if (target.named === undefined) return NO_ACTIONS;
  const outside = { ...actor, confinement: 'unconfined' } as const;
  return target.named.map((argument) => ({ ...action, actor: outside, target: argument.target }));
}

/** Every path that a line names, with what each command does with it. Total: what nobody can resolve is there too. */
export function namedPathsOf({ commands }: CommandTarget): readonly NamedPath[] {
  return commands.flatMap(({ paths }) => paths ?? []);
}

/** Prefix on component borders: `/data` holds `/data/x` and itself, not `/database`. */
export function isInside(path: string, folder: string): boolean {
  if (folder === '/') return path.startsWith('/');
  return path.startsWith(folder) && (path.length === folder.length || path.charCodeAt(folder.length) === 47);
}

/** One thing that an action does, with the facts that types, levels and modes look at. */
export type Deed = Pick<Action, 'type' | 'effect' | 'reach' | 'risk'>;

/** Every deed of an action: each command of a line, or the action itself. */
export function deedsOf(action: Action): readonly (Deed | CommandFact)[] {
  return action.target.kind === 'command' && action.target.commands.length > 0
    ? [action, ...action.target.commands]
    : [action];
}
