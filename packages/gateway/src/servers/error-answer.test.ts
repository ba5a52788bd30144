import { SallyportError } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { toPublicError } from './error-answer.ts';

const withCode = (code: string) => Object.assign(new Error('inner text'), { code });

describe('toPublicError', () => {
  test('leaves our own errors as they are', () => {
    const error = new SallyportError('Conflict', { message: 'busy' });
    expect(toPublicError(error)).toBe(error);
  });

  test.each([
    { why: 'a body too large', error: withCode('FST_ERR_CTP_BODY_TOO_LARGE'), code: 'PayloadTooLarge' },
    {
      why: 'a foreign type',
      error: withCode('FST_ERR_CTP_INVALID_MEDIA_TYPE'),
      code: 'UnsupportedMediaType',
    },
    { why: 'a broken path', error: withCode('FST_ERR_BAD_URL'), code: 'BadRequest' },
    { why: 'a caller that went away', error: withCode('ECONNRESET'), code: 'BadRequest' },
    { why: 'an unknown error of the framework', error: withCode('FST_ERR_NEW'), code: 'Internal' },
    { why: 'an error with a status of its own', error: { statusCode: 418, message: 'x' }, code: 'Internal' },
    { why: 'a bug', error: new TypeError('x is not a function'), code: 'Internal' },
    { why: 'a thrown string', error: 'oops', code: 'Internal' },
    { why: 'a thrown nothing', error: undefined, code: 'Internal' },
  ])('makes $code of $why, without its text', ({ error, code }) => {
    const answer = toPublicError(error);
    expect(answer.code).toBe(code);
    expect(JSON.stringify(answer.toBody())).not.toMatch(/inner text|is not a function|oops/);
  });
});
