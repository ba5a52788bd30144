/** Whose tools have which names: `web.fetch` exactly, or everything below `web.*`. */
export class CapabilityIndex {
  // process-local: made from the config, which every gateway reads
  readonly #exact = new Map<string, string>();
  // process-local: made from the config, which every gateway reads
  readonly #below = new Map<string, string>();

  /** The first owner of a capability keeps it. */
  constructor(servers: Iterable<{ readonly name: string; readonly capabilities: readonly string[] }>) {
    for (const { name, capabilities } of servers) this.#add(name, capabilities);
  }

  #add(owner: string, capabilities: readonly string[]): void {
    for (const capability of capabilities) {
      const isPrefix = capability.endsWith('.*');
      const index = isPrefix ? this.#below : this.#exact;
      const name = isPrefix ? capability.slice(0, -2) : capability;
      if (!index.has(name)) index.set(name, owner);
    }
  }

  /** Exact name first; then the longest prefix, on a dot border: `web.*` is not about `website.open` nor about `web`. */
  ownerOf(tool: string): string | undefined {
    const exact = this.#exact.get(tool);
    if (exact !== undefined) return exact;
    for (let dot = tool.lastIndexOf('.'); dot > 0; dot = tool.lastIndexOf('.', dot - 1)) {
      const owner = dot + 1 < tool.length ? this.#below.get(tool.slice(0, dot)) : undefined;
      if (owner !== undefined) return owner;
    }
    return undefined;
  }
}
