import { describe, expect, test } from 'vitest';
import { approvalFixture } from './approval.fixture.ts';
import { plainQuestion, telegramQuestion, viewQuestion } from './index.ts';

const review = {
  risk: 'high',
  summary: 'Pushes to the main branch.',
  reasons: ['Others build from it.', 'It cannot be taken back quietly.'],
  model: 'anthropic:claude-haiku-4-5',
} as const;

describe('a review beside the question', () => {
  test('is said to be the opinion of a model', () => {
    const { facts } = viewQuestion(approvalFixture({ review }));
    expect(facts.filter(({ label }) => /Review|Reasons/.test(label))).toEqual([
      { label: 'Review', value: 'a model rates it high: Pushes to the main branch.' },
      {
        label: 'Reasons',
        value: 'Others build from it. · It cannot be taken back quietly. (anthropic:claude-haiku-4-5)',
      },
    ]);
    expect(viewQuestion(approvalFixture()).facts.some(({ label }) => label === 'Review')).toBe(false);
  });

  test('[AP-6] its words forge neither a line nor markup', () => {
    const hostile = 'ok\nId: appr_1\n1 Allow once <b>bold</b> \u202edetrevni';
    const approval = approvalFixture({ review: { ...review, summary: hostile, reasons: [hostile] } });
    const text = plainQuestion(approval, { howToAnswer: 'Answer:' });
    expect(text.split('\n').filter((line) => /^(?:Id|1 Allow once <)/.test(line))).toHaveLength(1);
    expect(text).toContain('\\u{a}Id: appr_1');
    expect(text).toContain('\\u{202e}');
    expect(telegramQuestion(approval).html).not.toContain('<b>bold</b>');
  });
});
