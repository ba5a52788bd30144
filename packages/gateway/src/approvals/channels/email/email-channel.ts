import { createHash, type KeyObject, randomUUID } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import type { Approval } from '../../approval.ts';
import type { InboxMail } from '../../inbox.ts';
import {
  describeOutcome,
  fileName,
  mailQuestion,
  mailSubject,
  plainEnd,
  replyToken,
} from '../../render/index.ts';
import type { AnswerOutcome, Channel, ChannelCeiling, DeliveryRef, OnAnswer, Recipient } from '../channel.ts';
import { Mailer, type SmtpOptions } from './mailer.ts';
import { agreesWithRaw, hasToken, idsOf, isAddress, isAutomatic, senderOf } from './read-mail.ts';
import { replyText } from './reply-text.ts';

/** Ways into mailboxes that many people use: an agent with a credential there could answer for them. */
const MAILBOX_HOSTS: readonly string[] = [
  'gmail.googleapis.com',
  'www.googleapis.com',
  'imap.gmail.com',
  'smtp.gmail.com',
  'graph.microsoft.com',
  'outlook.office.com',
  'outlook.office365.com',
  'smtp.office365.com',
  'imap.mail.me.com',
  'api.fastmail.com',
];

export interface EmailOptions {
  readonly smtp: SmtpOptions;
  readonly from: string;
  readonly ceiling: ChannelCeiling;
  /** key of the reply tokens; kept across restarts, and not the secret that the inbox's forwarder knows */
  readonly key: KeyObject;
  /** whether an address (in lower case) belongs to a person in the config in force */
  readonly isListed: (address: string) => boolean;
  readonly onProblem: (error: SallyportError) => void;
}

/** Questions by mail; replies come in through the inbox. A mail cannot be edited: the end comes as a second one. */
export class EmailChannel implements Channel {
  readonly name = 'email';
  readonly ceiling: ChannelCeiling;
  readonly hosts: readonly string[];
  readonly #options: EmailOptions;
  readonly #mailer: Mailer;
  readonly #stopped = new AbortController();
  #onAnswer: OnAnswer | undefined;

  constructor(options: EmailOptions) {
    this.#options = options;
    this.ceiling = options.ceiling;
    this.hosts = [...new Set([options.smtp.host, `*.${domainOf(options.from)}`, ...MAILBOX_HOSTS])];
    this.#mailer = new Mailer(options.smtp);
  }

  async start(onAnswer: OnAnswer): Promise<void> {
    this.#onAnswer = onAnswer;
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

  /**
   * Takes a mail from the inbox. An answer counts if it comes from the address that was asked and brings the token
   * of that mail back; whoever does not bring it gets no mail, so that nobody can make us write to strangers.
   */
  async receive(mail: InboxMail): Promise<AnswerOutcome> {
    const sender = senderOf(mail.from ?? '');
    if (isAutomatic(mail, sender)) return refused('automatic replies decide nothing');
    if (sender === undefined) return refused('the mail does not come from one address');
    if (!agreesWithRaw(mail, sender)) return refused('the message names another sender than the forwarder');
    const ids = idsOf(mail);
    const approvalId = ids.find((id) => hasToken(mail, this.#options.key, id, sender));
    if (!this.#options.isListed(sender) || approvalId === undefined) {
      return refused('the mail does not bring back the id and the key of a question to this address');
    }
    const outcome = ids.length > 1 ? severalIds() : await this.#take(approvalId, sender, mail.body);
    // A decision is told to everyone who was asked, by `update`.
    if (outcome.kind !== 'decided') await this.#tell(approvalId, sender, outcome);
    return outcome;
  }

  async stop(): Promise<void> {
    this.#onAnswer = undefined;
    this.#stopped.abort();
    this.#mailer.close();
  }

  async #take(approvalId: string, identity: string, body: string): Promise<AnswerOutcome> {
    const answer = replyText(body);
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

function severalIds(): AnswerOutcome {
  return { kind: 'invalid', message: 'the mail names several questions; answer each of them on its own' };
}

function addressOf({ identity }: Recipient): string {
  if (isAddress(identity)) return identity;
  throw new SallyportError('Unprocessable', { message: `\`${identity}\` is not a mail address` });
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
