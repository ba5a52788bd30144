import { describe, expect, test } from 'vitest';
import type { Header } from '../shared/http-message.ts';
import { Secret } from '../shared/secret.ts';
import { findMentions } from './mentions.ts';
import { Placeholders } from './placeholders.ts';
import { References } from './references.ts';

const placeholders = new Placeholders(new Secret('spo_operator-token'));
const session = { id: 'sess_1', tenant: 'default', credentials: ['github:personal', 'api'] };
const mention = placeholders.placeholderOf(session, 'api');

interface Shape {
  readonly target?: string;
  readonly headers?: readonly Header[];
  readonly body?: string | Uint8Array;
}

function message({ target = '/', headers = [], body }: Shape) {
  return {
    target,
    headers: [...headers],
    ...(body === undefined ? {} : { body: typeof body === 'string' ? Buffer.from(body) : body }),
  };
}

describe('[CR-7] a placeholder', () => {
  test('stands for one credential in one session of one tenant of one home, and for nothing elsewhere', () => {
    expect(placeholders.resolve(session, mention)).toBe('api');
    expect(new Placeholders(new Secret('spo_operator-token')).placeholderOf(session, 'api')).toBe(mention);
    for (const [other, why] of [
      [{ ...session, id: 'sess_2' }, 'another session'],
      [{ ...session, tenant: 'other' }, 'another tenant'],
      [{ ...session, credentials: ['github:personal'] }, 'a session without the credential'],
    ] as const) {
      expect([why, placeholders.resolve(other, mention)]).toEqual([why, undefined]);
    }
    expect(new Placeholders(new Secret('spo_another-home')).resolve(session, mention)).toBeUndefined();
    expect(placeholders.resolve(session, `${mention.slice(0, -1)}0`)).not.toBe('github:personal');
    expect(placeholders.resolve(session, 'sp-placeholder-')).toBeUndefined();
  });

  test('cannot be made for another by moving a letter from one name to the next', () => {
    const one = placeholders.placeholderOf({ id: 'ab', tenant: 'c' }, 'd');
    expect(placeholders.placeholderOf({ id: 'a', tenant: 'c' }, 'bd')).not.toBe(one);
    expect(placeholders.placeholderOf({ id: 'b', tenant: 'ca' }, 'd')).not.toBe(one);
  });

  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
  test.each<Shape & { why: string }>([
    { headers: [['authorization', `Bearer ${mention}`]], why: 'a header' },
    { headers: [['Authorization', basic(`me:${mention}`)]], why: 'Basic authentication' },
    { headers: [['x-api-key', mention]], why: 'a whole header' },
    { target: `/x?key=${mention}&a=b`, why: 'the query' },
    { target: `/bot${mention}/send`, why: 'the path' },
    { target: `/x?key=${mention.replaceAll('-', '%2d')}`, why: 'an encoded query' },
    { target: `/x?key=${mention.replaceAll('-', '%2D').replace('s', '%73')}`, why: 'an over-encoded query' },
    { body: `{"key":"${mention}"}`, why: 'a JSON body' },
    { body: Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(mention)]), why: 'a body of bytes' },
  ])('is found in $why', (shape) => {
    expect(findMentions(message(shape))).toEqual([mention]);
  });
});

describe('a one-time reference', () => {
  const use = { tenant: 'default', session: 'sess_1', host: 'api.example.com' };
  const open = () => {
    let now = 0;
    const references = new References({ now: () => now });
    const { reference } = references.issue({ ...use, credential: 'github:personal' });
    return { references, reference, advance: (ms: number) => (now += ms) };
  };

  test('works once, and looking does not use it up', () => {
    const { references, reference } = open();
    expect(references.peek(reference, use)).toBe('github:personal');
    expect(references.redeem(reference, use)).toBe('github:personal');
    expect(references.redeem(reference, use)).toBeUndefined();
    expect(references.peek(reference, use)).toBeUndefined();
  });

  test.each([
    { over: { host: 'evil.example' }, why: 'another host' },
    { over: { session: 'sess_2' }, why: 'another session' },
    { over: { tenant: 'other' }, why: 'another tenant' },
  ])('[CR-7] is worthless for $why, and is not used up there', ({ over }) => {
    const { references, reference } = open();
    expect(references.redeem(reference, { ...use, ...over })).toBeUndefined();
    expect(references.redeem(reference, use)).toBe('github:personal');
  });

  test('is worthless after 300 s', () => {
    const { references, reference, advance } = open();
    advance(299_999);
    expect(references.peek(reference, use)).toBe('github:personal');
    advance(1);
    expect(references.redeem(reference, use)).toBeUndefined();
  });

  test('is found in bodies only', () => {
    const { reference } = open();
    expect(findMentions(message({ target: `/?a=${reference}`, headers: [['x', reference]] }))).toEqual([]);
    expect(findMentions(message({ body: `token=${reference}` }))).toEqual([reference]);
  });

  test('too many are refused, not forgotten', () => {
    const { references, reference, advance } = open();
    for (let i = 1; i < 10_000; i += 1) references.issue({ ...use, credential: 'x' });
    expect(() => references.issue({ ...use, credential: 'x' })).toThrow('too many');
    expect(references.peek(reference, use)).toBe('github:personal');
    advance(300_000);
    references.issue({ ...use, credential: 'x' });
  });
});
