import { closeSync } from 'node:fs';
import { openUnnamed } from '../jail/spawn-jail.ts';

/** Commands of one sandbox differ in one or two of a handful. */
const AT_MOST = 64;

/** Files without a name for contents that come again: writing them anew takes three calls each, opening them one. */
export class KeptContents {
  readonly #files = new Map<string, number>();

  /** A path that opens at the beginning of the content, which is given in base64, until 64 others were asked for. */
  pathOf(content: string): string {
    let fd = this.#files.get(content);
    if (fd === undefined) {
      fd = openUnnamed(Buffer.from(content, 'base64'));
      const [oldest] = this.#files;
      if (this.#files.size >= AT_MOST && oldest !== undefined) {
        this.#files.delete(oldest[0]);
        closeSync(oldest[1]);
      }
      this.#files.set(content, fd);
    }
    return `/proc/self/fd/${fd}`;
  }
}
