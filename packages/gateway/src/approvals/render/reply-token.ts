import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** What a token stands for: this person was asked this on this channel, and may do `what` with it. */
export interface TokenSubject {
  readonly channel: string;
  readonly approvalId: string;
  /** the person asked, as the channel knows them */
  readonly identity: string;
  /** one button or link; absent: an answer of any kind */
  readonly what?: string;
}

/**
 * The token that goes with a question and must come back with its answer: 26 characters, 130 bits.
 *
 * It is made from a key, not kept, so that a restart forgets none. It is good once because its approval is: after
 * the decision it opens nothing. Whoever knows another question's token has nothing for this one.
 */
export function replyToken(key: KeyObject, { channel, approvalId, identity, what }: TokenSubject): string {
  const digest = createHmac('sha256', key)
    .update(JSON.stringify(['reply', channel, approvalId, identity, what ?? '']))
    .digest();
  let token = '';
  for (const byte of digest.subarray(0, 26)) token += ALPHABET.charAt(byte & 31);
  return token;
}

/** Whether a token is the right one; takes the same time for every wrong one. */
export function isReplyToken(given: string, key: KeyObject, subject: TokenSubject): boolean {
  const expected = Buffer.from(replyToken(key, subject));
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
