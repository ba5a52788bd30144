import type { Opinion } from '@sallyport/protocol';

/** The stricter of two answers inside one list, where no match (`undefined`) is stricter than an allow. */
export function stricter(a: Opinion | undefined, b: Opinion | undefined): Opinion | undefined {
  return strictnessInList(b) > strictnessInList(a) ? b : a;
}

function strictnessInList(opinion: Opinion | undefined): number {
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
