import { randomInt } from 'node:crypto';

/** A question to a terminal whose answer nobody else can have caused. */
export interface CursorQuestion {
  readonly question: string;
  /** Whether the answer is in what was read. */
  isAnswered(read: string): boolean;
}

/** Where the smallest window that anyone has is taken to end. */
const SMALLEST = { rows: 24, columns: 80 };
const PLACES = 3;

/**
 * Asks for the cursor's place at three random places, one after the other.
 *
 * Terminals answer in the order in which they were asked: once this is answered, so is everything before it. Every
 * terminal knows the question. The places are the proof: a program that asked the same before it ended, to look like
 * the answer while its own answers are still on their way, cannot have guessed them.
 */
export function makeCursorQuestion(window: {
  readonly rows: number;
  readonly columns: number;
}): CursorQuestion {
  const rows = window.rows > 1 ? window.rows : SMALLEST.rows;
  const columns = window.columns > 1 ? window.columns : SMALLEST.columns;
  const places = Array.from(
    { length: PLACES },
    () => `${randomInt(1, rows + 1)};${randomInt(1, columns + 1)}`,
  );
  const moves = places.map((place) => `\u001b[${place}H\u001b[6n`).join('');
  // Something typed may stand in between.
  const answer = new RegExp(places.map((place) => `\\u001b\\[${place}R`).join('[^R]{0,64}'));
  return {
    // The cursor is put back; places count from the corner of the whole window, not of a part of it.
    question: `\u001b7\u001b[?6l\u001b[?69l\u001b[r${moves}\u001b8`,
    isAnswered: (read) => answer.test(read),
  };
}
