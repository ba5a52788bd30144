import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileChange } from './settings-file.ts';
import { writeAtomically } from './write-files.ts';

/** What `install` did to one file: enough to put it back. */
interface RecordedFile {
  /** what was there; null: nothing */
  readonly original: string | null;
  /** SHA-256 of what we wrote */
  readonly written: string;
}

/** What was installed, for `uninstall`. One file in the user's config folder, for this user alone. */
export class InstallRecord {
  readonly #path: string;
  #files: Record<string, RecordedFile>;

  constructor(folder: string) {
    this.#path = join(folder, 'installed.json');
    this.#files = readRecord(this.#path);
  }

  /** What `uninstall` puts in place of `text`: what was there, if nobody touched it since; else undefined. */
  originalOf(path: string, text: string | undefined): { readonly text: string | undefined } | undefined {
    const known = this.#files[path];
    if (known === undefined || text === undefined || known.written !== digest(text)) return undefined;
    return { text: known.original ?? undefined };
  }

  /** Remembers what an installation wrote. `stripped`: the text before it, without anything of ours. */
  keep({ path, before, after }: FileChange, stripped: string | undefined): void {
    if (after === undefined) return;
    const original = this.originalOf(path, before) ?? { text: stripped };
    this.#files = { ...this.#files, [path]: { original: original.text ?? null, written: digest(after) } };
  }

  forget(path: string): void {
    const { [path]: _gone, ...rest } = this.#files;
    this.#files = rest;
  }

  /** every file that an installation wrote */
  get paths(): readonly string[] {
    return Object.keys(this.#files);
  }

  get isEmpty(): boolean {
    return Object.keys(this.#files).length === 0;
  }

  /** The file as it is to be. */
  change(): FileChange {
    const before = existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : undefined;
    const after = this.isEmpty ? undefined : `${JSON.stringify(this.#files, null, 2)}\n`;
    return { path: this.#path, before, after, mode: 0o600, isSecret: true };
  }

  save(): void {
    const { after } = this.change();
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    writeAtomically(this.#path, after, 0o600);
  }
}

function readRecord(path: string): Record<string, RecordedFile> {
  try {
    // `as`: our own file; what does not fit is not used, because no digest matches.
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, RecordedFile>;
  } catch {
    return {};
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
