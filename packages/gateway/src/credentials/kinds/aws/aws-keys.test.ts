import { SallyportError } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../shared/secret.ts';
import { parseAwsKeys } from './aws-keys.ts';

const ID = 'AKIACANARY4711';
const SECRET = 'canary/Secret+4711=';

describe('keys of AWS', () => {
  test.each([
    { text: `${ID}:${SECRET}`, why: 'a pair' },
    { text: ` ${ID}:${SECRET}\n`, why: 'a pair in a file' },
    { text: JSON.stringify({ AccessKeyId: ID, SecretAccessKey: SECRET }), why: 'JSON of the aws command' },
    { text: JSON.stringify({ access_key: ID, secret_key: SECRET, security_token: null }), why: 'Vault' },
    {
      text: JSON.stringify({ aws_access_key_id: ID, aws_secret_access_key: SECRET }),
      why: 'JSON with names of the environment',
    },
  ])('are read from $why', ({ text }) => {
    expect(parseAwsKeys(new Secret(text))).toEqual({ accessKeyId: ID, secretAccessKey: SECRET });
  });

  test('may have a session token', () => {
    const text = JSON.stringify({ accessKeyId: ID, secretAccessKey: SECRET, sessionToken: 'tok' });
    expect(parseAwsKeys(new Secret(text)).sessionToken).toBe('tok');
  });

  test.each([
    { text: SECRET, why: 'only one of them' },
    { text: `:${SECRET}`, why: 'no id' },
    { text: `${ID}:`, why: 'no secret' },
    { text: `${ID}:${SECRET}\r\nX-Evil: 1`, why: 'a line end' },
    { text: `{"AccessKeyId":"${ID}","SecretAccessKey":"${SECRET}"`, why: 'broken JSON' },
    { text: JSON.stringify({ AccessKeyId: ID }), why: 'half of it' },
    { text: JSON.stringify({ AccessKeyId: [ID], SecretAccessKey: SECRET }), why: 'a list' },
    {
      text: JSON.stringify({ AccessKeyId: ID, SecretAccessKey: SECRET, SessionToken: 'a\nb' }),
      why: 'a token with a line end',
    },
  ])('[CR-1] of another form are refused without repeating them: $why', ({ text }) => {
    let error: unknown;
    try {
      parseAwsKeys(new Secret(text));
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(SallyportError);
    if (!(error instanceof SallyportError)) return;
    const printed = JSON.stringify([error.message, error.hint, error.stack, String(error.cause)]);
    expect(error.code).toBe('SecretUnreadable');
    expect(printed).not.toContain(SECRET);
    expect(printed).not.toContain(ID);
  });
});
