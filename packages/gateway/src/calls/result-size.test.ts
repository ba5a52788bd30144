import { expect, test } from 'vitest';
import { refuseLargeResult } from './result-size.ts';

const result = (text: string) => ({ content: [{ type: 'text', text }], isError: false });

test('[TO-9] a result is bounded wherever its characters are', () => {
  const large = 'x'.repeat(1_001);
  expect(() => refuseLargeResult(result('x'.repeat(900)), 1_000)).not.toThrow();
  for (const value of [
    result(large),
    { ...result(''), structuredContent: { deep: [{ deeper: large }] } },
    { ...result(''), meta: { note: large } },
    { ...result(''), structuredContent: { [large]: 1 } },
    { content: Array.from({ length: 1_000 }, () => ({})), isError: false },
  ])
    expect(() => refuseLargeResult(value, 1_000)).toThrow(
      expect.objectContaining({ code: 'OutputSizeLimitExceeded' }),
    );
});
