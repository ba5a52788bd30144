import type { types } from '@slack/bolt';
import type { Approval } from '../../approval/approval.ts';
import { fitEnd, fitQuestion } from '../../render/index.ts';
import { type ButtonOwner, buttonData, type Form, formButtons, pressButtons } from '../answer-button.ts';
import type { ChannelCeiling } from '../channel.ts';

/** Characters of one message's rich text: what Slack allows for one text, though several are used. */
const ROOM = 3_000;
const LONGEST_FIELD = 220;
const TEXT_INPUT_LIMIT = 3_000;

export interface SlackMessage {
  /** for notifications and screen readers; read as mrkdwn, so it is escaped */
  readonly text: string;
  readonly blocks: readonly unknown[];
}

/** A question as one message. `cut` says that the whole of it goes along as a file. */
export function slackQuestion(
  approval: Approval,
  owner: ButtonOwner,
  ceiling: ChannelCeiling,
): SlackMessage & { readonly cut: boolean } {
  const question = fitQuestion(approval, { room: ROOM, longestField: LONGEST_FIELD });
  const fields = (facts: typeof question.facts) =>
    facts.flatMap(({ label, value }) => [bold(`${label}: `), code(value), plain('\n')]);
  const what = question.facts[0]?.value ?? '';
  return {
    text: escapeMrkdwn(`${question.heading} ${what}`),
    cut: question.cut,
    blocks: [
      richText([
        section([bold(question.heading), plain('\n'), ...fields(question.facts)]),
        ...(question.warning === undefined ? [] : [section([plain(`⚠️ ${question.warning}`)])]),
        { type: 'rich_text_preformatted', elements: [plain(question.preview)] },
        section([
          ...(question.mark === undefined ? [] : [plain(`${question.mark}\n`)]),
          ...fields(question.terms),
          plain(`Id: ${question.id}`),
        ]),
      ]),
      ...actions(approval, owner, ceiling),
    ],
  };
}

/** What the message becomes once the question ended; a caller that left may still be allowed for next time. */
export function slackEnd(approval: Approval, owner: ButtonOwner, ceiling: ChannelCeiling): SlackMessage {
  const { end, title, id } = fitEnd(approval, { longestField: LONGEST_FIELD });
  const lines = [bold(end), plain('\n'), bold('What: '), code(title), plain(`\nId: ${id}`)];
  return {
    text: escapeMrkdwn(end),
    blocks: [richText([section(lines)]), ...actions(approval, owner, ceiling)],
  };
}

/** What passed without a person; there is nothing to answer. */
export function slackNotice(text: string): SlackMessage {
  const block = richText([{ type: 'rich_text_preformatted', elements: [plain(text)] }]);
  return { text: escapeMrkdwn(text.split('\n')[0] ?? ''), blocks: [block] };
}

export const FORM_ID = 'sallyport-form';
export const PRESS_ID = /^sallyport-press-/;
const TEXT_BLOCK = 'text';
const TEXT_ACTION = 'value';

const FORMS: Readonly<Record<Form, { readonly title: string; readonly label: string }>> = {
  '4': { title: 'Allow once, with a note', label: 'Note for the asker' },
  '5': { title: 'Modify, then allow', label: 'Replacement' },
};

/** The modal for a note or a replacement. `data` is signed, and comes back with the text. */
export function slackForm(form: Form, approvalId: string, data: string): Readonly<Record<string, unknown>> {
  return {
    type: 'modal',
    callback_id: FORM_ID,
    private_metadata: data,
    title: plainText(FORMS[form].title),
    submit: plainText('Allow'),
    close: plainText('Cancel'),
    blocks: [
      {
        type: 'input',
        block_id: TEXT_BLOCK,
        label: plainText(FORMS[form].label),
        hint: plainText(`Question ${approvalId}`),
        element: {
          type: 'plain_text_input',
          action_id: TEXT_ACTION,
          multiline: true,
          min_length: 1,
          max_length: TEXT_INPUT_LIMIT,
        },
      },
    ],
  };
}

/** The text that somebody wrote into the modal, from `view.state.values`. */
export function textOfForm(values: unknown): string {
  const value = pick(pick(pick(values, TEXT_BLOCK), TEXT_ACTION), 'value');
  return typeof value === 'string' ? value : '';
}

/** The modal once it was answered: it says what became of the answer. */
export function slackFormResult(text: string): types.ModalView {
  return {
    type: 'modal',
    title: plainText('Sallyport'),
    close: plainText('Close'),
    blocks: [{ type: 'section', text: { type: 'plain_text', text, emoji: false } }],
  };
}

/** SECURITY: with these three escaped, mrkdwn has no mention, no link and no command left [AP-6]. */
export function escapeMrkdwn(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function actions(approval: Approval, owner: ButtonOwner, ceiling: ChannelCeiling): readonly unknown[] {
  const elements = [...pressButtons(approval, ceiling).flat(), ...formButtons(approval)].map(
    ({ press, text }) => ({
      type: 'button',
      action_id: `sallyport-press-${press}`,
      text: plainText(text),
      value: buttonData(owner, approval.id, press),
      ...(press === '3' ? { style: 'danger' } : {}),
    }),
  );
  return elements.length === 0 ? [] : [{ type: 'actions', block_id: 'answers', elements }];
}

// SECURITY: rich text holds texts, not markup: whatever an agent wrote stays a text [AP-6].

function richText(elements: readonly unknown[]): unknown {
  return { type: 'rich_text', elements };
}

function section(elements: readonly unknown[]): unknown {
  return { type: 'rich_text_section', elements };
}

function plain(text: string): unknown {
  return { type: 'text', text };
}

function bold(text: string): unknown {
  return { type: 'text', text, style: { bold: true } };
}

function code(text: string): unknown {
  // An empty text is refused.
  return { type: 'text', text: text === '' ? ' ' : text, style: { code: true } };
}

function plainText(text: string): types.PlainTextElement {
  return { type: 'plain_text', text, emoji: false };
}

function pick(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
