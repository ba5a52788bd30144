import { describe, expect, test } from 'vitest';
import { detailFixture } from '../../test/approvals/fake-operator.ts';
import { answerable, EMPTY, HOLD_MS, moved, withQuestions, withSending } from './watch-state.ts';

const first = detailFixture({ id: 'appr_1', created_at: '2026-01-01T00:00:01.000Z' });
const second = detailFixture({ id: 'appr_2', created_at: '2026-01-01T00:00:02.000Z' });
const third = detailFixture({ id: 'appr_3', created_at: '2026-01-01T00:00:03.000Z' });

describe('the question under the cursor', () => {
  test('is the oldest, and new ones do not take its place', () => {
    const state = withQuestions(EMPTY, [second, first], 0);
    expect(state.selected).toBe('appr_1');
    expect(withQuestions(state, [third, second, first], 0).selected).toBe('appr_1');
  });

  test('[AP-8] a key that comes right after the question changed by itself answers nothing', () => {
    const before = withQuestions(EMPTY, [first, second], 0);
    const after = withQuestions(before, [second], 10_000);
    expect(after.selected).toBe('appr_2');
    expect(answerable(after, 10_000 + HOLD_MS - 1)).toMatch(/another question came up/);
    expect(answerable(after, 10_000 + HOLD_MS)).toBe(second);
  });

  test('[AP-8] the same id with another content holds the keys, too', () => {
    const before = withQuestions(EMPTY, [first], 0);
    const after = withQuestions(before, [{ ...first, binding: 'b2' }], 10_000);
    expect(answerable(after, 10_001)).toMatch(/another question came up/);
  });

  test('is not answered twice while the first answer is on its way', () => {
    const state = withSending(withQuestions(EMPTY, [first], 0), 'appr_1', true);
    expect(answerable(state, HOLD_MS)).toMatch(/on its way/);
    expect(answerable(withSending(state, 'appr_1', false), HOLD_MS)).toBe(first);
  });

  test('moves by key without a hold, and stops at both ends', () => {
    const state = { ...withQuestions(EMPTY, [first, second], 0), heldUntil: 0 };
    expect(moved(state, -1).selected).toBe('appr_1');
    const down = moved(state, 1);
    expect(answerable(down, 0)).toBe(second);
    expect(moved(down, 1).selected).toBe('appr_2');
    expect(moved(EMPTY, 1).selected).toBeUndefined();
    expect(answerable(EMPTY, 0)).toBe('nothing waits');
  });
});
