import { assertNever } from '../../shared/assert-never.ts';
import type { AnswerOutcome } from '../channels/channel.ts';
import { describeEnd } from './ended-text.ts';
import { MENU, MENU_RULE } from './menu-text.ts';
import { utcTime } from './question-view.ts';
import { oneLine } from './visible.ts';

/** What the person who answered is told: what became of it, and what to do if nothing did. */
export function describeOutcome(outcome: AnswerOutcome): string {
  switch (outcome.kind) {
    case 'decided':
      return describeEnd(outcome.approval);
    case 'counted':
      return `Counted. ${outcome.missing} more ${outcome.missing === 1 ? 'person has' : 'people have'} to agree.`;
    case 'too-late':
      return `Too late, your answer changed nothing. ${describeEnd(outcome.approval)}`;
    case 'kept':
      return `The caller had left. If the same is asked again before ${utcTime(outcome.until)}, it passes once.`;
    case 'invalid':
      return `Nothing was decided: ${oneLine(outcome.message)}`;
    case 'refused':
      return `Nothing was decided: ${oneLine(outcome.message)}`;
    default:
      return assertNever(outcome);
  }
}

/** The same with the menu, for an answer that was not on it. */
export function describeOutcomeWithMenu(outcome: AnswerOutcome): string {
  const text = describeOutcome(outcome);
  return outcome.kind === 'invalid' ? `${text}\n\n${MENU.join('\n')}\n${MENU_RULE}` : text;
}
