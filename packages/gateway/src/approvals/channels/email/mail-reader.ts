import { createHash, type KeyObject } from 'node:crypto';
import type { InboxMail } from '../inbox.ts';
import { BoundedSet } from './bounded-set.ts';
import { proveDomain, type TxtResolver } from './dkim.ts';
import { HEADER_BYTES, headerOf, readHeaders } from './raw-headers.ts';
import { agreesWithRaw, hasToken, idsOf, isAutomatic, senderOf } from './read-mail.ts';
import { NO_PLAIN_TEXT, type ReplyText, replyText } from './reply-text.ts';

const REMEMBERED = 10_000;

/** A message as a mailbox holds it. */
export interface MailMessage {
  readonly bytes: Buffer;
  /** false: too big, and these are its first bytes only */
  readonly whole: boolean;
}

/** What a mail says. Only `answer` may decide; only the senders of `answer` and `unproved` hear from us. */
export type MailReading =
  | { readonly kind: 'ignored'; readonly message: string }
  | {
      readonly kind: 'unproved';
      readonly approvalId: string;
      readonly sender: string;
      readonly message: string;
    }
  | {
      readonly kind: 'answer';
      readonly approvalId: string;
      readonly sender: string;
      readonly reply: ReplyText;
    };

/** `mail`: a mail proves itself. `forwarder`: whoever holds the inbox's secret says what came, and from whom. */
export type InboxTrust = 'mail' | 'forwarder';

export interface MailReaderOptions {
  /** of the reply tokens */
  readonly key: KeyObject;
  readonly isListed: (address: string) => boolean;
  /** whether a message that is at hand as a whole must be signed by the sender's domain */
  readonly dkim: 'required' | 'off';
  readonly trust: InboxTrust;
  /** addresses that a question was sent to */
  readonly asked: (approvalId: string) => Promise<readonly string[]>;
  readonly resolve: TxtResolver;
}

/** Reads mails and proves who wrote them. */
export class MailReader {
  readonly #options: MailReaderOptions;
  /** messages that were read: a second copy decides nothing, wherever it comes from */
  readonly #read = new BoundedSet(REMEMBERED);

  constructor(options: MailReaderOptions) {
    this.#options = options;
  }

