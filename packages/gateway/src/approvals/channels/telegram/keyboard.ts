import type { KeyObject } from 'node:crypto';
import type { InlineKeyboardButton } from 'grammy/types';
import type { Approval } from '../../approval.ts';
import { OFFERED_MINUTES } from '../../render/index.ts';
import type { ChannelCeiling } from '../channel.ts';
import { callbackData, type Press } from './callback-data.ts';

/** Buttons for what may be answered here and now; none once nothing may. */
export function keyboard(
  approval: Approval,
  identity: string,
  options: { readonly key: KeyObject; readonly ceiling: ChannelCeiling },
): InlineKeyboardButton[][] {
  const button = (press: Press, text: string): InlineKeyboardButton => ({
    text,
    callback_data: callbackData(options.key, approval.id, identity, press),
  });
  if (approval.status === 'cancelled' && approval.cancelReason === 'caller-left') {
    return [[button('a', 'Allow if it asks again')]];
  }
  if (approval.status !== 'pending') return [];
  const standing = options.ceiling !== 'once';
  const rows = [
    [button('1', '1 Allow once'), button('3', '3 Deny')],
    [
      ...(standing && approval.covers.session !== undefined ? [button('2', '2 Allow for this session')] : []),
      ...(standing && approval.covers.minutes !== undefined
        ? [button('m', `Allow ${OFFERED_MINUTES} min`)]
        : []),
    ],
    options.ceiling === 'always' && approval.covers.always !== undefined
      ? [button('6', '6 Always allow this action type')]
      : [],
  ];
  return rows.filter((row) => row.length > 0);
}
