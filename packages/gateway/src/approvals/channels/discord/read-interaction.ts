import type { ButtonInteraction, ModalSubmitInteraction } from 'discord.js';
import { type ButtonOwner, type Form, formDecision, readButtonData } from '../answer-button.ts';
import type { ChannelAnswer } from '../channel.ts';
import { FORM_TEXT } from './message.ts';

/** What one interaction is for us. */
export type Incoming =
  | { readonly kind: 'answer'; readonly answer: ChannelAnswer }
  | { readonly kind: 'open-form'; readonly form: Form; readonly data: string }
  | { readonly kind: 'bad' };

/** A press or the submission of a form; both must be answered within three seconds. */
export type PressOrForm = ButtonInteraction | ModalSubmitInteraction;

export interface ReadOptions {
  readonly key: ButtonOwner['key'];
  readonly isListed: (identity: string) => boolean;
  /** the one channel of a server where questions are asked; undefined: in direct messages */
  readonly channel: string | undefined;
}

/** The id of an account: a snowflake. */
export function isUserId(identity: string): boolean {
  return /^[1-9]\d{14,20}$/.test(identity);
}

/**
 * SECURITY: an answer counts where questions are asked, from a listed person who is no bot, with data that was made
 * for them [AP-2]. Discord says who pressed, over a connection that our token opened.
 */
export function readInteraction(interaction: PressOrForm, options: ReadOptions): Incoming {
  const { user, customId } = interaction;
  if (!isPlace(interaction, options) || user.bot || user.system || !options.isListed(user.id)) return BAD;
  const read = readButtonData(customId, { key: options.key, channel: 'discord', identity: user.id });
  if (read === undefined) return BAD;
  const answerWith = (decision: Parameters<typeof toAnswer>[2]): Incoming =>
    toAnswer(read.approvalId, user.id, decision);
  if (interaction.isButton()) {
    return read.kind === 'form'
      ? { kind: 'open-form', form: read.form, data: customId }
      : answerWith(read.decision);
  }
  return read.kind === 'form' ? answerWith(formDecision(read.form, textOf(interaction))) : BAD;
}

const BAD: Incoming = { kind: 'bad' };

function isPlace({ guildId, channelId }: PressOrForm, { channel }: ReadOptions): boolean {
  return channel === undefined ? guildId === null : channelId === channel;
}

function toAnswer(
  approvalId: string,
  identity: string,
  decision: Extract<ChannelAnswer['answer'], { kind: 'decision' }>['decision'],
): Incoming {
  return { kind: 'answer', answer: { approvalId, identity, answer: { kind: 'decision', decision } } };
}

/** The library throws for a form without the field; then there is no text, and nothing is decided. */
function textOf({ fields }: ModalSubmitInteraction): string {
  try {
    return fields.getTextInputValue(FORM_TEXT);
  } catch {
    return '';
  }
}
