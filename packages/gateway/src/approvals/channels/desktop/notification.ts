import { visibleText } from '../../../shared/visible-text.ts';
import type { Approval } from '../../approval/approval.ts';
import type { Notice } from '../../approval/message.ts';
import { escapeHtml, firstCharacters, viewQuestion } from '../../render/index.ts';

const TITLE_CHARACTERS = 120;
const BODY_CHARACTERS = 300;

export interface Notification {
  readonly title: string;
  readonly body: string;
}

/** A hint that a question waits. It is short on purpose and says where the whole of it is. */
export function describeNotification(approval: Approval): Notification {
  const view = viewQuestion(approval);
  const who = view.facts.find(({ label }) => label === 'Who')?.value ?? '';
  const warning = view.warning === undefined ? '' : 'Self-declared. ';
  return {
    title: `Sallyport asks (risk: ${view.risk}): ${shorten(view.title, TITLE_CHARACTERS)}`,
    body: `${warning}${shorten(who, BODY_CHARACTERS)}\nSee all of it and answer: sallyport watch\n${view.id}`,
  };
}

/** A hint that something passed without a person; the trail has all of it. */
export function describeNotice({ items, more }: Notice): Notification {
  const titles = items.map(({ title }) => visibleText(title)).join('; ');
  return {
    title: `Sallyport let pass after a review: ${items.length + more}`,
    body: `Last: ${shorten(titles, BODY_CHARACTERS)}\nNothing to answer. See: sallyport events`,
  };
}

/** A program and its arguments; no shell reads them. */
export interface NotifyCommand {
  readonly program: string;
  readonly argv: readonly string[];
}

/**
 * SECURITY: the texts are arguments after `--`, and begin with words of ours: they can be neither an option nor a
 * part of a script. A notification server may read HTML in the body, so that is escaped.
 */
export function notifyCommand(platform: string, { title, body }: Notification): NotifyCommand | undefined {
  switch (platform) {
    case 'linux':
      return {
        program: 'notify-send',
        argv: ['--app-name=Sallyport', '--urgency=critical', '--', title, escapeHtml(body)],
      };
    case 'darwin':
      return {
        program: 'osascript',
        argv: [
          '-e',
          'on run argv',
          '-e',
          'display notification (item 2 of argv) with title (item 1 of argv)',
          '-e',
          'end run',
          '--',
          title,
          body,
        ],
      };
    // open: any platform
    default:
      return undefined;
  }
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${firstCharacters(text, most)}… (cut)`;
}
