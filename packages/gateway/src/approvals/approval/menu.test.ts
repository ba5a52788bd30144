import { describe, expect, test } from 'vitest';
import { isWellFormed, MENU, MENU_HELP, parseMenu } from './menu.ts';

const decided = [
  { reply: '1', decision: { code: '1' }, why: 'allow once' },
  { reply: '2', decision: { code: '2' }, why: 'allow for this session' },
  { reply: '3', decision: { code: '3' }, why: 'deny' },
  { reply: '6', decision: { code: '6' }, why: 'always' },
  { reply: ' 1 ', decision: { code: '1' }, why: 'blanks around it' },
  { reply: '\n3\n', decision: { code: '3' }, why: 'line breaks around it' },
  { reply: '\t2\r\n', decision: { code: '2' }, why: 'a mail client ends lines its own way' },
  { reply: '4 add logs', decision: { code: '4', note: 'add logs' }, why: 'a note' },
  { reply: '4  add   logs ', decision: { code: '4', note: 'add   logs' }, why: 'blanks inside a note stay' },
  { reply: '4\nadd logs', decision: { code: '4', note: 'add logs' }, why: 'a note on the next line' },
  { reply: '4\tx', decision: { code: '4', note: 'x' }, why: 'a tab' },
  { reply: '4 a\nb', decision: { code: '4', note: 'a\nb' }, why: 'a note of two lines' },
  { reply: '4 1', decision: { code: '4', note: '1' }, why: 'a note that looks like a code' },
  { reply: '4 3', decision: { code: '4', note: '3' }, why: 'the first token counts, not the last' },
  { reply: '4 ok', decision: { code: '4', note: 'ok' }, why: 'a short note' },
  { reply: '5 npm test', decision: { code: '5', override: 'npm test' }, why: 'a replacement' },
  { reply: '5 {"a":1}', decision: { code: '5', override: '{"a":1}' }, why: 'a replacement in JSON' },
  { reply: '5\nls\npwd', decision: { code: '5', override: 'ls\npwd' }, why: 'a replacement of two lines' },
  { reply: '5 5', decision: { code: '5', override: '5' }, why: 'a replacement that looks like a code' },
  { reply: '4 ünïcode ✓', decision: { code: '4', note: 'ünïcode ✓' }, why: 'any script in a note' },
] as const;

const refused = [
  { reply: '', why: 'nothing' },
  { reply: ' ', why: 'a blank' },
  { reply: '\n\n', why: 'empty lines' },
  { reply: 'yes', why: 'free text' },
  { reply: 'Yes', why: 'free text' },
  { reply: 'ok', why: 'free text' },
  { reply: 'OK!', why: 'free text' },
  { reply: 'no', why: 'free text is no denial either' },
  { reply: 'approve', why: 'a word of ours, but not on the menu' },
  { reply: 'approved', why: 'free text' },
  { reply: 'deny', why: 'free text' },
  { reply: 'y', why: 'free text' },
  { reply: '👍', why: 'a reaction' },
  { reply: '✅ 1', why: 'a reaction before the code' },
  { reply: '0', why: 'no such code' },
  { reply: '7', why: 'no such code' },
  { reply: '9', why: 'no such code' },
  { reply: '-1', why: 'no such code' },
  { reply: '+1', why: 'applause' },
  { reply: '10', why: 'no such code' },
  { reply: '11', why: 'no such code' },
  { reply: '01', why: 'not the code' },
  { reply: '1.', why: 'a list item' },
  { reply: '1)', why: 'a list item' },
  { reply: '(1)', why: 'brackets' },
  { reply: '#1', why: 'a number sign' },
  { reply: '1!', why: 'not the code alone' },
  { reply: '1,', why: 'not the code alone' },
  { reply: '1.0', why: 'a number, not the code' },
  { reply: '1 please', why: 'allow once takes no text' },
  { reply: '1 4 note', why: 'two codes' },
  { reply: '1\n\nOn Tue, Ana wrote:', why: 'the quote was not cut off, so it is not only a code' },
  { reply: '1\n2', why: 'two codes on two lines' },
  { reply: '12', why: 'two codes in one' },
  { reply: '1 1', why: 'the code twice' },
  { reply: '2 thanks', why: 'the session takes no text' },
  { reply: '3 because', why: 'a denial takes no text' },
  { reply: '6 forever', why: 'always takes no text' },
  { reply: '4', why: 'a note is missing' },
  { reply: '4 ', why: 'a note is missing' },
  { reply: '4\n\n', why: 'a note is missing' },
  { reply: '5', why: 'a replacement is missing' },
  { reply: '5 \t ', why: 'a replacement is missing' },
  { reply: '4:add logs', why: 'no blank after the code' },
  { reply: '4add', why: 'no blank after the code' },
  { reply: '5-npm', why: 'no blank after the code' },
  { reply: 'please 1', why: 'the first token is no code' },
  { reply: 'one', why: 'a word' },
  { reply: '１', why: 'a full-width digit' },
  { reply: '١', why: 'an Arabic digit' },
  { reply: '①', why: 'a circled digit' },
  { reply: '¹', why: 'a superscript' },
  { reply: 'Ⅰ', why: 'a Roman numeral' },
  { reply: '1\u200b', why: 'a zero-width blank after the code' },
  { reply: '\u202e1', why: 'a direction override before the code' },
  { reply: '1\0', why: 'a NUL' },
  { reply: '> 1', why: 'a quoted line' },
  { reply: '<b>1</b>', why: 'markup' },
  { reply: '"1"', why: 'quotes' },
  { reply: '1;3', why: 'two codes' },
  { reply: '1/6', why: 'a fraction' },
  { reply: 'approval 1', why: 'the first token is no code' },
  { reply: 'Out of office: back on 1 May', why: 'an auto-reply' },
  { reply: '1e0', why: 'a number that is one, but not the code' },
  { reply: '0x1', why: 'a number that is one, but not the code' },
];

