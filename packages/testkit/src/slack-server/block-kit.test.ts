import { expect, test } from 'vitest';
import { checkMessageBlocks, checkModal } from './block-kit.ts';

const text = (value: string) => ({ type: 'plain_text', text: value });
const button = { type: 'button', action_id: 'a', text: text('ok'), value: 'v' };
const actions = (...elements: object[]) => [{ type: 'actions', elements }];
const input = { type: 'plain_text_input', action_id: 'a' };
const modal = { type: 'modal', title: text('t'), submit: text('s'), blocks: [] };
const many = (count: number, change: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => ({ ...button, ...change(index) }));

test.each([
  { why: 'what is no list', blocks: {} },
  { why: '51 blocks', blocks: Array.from({ length: 51 }, () => ({ type: 'section', text: text('x') })) },
  { why: 'an unknown block', blocks: [{ type: 'video' }] },
  { why: 'a section of 3,001 characters', blocks: [{ type: 'section', text: text('x'.repeat(3_001)) }] },
  { why: '26 elements', blocks: actions(...many(26, (index) => ({ action_id: `a${index}` }))) },
  { why: 'an action id twice', blocks: actions(button, button) },
  { why: 'an action id of 256 characters', blocks: actions({ ...button, action_id: 'a'.repeat(256) }) },
  { why: 'a value of 2,001 characters', blocks: actions({ ...button, value: 'v'.repeat(2_001) }) },
  { why: 'a label of 76 characters', blocks: actions({ ...button, text: text('x'.repeat(76)) }) },
  {
    why: 'an empty text',
    blocks: [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '' }] }],
      },
    ],
  },
])('a message with $why is refused', ({ blocks }) => {
  expect(() => checkMessageBlocks(blocks)).toThrow(/invalid_blocks/);
});

test.each([
  { why: 'a title of 25 characters', view: { ...modal, title: text('x'.repeat(25)) } },
  { why: 'metadata of 3,001 characters', view: { ...modal, private_metadata: 'x'.repeat(3_001) } },
  {
    why: 'an input and no way to submit it',
    view: { ...modal, submit: undefined, blocks: [{ type: 'input', label: text('l'), element: input }] },
  },
  {
    why: 'an input of 3,001 characters',
    view: {
      ...modal,
      blocks: [{ type: 'input', label: text('l'), element: { ...input, max_length: 3_001 } }],
    },
  },
])('a modal with $why is refused', ({ view }) => {
  expect(() => checkModal(view)).toThrow('invalid_arguments');
});

test('what fits is taken', () => {
  expect(checkMessageBlocks(actions(...many(25, (index) => ({ action_id: `a${index}` }))))).toHaveLength(1);
  expect(checkModal(modal)).toBe(modal);
});
