import { createHash, type KeyObject, randomUUID } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import type { Approval } from '../../approval/approval.ts';
import type { AnswerOutcome, Notice } from '../../approval/message.ts';
import {
  describeOutcome,
  fileName,
  mailQuestion,
  mailSubject,
  plainEnd,
  plainNotice,
  replyToken,
} from '../../render/index.ts';
import type { Channel, ChannelCeiling, DeliveryRef, OnAnswer, Recipient } from '../channel.ts';
import type { UnprovedAnswer } from '../definition.ts';
import type { InboxMail } from '../inbox.ts';
import type { Delay } from '../retry.ts';
import { BoundedSet } from './bounded-set.ts';
import { resolveTxt, type TxtResolver } from './dkim.ts';
import { ImapInbox, type ImapOptions } from './imap-inbox.ts';
import { type InboxTrust, MailReader, type MailReading } from './mail-reader.ts';
import { mailboxHosts } from './mailbox-hosts.ts';
import { Mailer, type SmtpOptions } from './mailer.ts';
import { isAddress } from './read-mail.ts';
import type { ReplyText } from './reply-text.ts';

export interface EmailOptions {
  readonly smtp: SmtpOptions;
  readonly from: string;
  readonly ceiling: ChannelCeiling;
  /** key of the reply tokens; kept across restarts, and not the secret that the inbox's forwarder knows */
  readonly key: KeyObject;
  /** whether an address (in lower case) belongs to a person in the config in force */
  readonly isListed: (address: string) => boolean;
  /** addresses of all people in the config in force */
  readonly addresses?: () => readonly string[];
  readonly onProblem: (error: SallyportError) => void;
  /** the mailbox is read, maybe again */
  readonly onHealthy?: () => void;
  /** where replies are fetched; without it they come through the inbox only */
  readonly imap?: ImapOptions;
  /** whether a whole message must be signed by the sender's domain; `required` unless given */
  readonly dkim?: 'required' | 'off';
  /** whose word counts for mails at the inbox that are not whole messages; `mail` unless given */
  readonly trust?: InboxTrust;
  /** addresses that this question was sent to; needed where the forwarder is trusted */
  readonly asked?: (approvalId: string) => Promise<readonly string[]>;
  /** somebody brought a token back in a mail that could not be proved; nothing is decided */
  readonly onUnproved?: (answer: UnprovedAnswer) => void;
  /** for keys of DKIM; the system's resolver unless given */
  readonly resolve?: TxtResolver;
  readonly clock?: Clock;
  /** for tests: how the mailbox is waited for after a failure */
  readonly delay?: Delay;
}

/**
 * Questions by mail; replies come in through a mailbox or the inbox. A mail cannot be edited: the end comes as a
 * second one.
 */
export class EmailChannel implements Channel {
  readonly name = 'email';
  readonly ceiling: ChannelCeiling;
  readonly place: string;
  readonly #options: EmailOptions;
  readonly #mailer: Mailer;
  readonly #reader: MailReader;
  readonly #inbox: ImapInbox | undefined;
  /** questions and senders that were told of a mail without proof */
  readonly #warned = new BoundedSet(1_000);
  readonly #stopped = new AbortController();
  #onAnswer: OnAnswer | undefined;

