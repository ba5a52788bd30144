import { existsSync } from 'node:fs';
import { type FileProblem, HeldFile, isProblem } from '../../shared/held-file.ts';
import type { PendingEvent } from '../chain/event-line.ts';
import { Journal, type JournalOptions, type KeptEntry } from './journal.ts';

/** A journal that is made with the first write: a gateway that only reads needs none, and a start should be short. */
export class LazyJournal {
  readonly #file: string;
  readonly #options: JournalOptions;
  /** what an earlier run has left */
  readonly #before: HeldFile | undefined;
  #journal: Journal | undefined;
  #opening: Promise<void> | undefined;

  constructor(file: string, options: JournalOptions) {
    this.#file = file;
    this.#options = options;
    this.#before = existsSync(file) ? new HeldFile(file) : undefined;
  }

  /** As `Journal.problem`; before it is made, of the file that was there at the start. */
  problem(): FileProblem | undefined {
    if (this.#journal !== undefined) return this.#journal.problem();
    const found = this.#before?.look();
    return found !== undefined && isProblem(found) ? found : undefined;
  }

  /** As `Journal.keep`; undefined also as long as it is being made, and when it could not be. */
  keep(event: PendingEvent): Promise<KeptEntry | undefined> | undefined {
    this.#opening ??= this.#open();
    return this.#journal?.keep(event);
  }

  async settled(): Promise<void> {
    await this.#journal?.settled();
  }

  async close(): Promise<void> {
    await this.#opening;
    await this.#journal?.close();
  }

  async #open(): Promise<void> {
    try {
      const lost = this.problem();
      if (lost !== undefined) throw new Error(lost.message);
      this.#journal = await Journal.open(this.#file, this.#options);
    } catch (error) {
      this.#options.onBroken(error instanceof Error ? error.message : String(error));
    }
  }
}
