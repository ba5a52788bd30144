import { describe, expect, test } from 'vitest';
import { ORDINARY_HEADERS, OWN_HEADER_NAMES, OWN_HEADER_VALUES } from './cases/headers.ts';
import { isCredentialHeader } from './names.ts';
import { isCredentialValue } from './values.ts';

const asRead = (name: string): string => name.toLowerCase().replaceAll('_', '-');

describe('[CR-9] a header with a credential of its own', () => {
  test.each(OWN_HEADER_NAMES)('is known by its name: %s', (name) => {
    expect(isCredentialHeader(asRead(name))).toBe(true);
  });
  test.each(OWN_HEADER_VALUES)('is known by its value: %s', (value) => {
    expect(isCredentialValue(value)).toBe(true);
  });
});

test.each(ORDINARY_HEADERS)('an ordinary header is left alone: %s: %s', (name, value) => {
  expect(isCredentialHeader(asRead(name))).toBe(false);
  expect(isCredentialValue(value)).toBe(false);
});
