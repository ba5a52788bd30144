import type { APIModalInteractionResponseCallbackData } from 'discord.js';
import type { Approval } from '../../approval/approval.ts';
import { firstCharacters, fitEnd, fitQuestion } from '../../render/index.ts';
import { type ButtonOwner, buttonData, type Form, formButtons, pressButtons } from '../answer-button.ts';
import type { ChannelCeiling } from '../channel.ts';

/** Discord's limit for the content of a message, in characters. Embeds have more room, but people can hide them. */
export const CONTENT_LIMIT = 2_000;
const LONGEST_FIELD = 120;
const NOTICE_LIMIT = 1_900;
const FORM_TEXT_LIMIT = 4_000;
const BUTTONS_IN_ROW = 5;
/** no previews of links: nothing of an agent's is fetched or shown as a picture */
const SUPPRESS_EMBEDS = 4;

const TYPE = { row: 1, button: 2, textInput: 4, label: 18 } as const;
const STYLE = { neutral: 2, danger: 4, paragraph: 2 } as const;

export type DiscordMessage = Readonly<Record<string, unknown>>;

/** A question as one message. `cut` says that the whole of it goes along as a file. */
export function discordQuestion(
  approval: Approval,
  owner: ButtonOwner,
  options: { readonly ceiling: ChannelCeiling; readonly mention: boolean },
): { readonly message: DiscordMessage; readonly cut: boolean } {
  const question = fitQuestion(approval, {
    room: CONTENT_LIMIT,
    longestField: LONGEST_FIELD,
    harmless: withoutFences,
  });
  const fields = (facts: typeof question.facts) =>
    facts.map(({ label, value }) => `**${label}:** ${code(value)}`);
  const content = [
    ...(options.mention ? [`<@${owner.identity}>`] : []),
    `**${question.heading}**`,
    ...fields(question.facts),
    ...(question.warning === undefined ? [] : [`⚠️ ${question.warning}`]),
    `\`\`\`\n${question.preview}\n\`\`\``,
    ...(question.mark === undefined ? [] : [question.mark]),
    ...fields(question.terms),
    `Id: ${question.id}`,
  ].join('\n');
  const mentions = options.mention ? { parse: [], users: [owner.identity] } : { parse: [] };
  return {
    message: {
      content,
      flags: SUPPRESS_EMBEDS,
      // SECURITY: whatever an agent wrote rings for nobody.
      allowed_mentions: mentions,
      components: rows(approval, owner, options.ceiling),
    },
    cut: question.cut,
  };
}

/** What the message becomes once the question ended; a caller that left may still be allowed for next time. */
export function discordEnd(approval: Approval, owner: ButtonOwner, ceiling: ChannelCeiling): DiscordMessage {
  const { end, title, id } = fitEnd(approval, { longestField: LONGEST_FIELD, harmless: withoutFences });
  return {
    content: [code(end), `**What:** ${code(title)}`, `Id: ${id}`].join('\n'),
    allowed_mentions: { parse: [] },
    components: rows(approval, owner, ceiling),
  };
}

/** What passed without a person; there is nothing to answer. */
export function discordNotice(text: string): DiscordMessage {
  const whole = withoutFences(text);
  const short = whole.length > NOTICE_LIMIT ? `${firstCharacters(whole, NOTICE_LIMIT)}…` : whole;
  return {
    content: `\`\`\`\n${short}\n\`\`\``,
    flags: SUPPRESS_EMBEDS,
    allowed_mentions: { parse: [] },
  };
}

const FORMS: Readonly<Record<Form, { readonly title: string; readonly label: string }>> = {
  '4': { title: 'Allow once, with a note', label: 'Note for the asker' },
  '5': { title: 'Modify, then allow', label: 'Replacement' },
};

export const FORM_TEXT = 'text';

/** The modal for a note or a replacement. Its id is signed, and comes back with the text. */
export function discordForm(form: Form, data: string): APIModalInteractionResponseCallbackData {
  return {
    title: FORMS[form].title,
    custom_id: data,
    components: [
      {
        type: TYPE.label,
        label: FORMS[form].label,
        component: {
          type: TYPE.textInput,
          custom_id: FORM_TEXT,
          style: STYLE.paragraph,
          required: true,
          min_length: 1,
          max_length: FORM_TEXT_LIMIT,
        },
      },
    ],
  };
}

/** A text that Markdown leaves alone. */
export function code(text: string): string {
  const safe = withoutFences(text);
  // A backtick at an end would join the delimiter; an empty text would be four of them.
  return safe === '' || /^`|`$/.test(safe) ? `\`\` ${safe} \`\`` : `\`\`${safe}\`\``;
}

/**
 * SECURITY: two backticks end what `code` makes, three end a block, and what follows would be Markdown: a heading,
 * a link, a menu [AP-6]. They are shown escaped.
 */
function withoutFences(text: string): string {
  return text.replace(/`{2,}/g, (backticks) => '\\u{60}'.repeat(backticks.length));
}

function rows(approval: Approval, owner: ButtonOwner, ceiling: ChannelCeiling): readonly unknown[] {
  const buttons = [...pressButtons(approval, ceiling).flat(), ...formButtons(approval)].map(
    ({ press, text }) => ({
      type: TYPE.button,
      style: press === '3' ? STYLE.danger : STYLE.neutral,
      label: text,
      custom_id: buttonData(owner, approval.id, press),
    }),
  );
  return [buttons.slice(0, BUTTONS_IN_ROW), buttons.slice(BUTTONS_IN_ROW)]
    .filter((row) => row.length > 0)
    .map((components) => ({ type: TYPE.row, components }));
}
