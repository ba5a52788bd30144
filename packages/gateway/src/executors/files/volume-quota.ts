import { SallyportError } from '@sallyport/protocol';
import type { Clock } from '../../shared/clock.ts';
import type { Commit, Usage } from './volume-storage.ts';

export interface VolumeQuotaOptions {
  readonly volume: string;
  /** undefined: nothing is counted */
  readonly bytes: number | undefined;
  readonly measure: () => Promise<Usage>;
  readonly clock: Clock;
}

/** Room that one write was promised. */
export interface Room extends Disposable {
  /** Counts what really changes. Throws `QuotaExceeded` when that is more than there is room for. */
  readonly commit: Commit;
}

/** Others write into the folder too, from the sandbox: what is known is looked at again after this time. */
const TRUSTED_MS = 60_000;
/** A measurement may cost this many times less than what lies between two of them. */
const REST = 10;
/** Files and folders cost something too: this many are free, then one for each KiB of the quota. */
const FREE_ENTRIES = 10_000;
const BYTES_FOR_AN_ENTRY = 1024;

/**
 * What a volume may hold. The truth is on the disk: it is measured with the first write of every start and then now
 * and again; in between the gateway's own changes are counted. Writes at the same time are promised room one after
 * the other, before they write anything.
 */
export class VolumeQuota {
  readonly #options: VolumeQuotaOptions;
  #used: Usage | undefined;
  readonly #promised = { bytes: 0, entries: 0 };
  /** what grew while it was measured: it may be in the result or not, so it is counted on top */
  readonly #grown = { bytes: 0, entries: 0 };
  #trustedUntil = 0;
  #notBefore = 0;
  #measuring: Promise<void> | undefined;

  constructor(options: VolumeQuotaOptions) {
    this.#options = options;
  }

  /** Promises room for a change. Throws `QuotaExceeded` when there is none. Dispose it when the write is over. */
  async reserve(change: Usage): Promise<Room> {
    if (this.#options.bytes === undefined) return NO_LIMIT;
    const { clock } = this.#options;
    if (this.#used === undefined || clock.now() > this.#trustedUntil) await this.#measure();
    // Before a no: somebody may have made room from inside the sandbox.
    if (!this.#fits(change) && clock.now() >= this.#notBefore) await this.#measure();
    if (!this.#fits(change)) throw this.#full();
    return this.#promise({ bytes: Math.max(0, change.bytes), entries: Math.max(0, change.entries) });
  }

  /** Counts what became free. */
  readonly freed: Commit = (change) => this.#count(change);

  #promise(change: Usage): Room {
    this.#promised.bytes += change.bytes;
    this.#promised.entries += change.entries;
    let isOpen = true;
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#promised.bytes -= change.bytes;
      this.#promised.entries -= change.entries;
    };
    return {
      commit: (real) => {
        close();
        // What is replaced may have become smaller since the room was promised.
        if ((real.bytes > 0 || real.entries > 0) && !this.#fits(real)) throw this.#full();
        this.#count(real);
      },
      [Symbol.dispose]: close,
    };
  }

  #fits({ bytes, entries }: Usage): boolean {
    const limit = this.#options.bytes;
    if (limit === undefined) return true;
    if (this.#used === undefined) return false;
    const bytesThen = this.#used.bytes + this.#promised.bytes + bytes;
    const entriesThen = this.#used.entries + this.#promised.entries + entries;
    // What makes it no larger is always welcome, also in a volume that is over its quota.
    const hasBytes = bytes <= 0 || bytesThen <= limit;
    const hasEntries = entries <= 0 || entriesThen <= FREE_ENTRIES + limit / BYTES_FOR_AN_ENTRY;
    return hasBytes && hasEntries;
  }

  #count({ bytes, entries }: Usage): void {
    if (this.#used === undefined) return;
    this.#used = {
      bytes: Math.max(0, this.#used.bytes + bytes),
      entries: Math.max(0, this.#used.entries + entries),
    };
    if (this.#measuring === undefined) return;
    this.#grown.bytes += Math.max(0, bytes);
    this.#grown.entries += Math.max(0, entries);
  }

  #measure(): Promise<void> {
    this.#measuring ??= this.#measureOnce().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  async #measureOnce(): Promise<void> {
    const { clock, measure } = this.#options;
    const began = clock.now();
    this.#grown.bytes = 0;
    this.#grown.entries = 0;
    const found = await measure();
    this.#used = { bytes: found.bytes + this.#grown.bytes, entries: found.entries + this.#grown.entries };
    const now = clock.now();
    this.#notBefore = now + (now - began) * REST;
    this.#trustedUntil = Math.max(now + TRUSTED_MS, this.#notBefore);
  }

  #full(): SallyportError {
    const { volume, bytes } = this.#options;
    return new SallyportError('QuotaExceeded', {
      message: `volume \`${volume}\` has no room for this: its quota is ${bytes} bytes`,
    });
  }
}

const NO_LIMIT: Room = { commit: () => {}, [Symbol.dispose]: () => {} };
