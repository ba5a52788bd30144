import type { Action, Verdict } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { issuePermit, redeemPermit } from './permit.ts';

// Only the binding counts here.
const action = (binding: string): Action => ({ binding }) as Action;
const allow = (): Verdict => ({ kind: 'allow', by: 'policy', opinions: [] });

describe('[GA-1] a verdict is a permit', () => {
  test('for the action it was given on, once', () => {
    const verdict = allow();
    issuePermit(verdict, action('a'));
    redeemPermit(verdict, action('a'));
    expect(() => redeemPermit(verdict, action('a'))).toThrow('the gate did not admit');
  });

  test('and for nothing else, not even later', () => {
    const verdict = allow();
    issuePermit(verdict, action('a'));
    expect(() => redeemPermit(verdict, action('b'))).toThrow('the gate did not admit');
    expect(() => redeemPermit(verdict, action('a'))).toThrow('the gate did not admit');
  });

  test('but not when it was made up, copied or a refusal', () => {
    const verdict = allow();
    issuePermit(verdict, action('a'));
    expect(() => redeemPermit({ ...verdict }, action('a'))).toThrow('the gate did not admit');
    expect(() => redeemPermit(allow(), action('a'))).toThrow('the gate did not admit');
    const refusal: Verdict = { kind: 'deny', violation: 'RuleDenied', reason: '', opinions: [] };
    issuePermit(refusal, action('a'));
    expect(() => redeemPermit(refusal, action('a'))).toThrow('the gate did not admit');
  });
});
