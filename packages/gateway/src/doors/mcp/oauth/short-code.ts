import { randomInt } from 'node:crypto';

/** Letters that nobody takes for another one, and that spell no words. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const HALF = 4;

/** `BCDF-GHJK`: shown in the browser and in the question, so that a person sees that the two belong together. */
export function newShortCode(): string {
  const half = (): string => Array.from({ length: HALF }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${half()}-${half()}`;
}
