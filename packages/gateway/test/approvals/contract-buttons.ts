import {
  type ButtonOwner,
  buttonData,
  type Form,
  type Press,
} from '../../src/approvals/channels/answer-button.ts';
import { KEY } from './contract-world.ts';

const ZEROS = '0'.repeat(26);

/** What a button of ours carries, also where the message shows none: an older message may still have it. */
export function authentic(channel: string, identity: string, approvalId: string, text: string): string {
  const owner: ButtonOwner = { key: KEY, channel, identity };
  // Codes of the menu: the first character is a press or a form.
  return buttonData(owner, approvalId, text.charAt(0) as Press | Form);
}

/** Data that somebody could put together from buttons that they have seen. */
export function forgeries(
  channel: string,
  identity: string,
  approvalId: string,
  otherId: string,
): readonly { readonly why: string; readonly data: string }[] {
  const token = authentic(channel, identity, approvalId, '1').split(':')[2] ?? '';
  const elsewhere = authentic('telegramm', identity, approvalId, '1').split(':')[2] ?? '';
  return [
    { why: 'nothing', data: '' },
    { why: 'a code alone', data: '1' },
    { why: 'free text', data: 'approve' },
    { why: 'no token', data: `1:${approvalId}` },
    { why: 'a token of zeros', data: `1:${approvalId}:${ZEROS}` },
    { why: 'the token of another button', data: `6:${approvalId}:${token}` },
    { why: 'the token of another question', data: `1:${otherId}:${token}` },
    { why: 'the token of another channel', data: `1:${approvalId}:${elsewhere}` },
    { why: 'an unknown question', data: `1:appr_${ZEROS}:${token}` },
    { why: 'a property of every object', data: `constructor:${approvalId}:${token}` },
    { why: 'more behind it', data: `1:${approvalId}:${token}\n1` },
    { why: 'the token in capitals', data: `1:${approvalId}:${token.toUpperCase()}` },
  ];
}
