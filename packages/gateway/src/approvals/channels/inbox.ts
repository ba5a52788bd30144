import { SallyportError } from '@sallyport/protocol';
import type { AnswerOutcome } from '../approval/message.ts';

/** A mail that a forwarding service handed over. Nothing about it is proved yet. */
export interface InboxMail {
  readonly from?: string | undefined;
  readonly subject: string;
  readonly body: string;
  /** the whole message as it came, for DKIM */
  readonly raw?: string | undefined;
}

/** Proves the mail and answers. The email channel brings it. */
export type InboxHandler = (mail: InboxMail) => Promise<AnswerOutcome>;

/** Where forwarded mails arrive. */
export class Inbox {
  #handler: ((mail: InboxMail) => ReturnType<InboxHandler> | undefined) | undefined;

  /** A handler answers undefined as long as there is no email channel. */
  register(handler: (mail: InboxMail) => ReturnType<InboxHandler> | undefined): void {
    this.#handler = handler;
  }

  take(mail: InboxMail): Promise<AnswerOutcome> {
    const taken = this.#handler?.(mail);
    if (taken === undefined) {
      throw new SallyportError('Unavailable', {
        message: 'no email channel is configured',
        hint: 'configure one under `channels`',
      });
    }
    return taken;
  }
}
