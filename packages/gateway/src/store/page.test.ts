import { describe, expect, test } from 'vitest';
import { planPage, toPage } from './page.ts';

const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `sess_${count - i}` }));

describe('pages', () => {
  test('a cursor leads on from the last row of its page', () => {
    const plan = planPage({ limit: 2 });
    const page = toPage(plan, rows(3), ({ id }) => id);
    expect(page.items).toEqual(['sess_3', 'sess_2']);
    expect(planPage({ cursor: page.next_cursor ?? '' }).before).toBe('sess_2');
  });

  test.each([{ count: 0 }, { count: 1 }, { count: 2 }])(
    'a last page of $count rows has no cursor',
    ({ count }) => {
      expect(toPage(planPage({ limit: 2 }), rows(count), ({ id }) => id).next_cursor).toBeNull();
    },
  );

  test.each([
    { request: { limit: 0 }, why: 'an empty page' },
    { request: { limit: 201 }, why: 'a page without bound' },
    { request: { limit: 1.5 }, why: 'half a row' },
    { request: { limit: Number.NaN }, why: 'no number' },
    { request: { cursor: '' }, why: 'an empty cursor' },
    { request: { cursor: 'sess_1' }, why: 'a bare id' },
    { request: { cursor: Buffer.from("sess_' or 1=1").toString('base64url') }, why: 'SQL' },
    {
      request: { cursor: `${Buffer.from('sess_1').toString('base64url')}=` },
      why: 'padding that we do not write',
    },
    { request: { cursor: 'A'.repeat(100_000) }, why: 'a huge cursor' },
  ])('refuses $why', ({ request }) => {
    expect(() => planPage(request)).toThrow(expect.objectContaining({ code: 'BadRequest' }));
  });
});
