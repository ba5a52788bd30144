import { assertNever } from '../../shared/assert-never.ts';
import type { AnswerOutcome } from '../approval/message.ts';
import { describeEnd } from './ended-text.ts';
import { utcTime } from './question-view.ts';
import { manyLines } from './visible.ts';

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
    case 'refused':
      return nothingDecided(outcome.message);
    default:
      return assertNever(outcome);
  }
}

/** The menu parser's message has lines of its own and begins with these words already. */
function nothingDecided(message: string): string {
  const text = manyLines(message);
  return text.startsWith(NOTHING) ? text : `${NOTHING}: ${text}`;
}

const NOTHING = 'Nothing was decided';
