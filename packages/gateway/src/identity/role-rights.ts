import { SallyportError } from '@sallyport/protocol';
import { parseSelector, type RoleSelector } from '../config/index.ts';
import { assertNever } from '../shared/assert-never.ts';
import { compileGlob, type Glob } from '../shared/glob.ts';
import { canonicalToolName } from '../shared/tool-name.ts';

/**
 * One use of a tool, as rights see it. A shell line is several uses, one for each of its commands.
 *
 * `matches` says whether the pattern of a selector (`git *` in `tool:Bash(git *)`) covers this use. It is
 * told what for, because what cannot be known must match no `allow` and every `deny`.
 */
export interface ToolUse {
  readonly tool: string;
  matches(pattern: string, as: 'allow' | 'deny'): boolean;
}

/** One side (`allow` or `deny`) of one or more roles, compiled. */
export class RoleRights {
  readonly #as: 'allow' | 'deny';
  readonly #agents = new NamePatterns();
  readonly #tools = new NamePatterns();
  readonly #toolPatterns: { readonly tool: Glob; readonly pattern: string }[] = [];
  // process-local: made from the config, which every gateway reads
  readonly #approvals = new Set<string>();

  /** Throws `ConfigInvalid` for a selector that cannot be read: a right with a typo must not vanish. */
  constructor(as: 'allow' | 'deny', selectors: readonly string[]) {
    this.#as = as;
    for (const text of selectors) {
      const result = parseSelector(text);
      if (result.kind === 'problem') {
        throw new SallyportError('ConfigInvalid', {
          message: `\`${text}\`: ${result.message}`,
          ...(result.hint === undefined ? {} : { hint: result.hint }),
        });
      }
      this.#add(result.selector);
    }
  }

  coversAgent(agent: string): boolean {
    return this.#agents.has(agent);
  }

  coversTool(use: ToolUse): boolean {
    const tool = canonicalToolName(use.tool);
    if (this.#tools.has(tool)) return true;
    return this.#toolPatterns.some(
      (selector) => selector.tool.matches(tool) && use.matches(selector.pattern, this.#as),
    );
  }

  /** Whether it covers every use of the tool (`deny`), or at least some (`allow`). */
  coversSomeOf(name: string): boolean {
    const tool = canonicalToolName(name);
    if (this.#tools.has(tool)) return true;
    return this.#as === 'allow' && this.#toolPatterns.some((selector) => selector.tool.matches(tool));
  }

  /** `approve:vcs` covers `vcs:push`; `approve:vcs:push` does not cover `vcs:commit`. */
  coversApproval(type: string): boolean {
    if (this.#approvals.has('*') || this.#approvals.has(type)) return true;
    const border = type.indexOf(':');
    return border > 0 && this.#approvals.has(type.slice(0, border));
  }

  #add(selector: RoleSelector): void {
    switch (selector.kind) {
      case 'agent':
        this.#agents.add(selector.pattern);
        return;
      case 'tool': {
        const tool = canonicalToolName(selector.tool);
        if (selector.pattern === undefined) this.#tools.add(tool);
        else this.#toolPatterns.push({ tool: compileGlob(tool, 'command'), pattern: selector.pattern });
        return;
      }
      case 'approve':
        this.#approvals.add(selector.type);
        return;
      default:
        assertNever(selector);
    }
  }
}

/** A set of names and name patterns: exact names by look-up, the few with `*` one by one. */
export class NamePatterns {
  // process-local: made from the config, which every gateway reads
  readonly #exact = new Set<string>();
  readonly #globs: Glob[] = [];

  add(pattern: string): void {
    if (pattern.includes('*')) this.#globs.push(compileGlob(pattern, 'command'));
    else this.#exact.add(pattern);
  }

  has(name: string): boolean {
    return this.#exact.has(name) || this.#globs.some((glob) => glob.matches(name));
  }
}
