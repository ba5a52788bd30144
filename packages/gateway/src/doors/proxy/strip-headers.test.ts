import { describe, expect, test } from 'vitest';
import {
  ORDINARY_HEADERS,
  OWN_HEADER_NAMES,
  OWN_HEADER_VALUES,
  OWN_HEADERS,
} from '../../shared/credential-forms/cases/headers.ts';
import type { Header } from '../../shared/http-message.ts';
import { type StripRules, stripHeaders, stripTrailers } from './strip-headers.ts';

const RULES: StripRules = {
  passesAuth: false,
  extra: new Set(['x-mine']),
  cookiesOf: () => undefined,
  isMention: () => false,
};
const strip = (headers: readonly Header[], over: Partial<StripRules> = {}) =>
  stripHeaders(headers, { ...RULES, ...over });

const OWN: readonly Header[] = [
  ...OWN_HEADER_NAMES.map((name): Header => [name, 'own']),
  ...OWN_HEADER_VALUES.map((value): Header => ['X-Any', value]),
  ...OWN_HEADERS,
  ['X-Mine', 'own'],
  ['X_MINE', 'own'],
  ['Sec-WebSocket-Protocol', 'v4, base64url.bearer.authorization.k8s.io.own'],
  ['Sec-WebSocket-Protocol', 'token, own'],
  ['Sec-WebSocket-Protocol', 'chat, q7Zt3mXv9LpK2sWd8RbN'],
  ['Cookie', 'a=own'],
];

describe('[CR-9] credentials of the agent’s own', () => {
  test.each(OWN)('%s: %s is taken out of heads and trailers', (name, value) => {
    expect(strip([[name, value]])).toEqual([]);
    expect(stripTrailers([[name, value]], RULES.extra)).toEqual([]);
  });

  test('stay where the host gets them', () => {
    expect(strip(OWN, { passesAuth: true })).toEqual(OWN);
  });

  test('make room for a placeholder, in its own header alone', () => {
    const isMention: StripRules['isMention'] = (name, value) =>
      name === 'x-api-key' && value === 'placeholder';
    const headers: readonly Header[] = [
      ['X-Api-Key', 'placeholder'],
      ['X-Api-Key', 'own'],
      ['Authorization', 'placeholder'],
    ];
    expect(strip(headers, { isMention })).toEqual([['X-Api-Key', 'placeholder']]);
  });

  test('leave of a cookie what the site gave', () => {
    const cookiesOf = (value: string) => (value.includes('site') ? 'given=site' : undefined);
    expect(
      strip(
        [
          ['Cookie', 'given=site; own=x'],
          ['cookie', 'own=x'],
        ],
        { cookiesOf },
      ),
    ).toEqual([['Cookie', 'given=site']]);
  });
});

const HOP = /^(?:te|expect|upgrade)$/;
test.each(ORDINARY_HEADERS.filter(([name]) => !HOP.test(name)))('%s: %s stays', (name, value) => {
  expect(strip([[name, value]])).toEqual([[name, value]]);
});
