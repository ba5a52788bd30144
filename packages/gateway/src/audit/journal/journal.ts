import { randomInt } from 'node:crypto';
import { close, constants, open, readSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { type FileProblem, HeldFile, isProblem, tampered } from '../../shared/held-file.ts';
import type { PendingEvent } from '../chain/event-line.ts';
import { EMPTY_HEAD_BYTES, FILE_BYTES, SEGMENT_BYTES, SEGMENT_STARTS, wipeJournal } from './journal-file.ts';
import { type Entry, entryOf, FRAME_HEAD, nextNumber, sealFrame, writeEntry } from './journal-frame.ts';

/** What one write takes at most. */
const FRAME_BYTES = 256 * 1024;
/** An event that may take more goes its own way. */
const ENTRY_BYTES = 96 * 1024;
/** So many may wait to be written. */
const QUEUE_AT_MOST = 1_024;
/** A disk that is silent for so long is given up; as long as the writer of the chain is waited for. In `ms` */
const WRITE_TIMEOUT_MS = 15_000;
/** A write waits for company as long as every turn of the event loop brings some, but not longer than this, … In `ms` */
const GATHER_MS = 0.5;
/** … and not for more than this. */
const COMPANY = 32;

/** Half of the file. It is written from its start again when all that it holds is in the chain. */
interface Segment {
  readonly start: number;
  /** how many of its events are not in the chain yet */
  left: number;
  /** its first and its last frame, which a file that was written by others does not have */
  written: readonly WrittenHead[];
}

interface WrittenHead {
  /** from the start of the file */
  readonly at: number;
  readonly head: Buffer;
}

/** The place of an event that is on disk. Those that were written together share one. */
export interface KeptEntry {
  /** The event is in the chain now, and needs its place no more. Once for each event. */
  release(): void;
}

export interface JournalOptions {
  /** asked after each write, before anybody hears that it is on disk: whether it cannot be promised all the same [TR-7] */
  isLost?(): boolean;
  /** told once, when it takes nothing more */
  onBroken(problem: string): void;
  /** in the place of `fs.write`; tests have disks that fail */
  readonly writeTo?: typeof write;
}

interface Waiting {
  readonly entry: Entry;
  settle(kept: KeptEntry | undefined): void;
}

/**
 * What is on disk before it is in the chain, so that a write may be carried out without waiting for the database.
 *
 * The file has its full size from the start, and a write replaces bytes that are there: it needs no room on the disk,
 * and no more than the data has to reach it. Two halves take turns; while one cannot be used again yet, nothing is taken.
 */
export class Journal {
  readonly #fd: number;
  readonly #held: HeldFile;
  readonly #isLost: () => boolean;
  readonly #onBroken: JournalOptions['onBroken'];
  readonly #writeTo: typeof write;
  readonly #frame = Buffer.allocUnsafeSlow(FRAME_BYTES);
  readonly #readBack = Buffer.alloc(FRAME_HEAD);
  #segment: Segment = { start: SEGMENT_STARTS[0], left: 0, written: [] };
  #other: Segment = { start: SEGMENT_STARTS[1], left: 0, written: [] };
  /** where the next frame goes, from the start of the segment */
  #at = 0;
  /** By chance: frames of an earlier run, should any be found behind a new one, must not seem to follow it. */
  #number = randomInt(0xffff_ffff);
  #queue: Waiting[] = [];
  #isBusy = false;
  #isDue = false;
  /** how many waited a turn of the event loop ago */
  #seen = 0;
  /** when the one that waits longest came, in `ms` */
  #since = 0;
  /** closed: it takes nothing more; broken: it cannot be written either */
  #state: 'open' | 'closed' | 'broken' = 'open';
  #idle: (() => void)[] = [];
  #lost: FileProblem | undefined;

  private constructor(file: string, fd: number, options: JournalOptions) {
    const { onBroken, writeTo = write, isLost = () => false } = options;
    this.#held = new HeldFile(file);
    this.#fd = fd;
    this.#isLost = isLost;
    this.#onBroken = onBroken;
    this.#writeTo = writeTo;
  }

  /** INVARIANT: what an earlier run has left is in the chain before [TR-1]. */
  static async open(file: string, options: JournalOptions): Promise<Journal> {
    await wipeJournal(file);
    // SECURITY: a write has ended when it is on disk, not when the kernel has it.
    const flags = constants.O_RDWR | constants.O_DSYNC | constants.O_NOFOLLOW;
    return new Journal(file, await promisify(open)(file, flags), options);
  }

  /** Why what is kept may not be there for the next start: the file is another one, or was written to by others [TR-7]. */
  problem(): FileProblem | undefined {
    if (this.#lost !== undefined) return this.#lost;
    const found = this.#look();
    if (found?.isFinal === true) this.#lost = found;
    return found;
  }

  #look(): FileProblem | undefined {
    const stats = this.#held.look();
    if (isProblem(stats)) return stats;
    if (stats.size !== FILE_BYTES) return tampered(this.#held.path, 'was cut off or overwritten');
    const isWhole = this.#isThere(this.#segment) && this.#isThere(this.#other);
    return isWhole ? undefined : tampered(this.#held.path, 'was overwritten');
  }

  #isThere({ written }: Segment): boolean {
    return written.every(({ at, head }) => {
      readSync(this.#fd, this.#readBack, 0, FRAME_HEAD, at);
      return this.#readBack.equals(head);
    });
  }

  /** Resolves when the event is on disk; with undefined when it is not, and must go another way. */
  keep(event: PendingEvent): Promise<KeptEntry | undefined> | undefined {
    if (this.#state !== 'open' || this.#queue.length >= QUEUE_AT_MOST || !this.#hasRoom()) return undefined;
    const entry = entryOf(event);
    if (entry.bytesAtMost > ENTRY_BYTES) return undefined;
    return new Promise((settle) => {
      if (this.#queue.length === 0) this.#since = performance.now();
      this.#queue.push({ entry, settle });
      this.#schedule();
    });
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    while (this.#isBusy || this.#queue.length > 0)
      await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** What is not in the chain by now stays in the file, for the next start. */
  async close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closed';
    await this.settled();
    const isEmpty = this.#segment.left + this.#other.left === 0;
    if (isEmpty && this.#state === 'closed')
      for (const start of SEGMENT_STARTS) writeSync(this.#fd, EMPTY_HEAD_BYTES, 0, FRAME_HEAD, start);
    await promisify(close)(this.#fd);
  }

  #hasRoom(): boolean {
    return this.#other.left === 0 || this.#at + FRAME_BYTES <= SEGMENT_BYTES;
  }

  #schedule(): void {
    if (this.#isBusy || this.#isDue) return;
    this.#isDue = true;
    this.#seen = 0;
    setImmediate(this.#gather);
  }

  /** Each write wakes a thread, and costs the disk the same for one event as for ten. */
  readonly #gather = (): void => {
    const company = this.#queue.length;
    const mayGrow = company > this.#seen && company < COMPANY && performance.now() - this.#since < GATHER_MS;
    this.#seen = company;
    if (mayGrow) setImmediate(this.#gather);
    else this.#write();
  };

  #write(): void {
    this.#isDue = false;
    const { batch, bytes } = this.#fill();
    if (this.#at + bytes > SEGMENT_BYTES && !this.#turn()) {
      this.#done(batch, undefined);
      return;
    }
    const segment = this.#segment;
    const frame = this.#frame.subarray(0, bytes);
    sealFrame(frame, this.#number);
    const at = segment.start + this.#at;
    this.#isBusy = true;
    this.#at += bytes;
    this.#number = nextNumber(this.#number);
    let isOver = false;
    const end = (problem: string | undefined): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#isBusy = false;
      if (problem !== undefined) this.#state = 'broken';
      // Before this frame counts as the last one: what was there before it must be there still.
      const isKept = problem === undefined && !this.#isLost();
      if (isKept) remember(segment, { at, head: Buffer.from(frame.subarray(0, FRAME_HEAD)) });
      this.#done(batch, isKept ? segment : undefined);
      if (problem !== undefined) this.#onBroken(problem);
    };
    const timer = setTimeout(() => end('the disk does not answer'), WRITE_TIMEOUT_MS);
    this.#writeTo(this.#fd, frame, 0, bytes, at, (error, written) => {
      if (error !== null) end(error.message);
      else end(written === bytes ? undefined : `only ${written} of ${bytes} bytes were written`);
    });
  }

  /** As many as fit, as one frame without its head. */
  #fill(): { readonly batch: readonly Waiting[]; readonly bytes: number } {
    let bytes = FRAME_HEAD;
    let taken = 0;
    for (const { entry } of this.#queue) {
      if (bytes + entry.bytesAtMost > FRAME_BYTES) break;
      bytes = writeEntry(this.#frame, bytes, entry);
      taken += 1;
    }
    const batch = this.#queue.slice(0, taken);
    this.#queue = taken === this.#queue.length ? [] : this.#queue.slice(taken);
    return { batch, bytes };
  }

  /** The other half, if it is free. */
  #turn(): boolean {
    if (this.#other.left > 0) return false;
    [this.#segment, this.#other] = [this.#other, this.#segment];
    this.#segment.written = [];
    this.#at = 0;
    return true;
  }

  #done(batch: readonly Waiting[], segment: Segment | undefined): void {
    if (segment !== undefined) segment.left += batch.length;
    const release = (): void => {
      if (segment !== undefined) segment.left -= 1;
    };
    if (this.#state === 'broken') for (const { settle } of this.#queue.splice(0)) settle(undefined);
    if (this.#queue.length > 0) this.#schedule();
    const kept = segment === undefined ? undefined : { release };
    for (const { settle } of batch) settle(kept);
    if (this.#queue.length === 0) for (const wake of this.#idle.splice(0)) wake();
  }
}

function remember(segment: Segment, last: WrittenHead): void {
  const [first = last] = segment.written;
  segment.written = first === last ? [last] : [first, last];
}
