import type { Opinion } from '@sallyport/protocol';

/** The stricter of two answers inside one list, where no match (`undefined`) is stricter than an allow. */
export function stricter(a: Opinion | undefined, b: Opinion | undefined): Opinion | undefined {
  return strictness(b) > strictness(a) ? b : a;
}

function strictness(opinion: Opinion | undefined): number {
  switch (opinion?.says) {
    case undefined:
    case 'nothing':
      return 1;
    case 'allow':
      return 0;
    case 'ask':
      return opinion.strength === 'review' ? 2 : opinion.strength === 'human' ? 3 : 4;
    case 'deny':
      return 5;
  }
}
