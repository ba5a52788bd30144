import { compileGlob, type Glob } from '../shared/glob.ts';

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
