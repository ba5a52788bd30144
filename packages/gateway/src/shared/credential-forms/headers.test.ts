import { describe, expect, test } from 'vitest';
import { ORDINARY_HEADERS, OWN_HEADER_NAMES, OWN_HEADER_VALUES, OWN_HEADERS } from './cases/headers.ts';
import { carriesCredential, isCredentialHeader } from './header-names.ts';
import { isCredentialValue } from './values.ts';

const asRead = (name: string): string => name.toLowerCase().replaceAll('_', '-');

describe('[CR-9] a header with a credential of its own', () => {
  test.each(OWN_HEADER_NAMES)('is known by its name: %s', (name) => {
    expect(isCredentialHeader(asRead(name))).toBe(true);
  });
  test.each(OWN_HEADERS)('is known by both: %s: %s', (name, value) => {
    expect(carriesCredential(asRead(name), value)).toBe(true);
    expect(isCredentialHeader(asRead(name))).toBe(false);
  });
  test.each(OWN_HEADER_VALUES)('is known by its value: %s', (value) => {
    expect(isCredentialValue(value)).toBe(true);
  });
});

test.each(ORDINARY_HEADERS)('an ordinary header is left alone: %s: %s', (name, value) => {
  expect(carriesCredential(asRead(name), value)).toBe(false);
});
