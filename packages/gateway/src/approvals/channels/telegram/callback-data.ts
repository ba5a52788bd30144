import type { KeyObject } from 'node:crypto';
import type { Decision } from '../../approval.ts';
import { isReplyToken, OFFERED_MINUTES, replyToken } from '../../render/index.ts';

/** What a button says; the wire has room for 64 bytes, so these are short. */
export const PRESSES = {
  '1': { code: '1' },
  '2': { code: '2' },
  '3': { code: '3' },
  '6': { code: '6' },
  m: { code: '1', minutes: OFFERED_MINUTES },
  a: { code: '1', again: true },
} as const satisfies Record<string, Decision>;
export type Press = keyof typeof PRESSES;

const DATA = /^([1236ma]):(appr_[0-9a-z]{1,26}):([0-9a-z]{26})$/;

/** What a button carries: the press, the approval, and a token that holds for this person and this press only. */
export function callbackData(key: KeyObject, approvalId: string, identity: string, press: Press): string {
  return `${press}:${approvalId}:${replyToken(key, { channel: 'telegram', approvalId, identity, what: press })}`;
}

/**
 * The decision that a press is; undefined for data that we never put on a button for this person.
 *
 * SECURITY: clients can send any data. Without the token a person could answer what they were not asked.
 */
export function readCallbackData(
  data: string,
  key: KeyObject,
  identity: string,
): { readonly approvalId: string; readonly decision: Decision } | undefined {
  const [, press = '', approvalId = '', token = ''] = DATA.exec(data) ?? [];
  if (!isPress(press)) return undefined;
  const subject = { channel: 'telegram', approvalId, identity, what: press };
  return isReplyToken(token, key, subject) ? { approvalId, decision: PRESSES[press] } : undefined;
}

function isPress(text: string): text is Press {
  return Object.hasOwn(PRESSES, text);
}