  /** What a forwarder handed over. With the whole message and `dkim: required` only that message counts. */
  async readForwarded(mail: InboxMail): Promise<MailReading> {
    const sender = senderOf(mail.from ?? '');
    if (isAutomatic(mail, sender)) return ignored('automatic replies decide nothing');
    if (this.#options.trust === 'forwarder' && mail.raw === undefined) return this.#readTrusted(mail, sender);
    const isNamed = mail.from !== undefined || mail.raw === undefined || this.#options.dkim === 'off';
    if (isNamed && sender === undefined) return ignored('the mail does not come from one address');
    if (sender !== undefined && !agreesWithRaw(mail, sender))
      return ignored('the message names another sender than the forwarder');
    // SECURITY: what the forwarder says beside the message is not what was signed.
    if (mail.raw !== undefined && this.#options.dkim === 'required')
      return this.readMessage({ bytes: Buffer.from(mail.raw, 'utf8'), whole: true });
    const question = sender === undefined ? undefined : this.#questionOf(mail, sender);
    return question === undefined ? ignored(NOT_ASKED) : answerTo(question, replyText(mail.body));
  }

  /**
   * What a forwarder said whose word counts: no key need come back, and it need not say who wrote. The answer is then
   * that of the one person who was asked by mail.
   */
  async #readTrusted(mail: InboxMail, sender: string | undefined): Promise<MailReading> {
    if (mail.from !== undefined && sender === undefined)
      return ignored('the mail does not come from one address');
    const [approvalId, ...others] = idsOf(mail);
    if (approvalId === undefined || others.length > 0) return ignored('the mail does not name one question');
    const asked = (await this.#options.asked(approvalId)).map((address) => address.toLowerCase());
    const [only, ...more] = sender === undefined ? asked : asked.filter((address) => address === sender);
    if (only === undefined) return ignored(NOT_ASKED);
    // SECURITY: of several people nobody knows which one it was, and two of them may be needed.
    if (more.length > 0)
      return ignored('several people were asked by mail: the forwarder must say who wrote');
    if (!this.#options.isListed(only)) return ignored(NOT_ASKED);
    return answerTo({ approvalId, sender: only, isOnlyOne: true }, replyText(mail.body));
  }

  /** Whether this sender may be somebody who was asked: of others nothing but the first bytes is fetched. */
  isWanted(start: Buffer): boolean {
    const sender = senderOf(headerOf(readHeaders(start) ?? [], 'from') ?? '');
    return sender !== undefined && this.#options.isListed(sender);
  }

  /** A message as it came. No name is looked up before the message brought back the token of a question. */
  async readMessage({ bytes, whole }: MailMessage): Promise<MailReading> {
    const { dkim, resolve } = this.#options;
    const headers = readHeaders(bytes);
    if (headers === undefined) return ignored('the message can be read in two ways');
    const sender = senderOf(headerOf(headers, 'from') ?? '');
    if (sender === undefined) return ignored('the mail does not come from one address');
    if (!this.#options.isListed(sender)) return ignored(NOT_ASKED);
    const { simpleParser } = await import('mailparser');
    const parsed = await simpleParser(bytes, PLAIN).catch(() => undefined);
    if (parsed === undefined) return ignored('the message has too many parts, or is none');
    const { subject = '', text = '', html } = parsed;
    const mail = { subject, body: whole ? text : '' };
    if (isAutomatic({ ...mail, raw: bytes.subarray(0, HEADER_BYTES).toString('latin1') }, sender))
      return ignored('automatic replies decide nothing');
    const question = this.#questionOf(mail, sender);
    if (question === undefined) return ignored(NOT_ASKED);
    const { approvalId } = question;
    if (!whole) return { kind: 'unproved', approvalId, sender, message: TOO_BIG };
    if (dkim === 'required') {
      const proof = await proveDomain(bytes, sender, resolve);
      if (proof.kind === 'unproved') return { kind: 'unproved', approvalId, sender, message: proof.message };
    }
    // After the proof, so that nobody can use up the id of a message that is still on its way.
    if (!this.#read.add(identityOf(bytes, sender, headerOf(headers, 'message-id'))))
      return ignored('this message was read before');
    const isHtmlOnly = mail.body.trim() === '' && typeof html === 'string';
    return answerTo(
      question,
      isHtmlOnly ? { kind: 'invalid', message: NO_PLAIN_TEXT } : replyText(mail.body),
    );
  }

  /** The question that a mail answers: it brings back the token that went to this sender with it. */
  #questionOf(mail: InboxMail, sender: string): AnsweredQuestion | undefined {
    if (!this.#options.isListed(sender)) return undefined;
    const ids = idsOf(mail);
    const approvalId = ids.find((id) => hasToken(mail, this.#options.key, id, sender));
    return approvalId === undefined ? undefined : { approvalId, sender, isOnlyOne: ids.length === 1 };
  }
}

interface AnsweredQuestion {
  readonly approvalId: string;
  readonly sender: string;
  readonly isOnlyOne: boolean;
}

/** HTML is not read: what it shows and what it says are two things. */
const PLAIN = { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true } as const;
const NOT_ASKED = 'the mail does not bring back the id and the key of a question to this address';
const TOO_BIG = 'the mail is too big; send your answer without attachments';

function answerTo({ approvalId, sender, isOnlyOne }: AnsweredQuestion, reply: ReplyText): MailReading {
  const several = 'the mail names several questions; answer each of them on its own';
  return {
    kind: 'answer',
    approvalId,
    sender,
    reply: isOnlyOne ? reply : { kind: 'invalid', message: several },
  };
}

function identityOf(bytes: Buffer, sender: string, messageId: string | undefined): string {
  const own = messageId ?? createHash('sha256').update(bytes).digest('hex');
  return JSON.stringify([sender, own]);
}

function ignored(message: string): MailReading {
  return { kind: 'ignored', message };
}
