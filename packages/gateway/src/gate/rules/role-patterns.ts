import type { Action } from '@sallyport/protocol';
import { compileGlob } from '../../shared/glob.ts';
import type { TypeRegistry } from './action-types.ts';
import type { HostLists } from './host-index.ts';
import { judgeList } from './judge-list.ts';
import type { PathBases } from './path-pattern.ts';
import { RuleList } from './rule-list.ts';
import { parseRule, type RuleAction } from './selector.ts';
import { TOOL_CATEGORIES } from './tool-table.ts';

/** What compiling needs of a config. */
interface Source {
  readonly types: TypeRegistry;
  readonly options: PathBases & { readonly lists: HostLists };
}

type Roles = Readonly<
  Record<string, { readonly allow: readonly string[]; readonly deny: readonly string[] }>
>;

interface Pair {
  readonly allow: RuleList;
  readonly deny: RuleList;
}

/** The patterns of roles (`tool:Bash(git *)`), read with the same meaning as those of rules. */
export class RolePatterns {
  readonly #lists = new Map<string, Pair>();

  constructor(source: Source, roles: Roles) {
    for (const { allow, deny } of Object.values(roles)) {
      for (const text of [...allow, ...deny]) {
        const [, tool, pattern] = /^tool:([^(]+)\((.*)\)$/s.exec(text) ?? [];
        if (tool !== undefined && pattern !== undefined) this.#add(source, tool, pattern);
      }
    }
  }

  #add(source: Source, toolPattern: string, pattern: string): void {
    const glob = compileGlob(toolPattern, 'command');
    const names = [toolPattern, ...TOOL_CATEGORIES.keys()].filter(
      (name) => !name.includes('*') && glob.matches(name),
    );
    for (const tool of names) {
      const allow = compileOne(source, 'allow', tool, pattern);
      const deny = compileOne(source, 'deny', tool, pattern);
      if (allow !== undefined && deny !== undefined) this.#lists.set(keyOf(tool, pattern), { allow, deny });
    }
  }

  /**
   * Whether `tool:<tool>(<pattern>)` covers an action of one part.
   *
   * SECURITY: a pattern that means nothing for this tool covers everything as a deny and nothing as an allow.
   */
  matches(pattern: string, as: 'allow' | 'deny', part: Action): boolean {
    const lists = this.#lists.get(keyOf(part.tool, pattern));
    if (lists === undefined) return as === 'deny';
    return as === 'allow'
      ? judgeList(lists.allow, part)?.says === 'allow'
      : judgeList(lists.deny, part) !== undefined;
  }
}

const keyOf = (tool: string, pattern: string): string => `${tool}(${pattern})`;

function compileOne(
  { types, options }: Source,
  action: RuleAction,
  tool: string,
  pattern: string,
): RuleList | undefined {
  const text = `${action}:${tool}(${pattern})`;
  const parsed = parseRule(text, types);
  return parsed.ok ? new RuleList([{ text, rule: parsed.value }], options, options.lists) : undefined;
}
