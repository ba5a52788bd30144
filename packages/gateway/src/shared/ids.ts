import { randomFillSync } from 'node:crypto';

export type IdPrefix =
  | 'act'
  | 'appr'
  | 'evt'
  | 'exec'
  | 'grant'
  | 'key'
  | 'msg'
  | 'rule'
  | 'sess'
  | 'snap'
  | 'undo'
  | 'enr'
  | 'wl';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_CHARACTERS = 16;
/** Every two characters of the alphabet: half as many pieces to put together. */
const PAIRS = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => first + second));

// Asking the system for random bytes costs more than the rest of an action together: ask for many at once.
const pool = Buffer.alloc(4096);
let used = pool.length;

/** `act_` plus 26 characters: 50 bits of time, so that ids sort by age, and 80 random bits. */
export function newId(prefix: IdPrefix, now: number = Date.now()): string {
  return `${prefix}_${timeText(now)}${randomText()}`;
}

let lastTime = -1;
let lastText = '';

function timeText(now: number): string {
  if (now === lastTime) return lastText;
  let text = '';
  for (let rest = now, i = 0; i < 10; i += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  lastTime = now;
  lastText = text;
  return text;
}

function randomText(): string {
  if (used + RANDOM_CHARACTERS > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let text = '';
  for (let i = used; i < used + RANDOM_CHARACTERS; i += 2)
    text += PAIRS[(((pool[i] ?? 0) & 31) << 5) | ((pool[i + 1] ?? 0) & 31)] ?? '';
  used += RANDOM_CHARACTERS;
  return text;
}
