import { DECISION_CODES, type DecisionCode } from '@sallyport/protocol';
import type { Decision, Question } from './approval.ts';

/** What a person may reply, the same for every question. */
export const MENU: readonly { readonly code: DecisionCode; readonly text: string }[] = [
  { code: '1', text: 'Allow once' },
  { code: '2', text: 'Allow for this session' },
  { code: '3', text: 'Deny' },
  { code: '4', text: 'Allow once + add note (reply: 4 <note>)' },
  { code: '5', text: 'Modify then allow (reply: 5 <replacement>)' },
  { code: '6', text: 'Always allow this action type (until revoked)' },
];

/** Whether a person may write something else in the place of what is asked: never of a list. */
export function mayBeChanged({ listed, isFixed }: Pick<Question, 'listed' | 'isFixed'>): boolean {
  return listed === undefined && isFixed !== true;
}

/** The one short answer to anything that is not on the menu. */
export const MENU_HELP = `Nothing was decided. Reply with one of:\n${MENU.map(
  ({ code, text }) => `${code}. ${text}`,
).join('\n')}`;

export type ParsedAnswer =
  | { readonly kind: 'decision'; readonly decision: Decision }
  | { readonly kind: 'invalid'; readonly message: string };

/**
 * Reads a reply: the first token is the code, the rest its payload.
 *
 * SECURITY: free text is never consent. `yes`, `ok`, `1.` and `1 please` decide nothing; neither does a digit
 * of another script.
 */
export function parseMenu(reply: string): ParsedAnswer {
  const text = reply.trim();
  const border = text.search(/\s/);
  const first = border === -1 ? text : text.slice(0, border);
  const payload = border === -1 ? undefined : text.slice(border).trim();
  const code = DECISION_CODES.find((candidate) => candidate === first);
  return code === undefined ? invalid() : toDecision(code, payload);
}

/** The same rules for a code and a text that came apart. */
export function toDecision(code: DecisionCode, payload: string | undefined): ParsedAnswer {
  const needsPayload = code === '4' || code === '5';
  if (needsPayload !== (payload !== undefined && payload.trim() !== '')) return invalid();
  if (code === '4') return { kind: 'decision', decision: { code, note: payload ?? '' } };
  if (code === '5') return { kind: 'decision', decision: { code, override: payload ?? '' } };
  return { kind: 'decision', decision: { code } };
}

/** Whether a decision that a button or a form made has exactly what its code needs. */
export function isWellFormed(decision: Decision): boolean {
  const { code, note, override, minutes, scope, always, again } = decision;
  if (!DECISION_CODES.includes(code)) return false;
  if ((code === '4') !== (note !== undefined && note.trim() !== '')) return false;
  if ((code === '5') !== (override !== undefined && override.trim() !== '')) return false;
  if (again !== undefined && (code !== '1' || minutes !== undefined)) return false;
  if (always !== undefined && code !== '3') return false;
  const stands = code === '2' || code === '6' || minutes !== undefined || always !== undefined;
  if (scope !== undefined && !stands) return false;
  if (minutes === undefined) return true;
  return code === '1' && Number.isInteger(minutes) && minutes >= 1 && minutes <= MINUTES_AT_MOST;
}

export const MINUTES_AT_MOST = 1_440;

function invalid(): ParsedAnswer {
  return { kind: 'invalid', message: MENU_HELP };
}
