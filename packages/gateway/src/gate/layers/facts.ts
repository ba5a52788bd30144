import type { Action, CommandFact } from '@sallyport/protocol';
import { lineOf } from '../../targets/index.ts';

const NO_ACTIONS: readonly Action[] = [];

/** The arguments that a config names, each as an action: a tool does not act in the agent's jail. */
export function namedActions(action: Action): readonly Action[] {
  const { actor, target } = action;
  if (target.named === undefined) return NO_ACTIONS;
  const outside = { ...actor, confinement: 'unconfined' } as const;
  return target.named.map((argument) => ({ ...action, actor: outside, target: argument.target }));
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
  const line = lineOf(action.target);
  return line === undefined ? [action] : [action, ...line.commands];
}
