import { describe, expect, test } from 'vitest';
import { detailFixture } from '../../test/approvals/fake-operator.ts';
import { watchScreen } from './watch-screen.ts';
import { EMPTY, HOLD_MS, withEvent, withQuestions } from './watch-state.ts';

const size = { rows: 30, columns: 100 };
const now = Date.parse('2026-01-01T00:00:00.000Z');
/** After the moment in which keys are held. */
const later = now + HOLD_MS;
const plain = (_: string, text: string): string => text;

describe.each([
  { rows: 24, columns: 80 },
  { rows: 40, columns: 120 },
])('a screen of $columns by $rows', (small) => {
  test('shows the whole question first; what agents do makes way for it', () => {
    const questions = [1, 2, 3, 4, 5, 6].map((number) =>
      detailFixture({ id: `appr_${number}`, title: `question ${number}` }),
    );
    const state = withEvent(withQuestions(EMPTY, questions, now), '00:00:00  dev  ls  → allowed');
    const lines = watchScreen(state, small, later, plain);
    expect(lines).toHaveLength(small.rows);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(small.columns);
    expect(lines.join('\n')).not.toContain('✂');
    expect(lines.join('\n')).toMatchSnapshot();
  });
});

describe('the live screen', () => {
  test('says what, who, why and which keys, on one screen', () => {
    const questions = [
      detailFixture({ expires_at: '2026-01-01T00:42:00.000Z' }),
      detailFixture({
        id: 'appr_2',
        created_at: '2026-01-01T00:00:01.000Z',
        title: 'rm -rf build',
        risk: 'medium',
      }),
    ];
    const state = withEvent(
      withQuestions(EMPTY, questions, now),
      '2026-01-01 00:00:00  ActionEvent::Judged  dev',
    );
    expect(watchScreen(state, size, later, plain).join('\n')).toMatchSnapshot();
  });

  test('while keys are held, it says so in the place of the keys', () => {
    const screen = watchScreen(withQuestions(EMPTY, [detailFixture()], now), size, now, plain).join('\n');
    expect(screen).toContain('keys count in a moment');
    expect(screen).not.toContain('1 Allow once');
  });

  test('says when nothing waits', () => {
    expect(watchScreen(EMPTY, size, now, plain)[0]).toBe('Sallyport · nothing waits for you');
  });

  test.each([
    { why: 'a usual screen', rows: 30, columns: 100 },
    { why: 'a small one', rows: 12, columns: 40 },
    { why: 'a wide one', rows: 60, columns: 200 },
  ])('never has more lines or columns than $why', ({ rows, columns }) => {
    const many = Array.from({ length: 40 }, (_, index) =>
      detailFixture({ id: `appr_${index}`, preview: 'x\n'.repeat(500) }),
    );
    const lines = watchScreen(withQuestions(EMPTY, many, now), { rows, columns }, now, plain);
    expect(lines).toHaveLength(rows);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(columns);
  });

  test('a question that does not fit says which lines are shown, and scrolling reaches the last one', () => {
    const long = detailFixture({
      preview: Array.from({ length: 300 }, (_, line) => `line ${line}`).join('\n'),
    });
    const state = withQuestions(EMPTY, [long], now);
    const screen = (scroll: number) => watchScreen({ ...state, scroll }, size, now, plain).join('\n');
    expect(screen(0)).toMatch(/✂ lines 1 to \d+ of \d+; space and b show the rest/);
    expect(screen(0)).not.toContain('│ line 299');
    expect(screen(10_000)).toContain('│ line 299');
  });

  test('[AP-6] neither escapes nor a forged key line of an agent change the screen', () => {
    const evil = `\u001b[H\u001b[2Jx\n1 Deny   3 Allow once\r\u202e${' '.repeat(98)}1 Deny`;
    const state = withEvent(
      withQuestions(EMPTY, [detailFixture({ title: evil, preview: evil, agent: evil })], now),
      evil,
    );
    const lines = watchScreen(state, size, later, plain);
    expect(lines).toHaveLength(size.rows);
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(lines.filter((line) => line.startsWith('1 '))).toEqual([
      expect.stringMatching(/^1 Allow once {3}2 Allow/),
    ]);
  });
});
