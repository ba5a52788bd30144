import type { Action, CommandFact, CommandTarget, PathFact } from '@sallyport/protocol';
import type { ToolRights } from '../snapshot.ts';
import type { RolePatterns } from './role-patterns.ts';
import { UNREADABLE } from './unknown-command.ts';

/** The tool of the first part of an action that the rights do not give; undefined when they give all of it. */
export function refusedUse(action: Action, rights: ToolRights, patterns: RolePatterns): string | undefined {
  const { target } = action;
  if (target.kind === 'command') return refusedInLine(action, target, rights, patterns);
  if (target.kind === 'path' && target.paths.length > 1) {
    for (const path of target.paths) {
      const part: Action = { ...action, target: { ...target, paths: [path] } };
      if (!mayUse(part, rights, patterns)) return part.tool;
    }
    return undefined;
  }
  return mayUse(action, rights, patterns) ? undefined : action.tool;
}

function refusedInLine(
  action: Action,
  target: CommandTarget,
  rights: ToolRights,
  patterns: RolePatterns,
): string | undefined {
  const isWhole = target.unknown === undefined && target.commands.length > 0;
  for (const fact of isWhole ? target.commands : [...target.commands, UNREADABLE]) {
    if (!mayUse(partOf(action, target, fact), rights, patterns)) return action.tool;
    for (const path of fact.writes)
      if (!mayUse(writeOf(action, target, path), rights, patterns)) return 'Write';
  }
  return undefined;
}

function partOf(action: Action, target: CommandTarget, fact: CommandFact): Action {
  if (target.commands.length === 1 && fact.writes.length === 0) return action;
  const { unknown: _whole, ...rest } = target;
  return { ...action, target: { ...rest, commands: [{ ...fact, writes: [] }] } };
}

function writeOf(action: Action, { cwd }: CommandTarget, path: PathFact): Action {
  return { ...action, tool: 'Write', type: 'code:write', target: { kind: 'path', cwd, paths: [path] } };
}

function mayUse(part: Action, rights: ToolRights, patterns: RolePatterns): boolean {
  return rights.mayUseTool({
    tool: part.tool,
    matches: (pattern, as) => patterns.matches(pattern, as, part),
  });
}
