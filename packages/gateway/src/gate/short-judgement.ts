import type { Judgement } from '@sallyport/protocol';

/** A judgement in two words: `allow`, `ask human`, `deny RuleDenied`. What the trail keeps and replays compare. */
export function shortJudgement(judgement: Judgement): string {
  switch (judgement.outcome) {
    case 'allow':
      return 'allow';
    case 'ask':
      return `ask ${judgement.strength}`;
    case 'deny':
      return `deny ${judgement.violation}`;
  }
}
