import { type Stats, statSync } from 'node:fs';

/** Why what is in a file cannot be promised any more. */
export interface FileProblem {
  readonly message: string;
  /** what to do */
  readonly hint: string;
  /** false: the disk did not answer, and may do so again */
  readonly isFinal: boolean;
}

const HINT =
  'stop the gateway with `sallyport stop`, put the files of its home back as they were, or restore a backup, then start it again';

/** What happened to a file that somebody else must leave alone while a gateway runs. */
export function tampered(path: string, what: string): FileProblem {
  return { message: `\`${path}\` ${what} while the gateway ran`, hint: HINT, isFinal: true };
}

/**
 * A file that this process holds open, and its name. What is written through the open file is lost when the name leads
 * elsewhere [TR-7]: the next start would find another file, or none.
 */
export class HeldFile {
  readonly path: string;
  readonly #dev: number;
  readonly #ino: number;

  /** Called right after the file was opened. */
  constructor(path: string, { dev, ino } = statSync(path)) {
    this.path = path;
    this.#dev = dev;
    this.#ino = ino;
  }

  /** What the name leads to, if it is still the same file. Opens nothing. */
  look(): Stats | FileProblem {
    let stats: Stats;
    try {
      stats = statSync(this.path);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return tampered(this.path, 'was removed or moved away');
      return {
        message: `\`${this.path}\` cannot be looked at (${code})`,
        hint: 'check the disk of this machine and who may read the folder',
        isFinal: false,
      };
    }
    const isSame = stats.dev === this.#dev && stats.ino === this.#ino;
    return isSame ? stats : tampered(this.path, 'was replaced by another file');
  }
}

export function isProblem(found: Stats | FileProblem): found is FileProblem {
  return 'hint' in found;
}
