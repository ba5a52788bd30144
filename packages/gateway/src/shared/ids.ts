import { randomBytes } from 'node:crypto';

export type IdPrefix = 'act' | 'appr' | 'evt' | 'exec' | 'grant' | 'key' | 'rule' | 'sess' | 'enr';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** `act_` plus 26 characters: 48 bits of time, so that ids sort by age, and 80 random bits. */
export function newId(prefix: IdPrefix, now: number = Date.now()): string {
  let time = '';
  for (let rest = now, i = 0; i < 10; i += 1) {
    time = ALPHABET.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let random = '';
  for (const byte of randomBytes(16)) random += ALPHABET.charAt(byte & 31);
  return `${prefix}_${time}${random}`;
}
