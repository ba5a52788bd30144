import type { Action, CommandFact, NamedPath, Opinion, PathFact } from '@sallyport/protocol';
import { assertNever } from '../../shared/assert-never.ts';
import { factsOf, type LineFact, lineOf, pathsOf, requestOf } from '../../targets/index.ts';
import type { RuleList } from './rule-list.ts';
import type { CompiledRule } from './selectors/compiled-rule.ts';
import { stricter } from './strictness.ts';
import { judgeUnknown, UNREADABLE } from './unknown-command.ts';

/**
 * What one list of rules says about an action: the strictest of what it says about its parts.
 *
 * `undefined` means that the list has no match, also when only one part has none.
 */
export function judgeList(list: RuleList, action: Action): Opinion | undefined {
  const { tool, type, target } = action;
  const line = lineOf(target);
  if (line !== undefined) return judgeCommands(list, action, line);
  const request = requestOf(target);
  if (request !== undefined) return list.firstForRequest(tool, type, request)?.opinion;
  const facts = factsOf(target);
  switch (facts.ruledBy) {
    case 'call':
      return list.firstForCall(tool, type)?.opinion;
    case 'paths': {
      const paths = pathsOf(target);
      if (paths.length === 0) return withoutFact(list, action);
      const folder = facts.folder(target);
      return strictest(paths, (path) => list.firstForPath(tool, type, path, folder)?.opinion);
    }
    case 'addresses': {
      const addresses = facts.addresses(target);
      if (addresses.length === 0) return withoutFact(list, action);
      return strictest(
        addresses,
        (address) => list.firstForAddress(tool, type, address.toLowerCase())?.opinion,
      );
    }
    case 'commands':
    case 'request':
      return withoutFact(list, action);
    default:
      return assertNever(facts.ruledBy);
  }
}

/** The fact that a pattern looks at is not there: only bare rules match, and a strict pattern is a doubt. */
function withoutFact(list: RuleList, action: Action): Opinion | undefined {
  const rule = list.firstForCall(action.tool, action.type);
  const pattern = list.firstStrictPattern(action.tool);
  if (pattern === undefined || (rule !== undefined && rule.order < pattern.order)) return rule?.opinion;
  return stricter(pattern.doubt, rule?.opinion);
}

function judgeCommands(list: RuleList, action: Action, line: LineFact): Opinion | undefined {
  const { commands, cwd, unknown } = line;
  const [only] = commands;
  if (commands.length === 1 && only !== undefined && unknown === undefined)
    return judgeCommand(list, action, only, cwd);
  const isWhole = unknown === undefined && commands.length > 0;
  // SECURITY: a line without a command that could be read is not "all of its commands are allowed".
  const units = isWhole ? commands : [...commands, UNREADABLE];
  return strictest(units, (fact) => judgeCommand(list, action, fact, cwd));
}

function judgeCommand(list: RuleList, action: Action, fact: CommandFact, cwd: string): Opinion | undefined {
  const { tool, actor } = action;
  let own: Opinion | undefined;
  if (fact.unknown === undefined && fact.program !== '') own = list.firstForCommand(tool, fact, cwd)?.opinion;
  else own = judgeUnknown(list, tool, fact, actor.confinement, cwd);
  const { via, paths, writes } = fact;
  if (via !== undefined)
    for (const text of via) {
      const wrapper = judgeWrapped(list, tool, fact, text, cwd);
      if (wrapper !== undefined) own = stricter(own, wrapper);
    }
  if (paths !== undefined && list.hasStrictPaths)
    for (const path of paths) {
      const objection = judgeNamed(list, path, cwd);
      if (objection !== undefined) own = stricter(own, objection);
    }
  if (writes.length === 0) return own;
  const written = strictest(writes, (path) => judgeWrite(list, action, path, cwd)?.opinion);
  return stricter(own, written);
}

/**
 * A path that a command names is read or written by it, as if by a tool: what the rules for `Read` and `Write` deny or
 * ask holds. They allow nothing here: that is for the rules about commands.
 */
function judgeNamed(list: RuleList, path: NamedPath, cwd: string): Opinion | undefined {
  if (path.real === undefined || path.use === 'none') return undefined;
  const read = path.use === 'write' ? undefined : list.firstObjection('Read', path, cwd)?.opinion;
  const written = path.use === 'read' ? undefined : list.firstObjection('Write', path, cwd)?.opinion;
  return read === undefined ? written : written === undefined ? read : stricter(read, written);
}

/**
 * A deny or ask that names the wrapper (`deny:Bash(sudo *)`) counts. An allow of it says nothing of what it runs, and
 * a rule about everything was already asked about the command inside.
 */
function judgeWrapped(
  list: RuleList,
  tool: string,
  fact: CommandFact,
  text: string,
  cwd: string,
): Opinion | undefined {
  const argv = text.split(' ');
  const wrapped: CommandFact = { ...fact, program: argv[0]?.split('/').at(-1) ?? '', argv, text };
  const rule = list.firstForCommand(tool, wrapped, cwd);
  if (rule === undefined || rule.action === 'allow') return undefined;
  return (rule.glob?.prefix ?? '') === '' ? undefined : rule.opinion;
}

/** An output redirection is a Write of that path. A bare `allow:Bash` covers it where it covers the unknown. */
function judgeWrite(list: RuleList, action: Action, path: PathFact, cwd: string): CompiledRule | undefined {
  const asWrite = list.firstForPath('Write', 'code:write', path, cwd);
  if (asWrite !== undefined || action.actor.confinement !== 'jailed') return asWrite;
  const bare = list.firstForCall(action.tool, 'code:write');
  return bare?.action === 'allow' ? bare : undefined;
}

/** Strictest of the parts; one part without a match leaves the whole without, unless another is stricter. */
function strictest<T>(parts: readonly T[], judge: (part: T) => Opinion | undefined): Opinion | undefined {
  let result: Opinion | undefined;
  let isFirst = true;
  for (const part of parts) {
    const opinion = judge(part);
    result = isFirst ? opinion : stricter(result, opinion);
    isFirst = false;
  }
  return result;
}
