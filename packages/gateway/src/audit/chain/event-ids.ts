import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const COUNTER_LIMIT = 32 ** 4;
const RANDOM_CHARACTERS = 12;
/** Asking the system costs more than the rest of an id, so it is asked for many at once. */
const POOL_BYTES = 1_200;

/**
 * Ids of events: `evt_`, 10 characters of time, 4 of a counter, 12 random ones.
 *
 * INVARIANT: each id sorts after the one before, also when the clock goes back, so that `Last-Event-ID` is a
 * position in the trail.
 */
export class EventIds {
  #time = 0;
  #counter = 0;
  #prefix = '';
  #random = '';
  readonly #pool = Buffer.alloc(POOL_BYTES);
  #used = POOL_BYTES;

  /** Continues after `lastId`, the greatest id that is stored. */
  constructor(lastId?: string) {
    if (lastId === undefined) return;
    let time = 0;
    for (const letter of lastId.slice(4, 14)) time = time * 32 + Math.max(0, ALPHABET.indexOf(letter));
    this.#time = time;
    this.#counter = COUNTER_LIMIT;
  }

  next(now: number): string {
    if (now > this.#time) this.#startAt(now);
    else if (this.#counter >= COUNTER_LIMIT) this.#startAt(this.#time + 1);
    const counter = base32(this.#counter, 4);
    this.#counter += 1;
    return `${this.#prefix}${counter}${this.#random}`;
  }

  #startAt(time: number): void {
    this.#time = time;
    this.#counter = 0;
    this.#prefix = `evt_${base32(time, 10)}`;
    this.#random = this.#randomText();
  }

  #randomText(): string {
    if (this.#used === POOL_BYTES) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    let text = '';
    const end = this.#used + RANDOM_CHARACTERS;
    for (let at = this.#used; at < end; at += 1) text += ALPHABET.charAt((this.#pool[at] ?? 0) & 31);
    this.#used = end;
    return text;
  }
}

function base32(value: number, length: number): string {
  let text = '';
  for (let rest = value, i = 0; i < length; i += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
