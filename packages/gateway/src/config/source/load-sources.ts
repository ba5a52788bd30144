import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Variables } from './expand-variables.ts';
import { findIncluded, MOST_FILES, parseIncludePattern } from './include-pattern.ts';
import { mergeMaps } from './merge-nodes.ts';
import { parseYaml } from './parse-yaml.ts';
import { ProblemList } from './problem-list.ts';
import { decode, readText } from './read-text.ts';
import type { MapNode, Place, SourceFile } from './source-node.ts';

const DEEPEST_INCLUDE = 8;

/** All files of a config as one tree. */
export interface Sources {
  /** undefined when no file gave a tree; then `problems` says why */
  readonly root: MapNode | undefined;
  readonly main: SourceFile;
  readonly problems: ProblemList;
  /** absolute paths of the files that were read, the main one first */
  readonly files: readonly string[];
  /** absolute patterns, one list of segments each, under which further files would belong to the config */
  readonly patterns: readonly (readonly string[])[];
  /** hex SHA-256 over names and bytes of all files */
  readonly digest: string;
}

/** Reads a config file and all that it includes. Throws nothing: problems are in the result. */
export function loadSources(file: string, env: Variables, texts?: EditedTexts): Sources {
  return new SourceLoader(file, env, texts).load();
}

/** Texts to take in place of files, by absolute path: a config that is tried before it is written. */
export type EditedTexts = ReadonlyMap<string, string>;

class SourceLoader {
  readonly #env: Variables;
  readonly #texts: EditedTexts | undefined;
  readonly #main: SourceFile;
  readonly #roots: readonly string[];
  readonly #problems = new ProblemList();
  readonly #files: string[] = [];
  readonly #patterns: (readonly string[])[] = [];
  readonly #seen = new Set<string>();
  readonly #hash = createHash('sha256');

  constructor(file: string, env: Variables, texts: EditedTexts | undefined) {
    this.#env = env;
    this.#texts = texts;
    const path = resolve(file);
    this.#main = { path, name: relative(dirname(path), path), shown: file };
    const real = realPath(path);
    this.#roots = [realPath(dirname(path)) ?? dirname(path), ...(real === undefined ? [] : [dirname(real)])];
  }

  load(): Sources {
    const start: Place = { source: this.#main, line: 1, column: 1 };
    this.#seen.add(realPath(this.#main.path) ?? this.#main.path);
    const root = this.#read(this.#main, start, []);
    if (root === undefined && this.#problems.errorCount === 0) {
      // An editor that empties a file before it writes it must not switch every policy off for a moment.
      this.#problems.error(start, 'the file is empty', 'write at least `tenants: {}`');
    }
    return {
      root,
      main: this.#main,
      problems: this.#problems,
      files: this.#files,
      patterns: this.#patterns,
      digest: this.#hash.digest('hex'),
    };
  }

  #read(source: SourceFile, from: Place, chain: readonly string[]): MapNode | undefined {
    this.#files.push(source.path);
    const edited = this.#texts?.get(source.path);
    const read = edited === undefined ? readText(source.path) : decode(Buffer.from(edited));
    if (read.kind === 'problem') {
      const here = read.before !== undefined || from.source === source;
      const place = here ? placeAfter(source, read.before ?? '') : from;
      this.#problems.error(place, `\`${source.name}\`: ${read.message}`, read.hint);
      return undefined;
    }
    this.#hash.update(`${source.name}\0${read.bytes.length}\0`).update(read.bytes);
    if (read.openToAll) {
      this.#problems.add(
        { source, line: 1, column: 1 },
        {
          severity: 'warning',
          path: [],
          message: 'every user of this machine can change this file',
          hint: `run \`chmod o-w ${source.shown}\``,
        },
      );
    }
    const node = parseYaml({ text: read.text, source, env: this.#env, problems: this.#problems });
    if (node === undefined) return undefined;
    if (node.kind === 'scalar' && node.value === null) return undefined;
    if (node.kind !== 'map') {
      this.#problems.error(node.place, 'a config is a map of keys', 'for example `tenants: {}`');
      return undefined;
    }
    return this.#withIncluded(node, source, chain);
  }

  #withIncluded(node: MapNode, source: SourceFile, chain: readonly string[]): MapNode {
    const include = node.entries.get('include');
    if (include?.value.kind !== 'list') return node;
    let merged = node;
    for (const item of include.value.items) {
      if (item.kind !== 'scalar' || typeof item.value !== 'string' || item.broken) continue;
      for (const found of this.#find(item.value, source, item.place, [...chain, source.path])) {
        const tree = this.#read(found, item.place, [...chain, source.path]);
        if (tree === undefined) continue;
        // Only the main file's list is a setting; those of included files did their work just now.
        const rest = new Map(tree.entries);
        rest.delete('include');
        merged = mergeMaps(merged, { ...tree, entries: rest }, this.#problems);
      }
    }
    return merged;
  }

  #find(text: string, source: SourceFile, place: Place, chain: readonly string[]): readonly SourceFile[] {
    const result = parseIncludePattern(text);
    if (result.kind === 'problem') {
      this.#problems.error(place, result.message, result.hint);
      return [];
    }
    if (chain.length > DEEPEST_INCLUDE) {
      this.#problems.error(place, `files include each other more than ${DEEPEST_INCLUDE} deep`);
      return [];
    }
    const folder = dirname(source.path);
    const { pattern } = result;
    this.#patterns.push([folder, ...pattern.segments]);
    const sources: SourceFile[] = [];
    for (const path of findIncluded(folder, pattern)) {
      const real = realPath(path);
      if (real === undefined) {
        // With a star this is a file that vanished meanwhile, or a dead link: nothing to include.
        if (!pattern.hasStar) this.#problems.error(place, `\`${text}\`: no such file`, 'check the path');
      } else if (!this.#roots.some((root) => real.startsWith(root + sep))) {
        this.#problems.error(place, `\`${text}\` is a link out of the folder of the config`);
      } else if (chain.some((above) => realPath(above) === real)) {
        // `*.yaml` beside the main file matches it too; that is no loop that anyone wrote.
        if (!pattern.hasStar) this.#problems.error(place, `\`${text}\` includes itself`, 'remove the line');
      } else if (this.#seen.size >= MOST_FILES) {
        this.#problems.error(place, `more than ${MOST_FILES} files`);
        break;
      } else if (!this.#seen.has(real)) {
        this.#seen.add(real);
        const base = dirname(this.#main.path);
        const name = relative(base, path);
        sources.push({ path, name, shown: join(dirname(this.#main.shown), name) });
      }
    }
    return sources;
  }
}

function placeAfter(source: SourceFile, before: string): Place {
  const lines = before.split('\n');
  return { source, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
