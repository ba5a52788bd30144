import { MENU } from '../menu.ts';

/** The fixed menu, one line for each answer: the same words on every channel, whatever is asked. */
export const MENU_LINES: readonly string[] = MENU.map(({ code, text }) => `${code}. ${text}`);

/** What is said under the menu, because people answer "ok" and wait. */
export const MENU_RULE = 'Begin with the number. Anything else decides nothing.';
