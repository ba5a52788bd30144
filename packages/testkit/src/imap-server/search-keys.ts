import type { StoredMail } from './mailbox.ts';
import type { Token } from './tokens.ts';

const DAY_MS = 86_400_000;

/** Whether a mail matches every key. Undefined for a key that is not known. */
export function matches(mail: StoredMail, keys: readonly Token[]): boolean | undefined {
  let holds = true;
  for (let index = 0; index < keys.length; index += 1) {
    switch (String(keys[index]).toUpperCase()) {
      case 'ALL':
        break;
      case 'SEEN':
        holds &&= mail.flags.has('\\Seen');
        break;
      case 'UNSEEN':
        holds &&= !mail.flags.has('\\Seen');
        break;
      case 'SINCE':
        index += 1;
        holds &&= mail.at.getTime() >= dayOf(String(keys[index]));
        break;
      // open: any key
      default:
        return undefined;
    }
  }
  return holds;
}

/** `15-Nov-2026`, as UTC midnight */
function dayOf(text: string): number {
  const at = Date.parse(`${text.replaceAll('-', ' ')} UTC`);
  return Math.floor(at / DAY_MS) * DAY_MS;
}
