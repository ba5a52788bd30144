import type { KeyObject } from 'node:crypto';
import type { InlineKeyboardButton } from 'grammy/types';
import type { Approval } from '../../approval.ts';
import { buttonData, pressButtons } from '../answer-button.ts';
import type { ChannelCeiling } from '../channel.ts';

/** Buttons for what may be answered here and now; none once nothing may. */
export function keyboard(
  approval: Approval,
  identity: string,
  options: { readonly key: KeyObject; readonly ceiling: ChannelCeiling },
): InlineKeyboardButton[][] {
  const owner = { key: options.key, channel: 'telegram', identity };
  return pressButtons(approval, options.ceiling).map((row) =>
    row.map(({ press, text }) => ({ text, callback_data: buttonData(owner, approval.id, press) })),
  );
}
