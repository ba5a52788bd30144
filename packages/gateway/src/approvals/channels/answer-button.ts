import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { factsOfDoor } from '@sallyport/protocol';
import type { Secret } from '../../shared/secret.ts';
import type { Approval, Decision } from '../approval/approval.ts';
import { mayBeChanged } from '../approval/menu.ts';
import { isReplyToken, OFFERED_MINUTES, replyToken } from '../render/index.ts';
import type { ChannelCeiling } from './channel.ts';

/** What a button says; some wires have room for 64 bytes, so these are short. */
const PRESSES = {
  '1': { code: '1' },
  '2': { code: '2' },
  '3': { code: '3' },
  '6': { code: '6' },
  m: { code: '1', minutes: OFFERED_MINUTES },
  a: { code: '1', again: true },
} as const satisfies Record<string, Decision>;

/** What somebody reads who pressed a button that was made for another person, or by another program. */
export const NOT_YOURS = 'Nothing was decided: this button is not yours, or not ours.';

/** A button that decides. */
export type Press = keyof typeof PRESSES;
/** A button that opens a form for the text which its code needs. */
export type Form = '4' | '5';

export interface AnswerButton<Which extends Press | Form = Press | Form> {
  readonly press: Which;
  readonly text: string;
}

const DATA = /^([1-6ma]):(appr_[0-9a-z]{1,26}):([0-9a-z]{26})$/;

/** Whose button it is, on which channel. */
export interface ButtonOwner {
  readonly key: KeyObject;
  readonly channel: string;
  readonly identity: string;
}

/** What a button carries: the press, the approval, and a token that holds for this person and this press only. */
export function buttonData(owner: ButtonOwner, approvalId: string, press: Press | Form): string {
  const { key, channel, identity } = owner;
  return `${press}:${approvalId}:${replyToken(key, { channel, approvalId, identity, what: press })}`;
}

export type ReadButton =
  | { readonly kind: 'press'; readonly approvalId: string; readonly decision: Decision }
  | { readonly kind: 'form'; readonly approvalId: string; readonly form: Form };

/**
 * What a press is; undefined for data that we never put on a button for this person.
 *
 * SECURITY: clients can send any data. Without the token a person could answer what they were not asked [AP-8].
 */
export function readButtonData(
  data: string,
  { key, channel, identity }: ButtonOwner,
): ReadButton | undefined {
  const [, press = '', approvalId = '', token = ''] = DATA.exec(data) ?? [];
  if (!isReplyToken(token, key, { channel, approvalId, identity, what: press })) return undefined;
  if (isForm(press)) return { kind: 'form', approvalId, form: press };
  return isPress(press) ? { kind: 'press', approvalId, decision: PRESSES[press] } : undefined;
}

/** What the text of a form decides. Blank text is refused where every answer is checked. */
export function formDecision(form: Form, text: string): Decision {
  return form === '4' ? { code: form, note: text } : { code: form, override: text };
}

/** Buttons for what may be answered here and now, row by row; none once nothing may. */
export function pressButtons(
  approval: Approval,
  ceiling: ChannelCeiling,
): readonly (readonly AnswerButton<Press>[])[] {
  if (approval.status === 'cancelled' && approval.cancelReason === 'caller-left') {
    return [[{ press: 'a', text: 'Allow if it asks again' }]];
  }
  if (approval.status !== 'pending') return [];
  const { covers, listed } = approval;
  const isDeclared = factsOfDoor(approval.door).selfDeclared;
  const standing = ceiling !== 'once';
  const session = standing && covers.session !== undefined;
  const minutes = standing && covers.minutes !== undefined;
  const always = ceiling === 'always' && covers.always !== undefined;
  const rows: (readonly AnswerButton<Press>[])[] = [
    [
      { press: '1', text: listed === undefined ? '1 Allow once' : `1 Allow these ${listed.length}, once` },
      { press: '3', text: '3 Deny' },
    ],
    [
      ...(session ? [{ press: '2', text: '2 Allow for this session' } as const] : []),
      ...(minutes ? [{ press: 'm', text: `Allow ${OFFERED_MINUTES} min` } as const] : []),
    ],
    always
      ? [{ press: '6', text: isDeclared ? '6 Always allow this action type' : '6 Always allow this' }]
      : [],
  ];
  return rows.filter((row) => row.length > 0);
}

/** Buttons that open a form; none where the text would be refused anyway. */
export function formButtons(approval: Approval): readonly AnswerButton<Form>[] {
  if (approval.status !== 'pending') return [];
  const isChangeable =
    approval.quorum <= 1 &&
    mayBeChanged(approval) &&
    (factsOfDoor(approval.door).override === 'handed back' || approval.blocked);
  return [
    { press: '4', text: '4 Allow once + note…' },
    ...(isChangeable ? [{ press: '5', text: '5 Modify then allow…' } as const] : []),
  ];
}

function isPress(text: string): text is Press {
  return Object.hasOwn(PRESSES, text);
}

function isForm(text: string): text is Form {
  return text === '4' || text === '5';
}

/**
 * The key of the one-time tokens on buttons, in mails and in links.
 *
 * Derived from the operator token, so that it is the same after a restart and known to nobody who may not decide
 * anyway; a new operator token makes every older button and link worthless.
 */
export function deriveAnswerKey(operatorToken: Secret): KeyObject {
  const bytes = hkdfSync('sha256', operatorToken.reveal(), '', 'sallyport approval channels v1', 32);
  return createSecretKey(Buffer.from(bytes));
}
