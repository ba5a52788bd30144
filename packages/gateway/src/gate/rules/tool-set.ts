import { parseToolPattern, toolGroup } from './patterns/tool-table.ts';

/** A list of tools as configs write it: names, groups, `fs.*`, `mcp:github/*`, `*`. */
export class ToolSet {
  readonly #names = new Set<string>();
  readonly #prefixes: string[] = [];

  /** An entry that cannot be read names nothing; the config check reports it. */
  constructor(patterns: readonly string[]) {
    for (const text of patterns) {
      const pattern = parseToolPattern(text);
      if (pattern === undefined) continue;
      if (pattern.wildcard) this.#prefixes.push(pattern.name);
      else for (const name of toolGroup(pattern.name)) this.#names.add(name);
    }
  }

  has(tool: string): boolean {
    if (this.#names.has(tool)) return true;
    for (const prefix of this.#prefixes) if (tool.startsWith(prefix)) return true;
    return false;
  }
}
