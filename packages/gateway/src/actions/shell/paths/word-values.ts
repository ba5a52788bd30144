import { posix } from 'node:path';
import { EXPANDED, QUOTED, type Word, type WordShape } from '../words/word.ts';
import { expandBraces } from './braces.ts';
import { expansionValues, homes, type Known } from './expansions.ts';
import {
  ANY,
  BRACE_CLOSE,
  BRACE_COMMA,
  BRACE_OPEN,
  BRACKET_OPEN,
  expansionMark,
  expansionNumber,
  GLOB,
  GROUP_OPEN,
  MAYBE,
  TILDE,
} from './marks.ts';

const LONGEST = 4_096;

/** Everything that a word may become, as marked texts (`marks.ts`). */
export function valuesOf(word: Word, known: Known): readonly string[] {
  if (word.literal) {
    if (word.tilde) return homes(known).map((home) => home + word.text.slice(1));
    // The shell leaves it alone; programs that read `~` themselves do not.
    return word.quotedTilde
      ? [word.text, ...homes(known).map((home) => home + word.text.slice(1))]
      : [word.text];
  }
  if (word.shape === undefined) return [`${word.prefix}${ANY}`];
  if (word.shape.expansions.some(({ type }) => type === 'process_substitution')) return [];
  known.budget.left -= 1;
  const braced = expandBraces(marked(word.shape), Math.max(0, known.budget.left));
  if (braced === undefined) {
    known.budget.left = -1;
    return [ANY];
  }
  const values: string[] = [];
  for (const text of braced) {
    for (const value of fillExpansions(text, word.shape, known)) {
      const expanded = expandTildes(value, known).map(wildcards);
      for (const one of expanded) {
        values.push(one);
        // An expansion may as well be empty: `/root/.sally$x/y`.
        if (one.includes(ANY) && one !== ANY) values.push(one.replaceAll(ANY, MAYBE));
      }
    }
  }
  known.budget.left -= values.length;
  return known.budget.left < 0 ? [ANY] : values;
}

const SPECIAL: Readonly<Record<string, string>> = {
  '{': BRACE_OPEN,
  '}': BRACE_CLOSE,
  ',': BRACE_COMMA,
  '~': TILDE,
  '*': GLOB,
  '?': GLOB,
  '[': BRACKET_OPEN,
  '(': GROUP_OPEN,
};

function marked({ value, skeleton }: WordShape): string {
  let text = '';
  let expansions = 0;
  for (let at = 0; at < value.length; at += 1) {
    const char = skeleton.charAt(at);
    if (char === EXPANDED) {
      text += expansionMark(expansions);
      expansions += 1;
    } else text += char === QUOTED ? value.charAt(at) : (SPECIAL[char] ?? char);
  }
  return text;
}

/** Every way to put values into the expansions of a text. */
function fillExpansions(text: string, { expansions, source }: WordShape, known: Known): readonly string[] {
  let filled: string[] = [''];
  for (const char of text) {
    const number = expansionNumber(char);
    const node = number === undefined ? undefined : expansions[number];
    const values = node === undefined ? [char] : expansionValues(node, source, known);
    if (filled.length * values.length > Math.max(1, known.budget.left)) {
      known.budget.left = -1;
      return [ANY];
    }
    if (values.length === 1) {
      const [only = ''] = values;
      for (const [index, before] of filled.entries()) filled[index] = before + only;
    } else filled = filled.flatMap((before) => values.map((value) => before + value));
  }
  return filled.map((value) => (value.length > LONGEST ? ANY : value));
}

const TILDES = new RegExp(`${TILDE}(?:([A-Za-z_][A-Za-z0-9_.-]*)|([+-]|\\d+))?`, 'g');

/** A tilde is one at the start, and after `=` and `:`, where shells and programs expand it too. */
function expandTildes(value: string, known: Known): readonly string[] {
  if (!value.includes(TILDE)) return [value];
  const here = value.includes(`${TILDE}+`) ? (known.folders ?? [ANY]) : [''];
  return homes(known).flatMap((home) => here.map((folder) => withTildes(value, home, folder)));
}

function withTildes(value: string, home: string, here: string): string {
  return value.replace(TILDES, (whole, user: string | undefined, folder: string | undefined, at: number) => {
    const after = value.charAt(at + whole.length);
    const begins = at === 0 || /[=:,]/.test(value.charAt(at - 1));
    if (!begins || (after !== '' && !/[/:,]/.test(after))) return whole.replace(TILDE, '~');
    if (user !== undefined) return homeOf(user, home);
    if (folder === '+') return here;
    return folder === undefined ? home : ANY;
  });
}

/** Nobody is looked up: homes stand beside each other. */
function homeOf(user: string, home: string): string {
  if (user === 'root') return '/root';
  return posix.basename(home) === user ? home : posix.join(posix.dirname(home), user);
}

/** `[…]` is any letter; a group (`@(a|b)`) may be anything. */
function wildcards(value: string): string {
  let text = value;
  for (let open = text.indexOf(BRACKET_OPEN); open !== -1; open = text.indexOf(BRACKET_OPEN, open)) {
    const close = text.indexOf(']', open + 2);
    text =
      close === -1
        ? `${text.slice(0, open)}[${text.slice(open + 1)}`
        : text.slice(0, open) + GLOB + text.slice(close + 1);
  }
  const group = text.indexOf(GROUP_OPEN);
  return group === -1 ? text : `${text.slice(0, group).replace(/[?*+@!\ue002]$/, '')}${ANY}`;
}
