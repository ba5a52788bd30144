import { describe, expect, test } from 'vitest';
import { newId } from './ids.ts';

describe('newId', () => {
  const ids = Array.from({ length: 5000 }, () => newId('act', 1_700_000_000_000));

  test('is the prefix and 26 characters of the alphabet, never the same twice', () => {
    for (const id of ids) expect(id).toMatch(/^act_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('uses every character of the alphabet at every random place', () => {
    for (let at = 14; at < 30; at += 1) expect(new Set(ids.map((id) => id[at])).size).toBe(32);
  });

  test('sorts by time', () => {
    expect(newId('evt', 1_700_000_000_001) > newId('evt', 1_700_000_000_000)).toBe(true);
  });
});
