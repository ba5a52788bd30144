import { expect, test } from 'vitest';
import { checkMessage, checkModal } from './limits.ts';

const button = { type: 2, style: 1, label: 'ok', custom_id: 'c' };
const rows = (...components: object[]) => ({ content: 'x', components: [{ type: 1, components }] });
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...button, custom_id: `c${index}` }));
const input = { type: 4, custom_id: 'i', style: 2 };
const modal = { title: 't', custom_id: 'm', components: [{ type: 18, label: 'l', component: input }] };

test.each([
  { why: 'nothing in it', body: {}, refusal: /empty message/ },
  { why: '2,001 characters', body: { content: 'x'.repeat(2_001) }, refusal: /content/ },
  { why: 'six rows', body: { content: 'x', components: many(6) }, refusal: /5 or fewer/ },
  { why: 'six buttons in a row', body: rows(...many(6)), refusal: /between 1 and 5/ },
  {
    why: 'an id of 101 characters',
    body: rows({ ...button, custom_id: 'c'.repeat(101) }),
    refusal: /custom_id/,
  },
  { why: 'an id twice', body: rows(button, button), refusal: /duplicated/ },
  { why: 'a label of 81 characters', body: rows({ ...button, label: 'x'.repeat(81) }), refusal: /label/ },
  {
    why: 'an embed too long',
    body: { embeds: [{ description: 'x'.repeat(4_097) }] },
    refusal: /description/,
  },
  {
    why: 'a file that is not there',
    body: { content: 'x', attachments: [{ id: 0 }] },
    refusal: /attachments/,
  },
])('a message with $why is refused', ({ body, refusal }) => {
  expect(() => checkMessage(body, [], true)).toThrow(refusal);
});

test.each([
  { why: 'a title of 46 characters', form: { ...modal, title: 'x'.repeat(46) } },
  { why: 'an id of 101 characters', form: { ...modal, custom_id: 'x'.repeat(101) } },
  { why: 'no component', form: { ...modal, components: [] } },
  {
    why: 'a label of 46 characters',
    form: { ...modal, components: [{ type: 18, label: 'x'.repeat(46), component: input }] },
  },
  {
    why: 'an input of 4,001 characters',
    form: { ...modal, components: [{ type: 18, label: 'l', component: { ...input, max_length: 4_001 } }] },
  },
])('a modal with $why is refused', ({ form }) => {
  expect(() => checkModal(form)).toThrow(/Invalid Form Body/);
});

test('what fits is taken', () => {
  expect(() => checkMessage(rows(...many(5)), [], true)).not.toThrow();
  expect(checkModal(modal)).toBe(modal);
});