describe('the menu', () => {
  test.each(decided)('$why: $reply decides', ({ reply, decision }) => {
    expect(parseMenu(reply)).toEqual({ kind: 'decision', decision });
  });

  test.each(refused)('[AP-5] $why: $reply decides nothing', ({ reply }) => {
    expect(parseMenu(reply)).toEqual({ kind: 'invalid', message: MENU_HELP });
  });

  test('is the fixed one, and the help shows all of it', () => {
    expect(MENU.map(({ code }) => code)).toEqual(['1', '2', '3', '4', '5', '6']);
    for (const { code, text } of MENU) expect(MENU_HELP).toContain(`${code}. ${text}`);
  });
});

describe('a decision from a button or a form', () => {
  test.each([
    { decision: { code: '1' }, fits: true, why: 'once' },
    { decision: { code: '1', minutes: 15 }, fits: true, why: 'timed' },
    { decision: { code: '1', again: true }, fits: true, why: 'if it asks again' },
    { decision: { code: '4', note: 'x' }, fits: true, why: 'a note' },
    { decision: { code: '5', override: 'x' }, fits: true, why: 'a replacement' },
    { decision: { code: '7' }, fits: false, why: 'no such code' },
    { decision: { code: '4' }, fits: false, why: 'no note' },
    { decision: { code: '4', note: '  ' }, fits: false, why: 'an empty note' },
    { decision: { code: '5' }, fits: false, why: 'no replacement' },
    { decision: { code: '1', note: 'x' }, fits: false, why: 'a note that the code does not take' },
    { decision: { code: '3', override: 'x' }, fits: false, why: 'a denial with a replacement' },
    { decision: { code: '1', minutes: 0 }, fits: false, why: 'no time' },
    { decision: { code: '1', minutes: 1.5 }, fits: false, why: 'half a minute' },
    { decision: { code: '1', minutes: 100_000 }, fits: false, why: 'longer than a day' },
    { decision: { code: '1', minutes: Number.NaN }, fits: false, why: 'no number' },
    { decision: { code: '6', minutes: 5 }, fits: false, why: 'always, for five minutes' },
    { decision: { code: '3', again: true }, fits: false, why: 'a denial for next time' },
  ])('$why: $decision fits $fits', ({ decision, fits }) => {
    // As a broken channel might hand it over: the type promises more than the data keeps.
    expect(isWellFormed(decision as Parameters<typeof isWellFormed>[0])).toBe(fits);
  });
});
