import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SallyportError, type SuggestionWire } from '@sallyport/protocol';
import { appendToList, type LoadedConfig, writeFileAtomically } from '../config/index.ts';
import type { PolicySet } from '../gate/index.ts';
import type { ConfigEdit } from './suggested-edits.ts';

export interface ConfigEditsParts {
  /** the config in force */
  readonly loaded: () => Pick<LoadedConfig, 'at' | 'files'>;
  /** the policies of a config with these texts in place of its files; throws `ConfigInvalid` */
  readonly load: (file: string, texts: ReadonlyMap<string, string>) => PolicySet;
}

/** Edits of the config that are tried, shown and written: each time the same texts, made of the files of that moment. */
export class ConfigEdits {
  readonly #parts: ConfigEditsParts;

  constructor(parts: ConfigEditsParts) {
    this.#parts = parts;
  }

  /** Undefined: they do not fit this config. */
  tried(edits: readonly ConfigEdit[]): PolicySet | undefined {
    try {
      return this.#parts.load(this.#main(), this.#texts(edits).after);
    } catch (error) {
      if (error instanceof SallyportError && error.code === 'ConfigInvalid') return undefined;
      throw error;
    }
  }

  /** What a person sees before they say yes. */
  shown(edits: readonly ConfigEdit[]): Pick<SuggestionWire, 'file' | 'diff'> {
    const { before, after } = this.#texts(edits);
    const diff = [...after].flatMap(([file, text]) => changedLines(before.get(file) ?? '', text));
    return { file: [...after.keys()].join(', '), diff };
  }

  /** Writes all of them; whatever is wrong with them together, nothing is written. */
  write(edits: readonly ConfigEdit[]): Pick<SuggestionWire, 'file' | 'diff'> {
    const shown = this.shown(edits);
    const { before, after } = this.#texts(edits);
    this.#parts.load(this.#main(), after);
    for (const [file, text] of after) {
      // Somebody may have saved it meanwhile: their words are not overwritten.
      if (readFileSync(file, 'utf8') !== before.get(file))
        throw new SallyportError('Conflict', { message: `\`${file}\` was changed meanwhile; try again` });
      writeFileAtomically(file, text);
    }
    return shown;
  }

  #texts(edits: readonly ConfigEdit[]): Record<'before' | 'after', ReadonlyMap<string, string>> {
    const before = new Map<string, string>();
    const after = new Map<string, string>();
    for (const { path, item } of edits) {
      const file = this.#fileOf(path);
      const text = after.get(file) ?? readFileSync(file, 'utf8');
      if (!before.has(file)) before.set(file, text);
      after.set(file, appendToList(text, path, item));
    }
    return { before, after };
  }

  /** Where the list stands, or the nearest thing above it. */
  #fileOf(path: readonly string[]): string {
    const { loaded } = this.#parts;
    for (let length = path.length; length > 0; length -= 1) {
      const at = loaded().at(path.slice(0, length));
      if (at !== undefined) return resolve(dirname(this.#main()), at.file);
    }
    return this.#main();
  }

  #main(): string {
    const [file] = this.#parts.loaded().files;
    if (file === undefined) throw new Error('a config without a file');
    return file;
  }
}

/** Lines that the second text has and the first has not, and the other way round; in their order. */
function changedLines(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const changes: string[] = [];
  let at = 0;
  for (const [index, line] of now.entries()) {
    if (line === old[at]) {
      at += 1;
      continue;
    }
    // One line was put in, or one line was changed: an edit does nothing else.
    if (now[index + 1] !== old[at + 1] || old[at] === now[index + 1]) changes.push(`+ ${line}`);
    else {
      changes.push(`- ${old[at]}`, `+ ${line}`);
      at += 1;
    }
  }
  return changes;
}
