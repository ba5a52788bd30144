import type { Opinion } from '@sallyport/protocol';

/** Order of opinions between layers and between lists: silence < allow < review < human < each-time < deny. */
export function strictness(opinion: Opinion): number {
  switch (opinion.says) {
    case 'nothing':
      return 0;
    case 'allow':
      return 1;
    case 'ask':
      return opinion.strength === 'review' ? 2 : opinion.strength === 'human' ? 3 : 4;
    case 'deny':
      return 5;
  }
}

/** The stricter of two; the first when they are equal. */
export function stricterOf(a: Opinion, b: Opinion): Opinion {
  return strictness(b) > strictness(a) ? b : a;
}
