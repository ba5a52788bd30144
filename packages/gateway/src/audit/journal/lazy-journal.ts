import type { PendingEvent } from '../chain/event-line.ts';
import { Journal, type JournalOptions, type KeptEntry } from './journal.ts';

/** A journal that is made with the first write: a gateway that only reads needs none, and a start should be short. */
export class LazyJournal {
  readonly #file: string;
  readonly #options: JournalOptions;
  #journal: Journal | undefined;
  #opening: Promise<void> | undefined;

  constructor(file: string, options: JournalOptions) {
    this.#file = file;
    this.#options = options;
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
      this.#journal = await Journal.open(this.#file, this.#options);
    } catch (error) {
      this.#options.onBroken(error instanceof Error ? error.message : String(error));
    }
  }
}