  constructor(options: EmailOptions) {
    this.#options = options;
    this.ceiling = options.ceiling;
    this.place = options.from.toLowerCase();
    const { imap, smtp, dkim = 'required', resolve = resolveTxt } = options;
    this.#mailer = new Mailer(smtp);
    const { key, isListed, onProblem, trust = 'mail', asked = async () => [] } = options;
    this.#reader = new MailReader({ key, isListed, dkim, trust, asked, resolve });
    if (imap !== undefined)
      this.#inbox = new ImapInbox({
        imap,
        clock: options.clock ?? systemClock,
        isWanted: (start) => this.#reader.isWanted(start),
        onMessage: async (message) => {
          await this.#hear(await this.#reader.readMessage(message), message.isOld);
        },
        onProblem,
        onOpen: () => options.onHealthy?.(),
        ...(options.delay === undefined ? {} : { delay: options.delay }),
      });
  }

  /** SECURITY: whoever can write from a mailbox of the people asked, or read it, can answer for them [AP-3]. */
  get hosts(): readonly string[] {
    const { smtp, imap, from, addresses } = this.#options;
    const servers = [smtp.host, ...(imap === undefined ? [] : [imap.host]), `*.${domainOf(from)}`];
    return [...new Set([...servers, ...mailboxHosts((addresses?.() ?? []).map(domainOf))])];
  }

  async start(onAnswer: OnAnswer): Promise<void> {
    this.#onAnswer = onAnswer;
    this.#inbox?.start();
  }

  async deliver(approval: Approval, recipient: Recipient, signal: AbortSignal): Promise<DeliveryRef> {
    const to = addressOf(recipient);
    const question = mailQuestion(approval, this.#token(approval.id, to));
    const messageId = this.#messageId(approval.id, to);
    const { attachment, ...content } = question;
    await this.#mailer.send(
      {
        from: this.#options.from,
        to,
        messageId,
        ...content,
        ...(attachment === undefined
          ? {}
          : { attachment: { filename: fileName(approval.id), content: attachment } }),
      },
      signal,
    );
    return { channel: this.name, recipient, ref: { messageId } };
  }

  async update({ recipient, ref }: DeliveryRef, approval: Approval, signal: AbortSignal): Promise<void> {
    const text =
      approval.status === 'pending'
        ? 'The caller came back: the question is open again. Reply to this mail as before.\n'
        : plainEnd(approval);
    await this.#follow(approval, addressOf(recipient), String(ref['messageId']), text, signal);
  }

  async tell(notice: Notice, recipient: Recipient, signal: AbortSignal): Promise<void> {
    const subject = `Sallyport let pass after a review: ${notice.items.length + notice.more}`;
    const messageId = this.#newMessageId();
    const text = `${plainNotice(notice)}\n`;
    await this.#mailer.send(
      { from: this.#options.from, to: addressOf(recipient), subject, text, messageId },
      signal,
    );
  }

  /**
   * Takes a mail from the inbox. An answer counts if it comes from the address that was asked and brings the token
   * of that mail back; whoever does not bring it gets no mail, so that nobody can make us write to strangers.
   */
  async receive(mail: InboxMail): Promise<AnswerOutcome> {
    return this.#hear(await this.#reader.readForwarded(mail), false);
  }

  async stop(): Promise<void> {
    this.#onAnswer = undefined;
    this.#stopped.abort();
    await this.#inbox?.stop();
    this.#mailer.close();
  }

  /** `isOld`: it lay in the mailbox before we started; who answered long ago is not told that it is too late. */
  async #hear(reading: MailReading, isOld: boolean): Promise<AnswerOutcome> {
    if (reading.kind === 'ignored') return refused(reading.message);
    const { approvalId, sender } = reading;
    if (reading.kind === 'unproved') {
      const outcome = refused(reading.message);
      const { message: reason } = reading;
      // Once for each question: whoever forges mails must fill neither the trail nor the mailbox of a person.
      if (this.#warned.add(`${approvalId} ${sender} ${reason}`))
        this.#options.onUnproved?.({ approvalId, identity: sender, reason });
      if (this.#warned.add(`${approvalId} ${sender}`)) await this.#tell(approvalId, sender, outcome);
      return outcome;
    }
    const outcome = await this.#take(approvalId, sender, reading.reply);
    // A decision is told to everyone who was asked, by `update`.
    const isSilent = outcome.kind === 'decided' || (outcome.kind === 'too-late' && isOld);
    if (!isSilent) await this.#tell(approvalId, sender, outcome);
    return outcome;
  }

  async #take(approvalId: string, identity: string, answer: ReplyText): Promise<AnswerOutcome> {
    if (answer.kind === 'invalid') return answer;
    if (this.#onAnswer === undefined) return refused('the gateway is not taking answers now');
    return this.#onAnswer({ approvalId, identity, answer });
  }

  async #tell(approvalId: string, to: string, outcome: AnswerOutcome): Promise<void> {
    const subject = `Re: your answer [${approvalId}] [key-${this.#token(approvalId, to)}]`;
    try {
      await this.#mailer.send(
        {
          from: this.#options.from,
          to,
          subject,
          text: `${describeOutcome(outcome)}\n`,
          messageId: this.#newMessageId(),
          inReplyTo: this.#messageId(approvalId, to),
        },
        this.#stopped.signal,
      );
    } catch (error) {
      // What was decided stands, whether the person can be told or not.
      if (!(error instanceof SallyportError)) throw error;
      this.#options.onProblem(error);
    }
  }

  async #follow(
    approval: Approval,
    to: string,
    before: string,
    text: string,
    signal: AbortSignal,
  ): Promise<void> {
    const subject = `Re: ${mailSubject(approval, this.#token(approval.id, to))}`;
    const messageId = this.#newMessageId();
    await this.#mailer.send(
      { from: this.#options.from, to, subject, text, messageId, inReplyTo: before },
      signal,
    );
  }

  #token(approvalId: string, address: string): string {
    return replyToken(this.#options.key, { channel: 'email', approvalId, identity: address.toLowerCase() });
  }

  /** The same for each try, so that a mail that was sent twice arrives once. */
  #messageId(approvalId: string, to: string): string {
    const who = createHash('sha256').update(to.toLowerCase()).digest('hex').slice(0, 16);
    return `<${approvalId}.${who}@${domainOf(this.#options.from)}>`;
  }

  #newMessageId(): string {
    return `<${randomUUID()}@${domainOf(this.#options.from)}>`;
  }
}

function refused(message: string): AnswerOutcome {
  return { kind: 'refused', message };
}

function addressOf({ identity }: Recipient): string {
  if (isAddress(identity)) return identity;
  throw new SallyportError('Unprocessable', { message: `\`${identity}\` is not a mail address` });
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
