import { SallyportError } from '@sallyport/protocol';
import { createTransport, type Transporter } from 'nodemailer';
import type { Secret } from '../../../shared/secret.ts';

const TIMEOUT_MS = 20_000;

export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte; `starttls`: required, never optional; `none`: in the clear */
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly user?: string;
  readonly password?: Secret;
  /** PEM of a private certificate authority */
  readonly ca?: string;
}

export interface OutgoingMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly messageId: string;
  /** the mail that this one follows */
  readonly inReplyTo?: string;
  readonly attachment?: { readonly filename: string; readonly content: string };
}

/** Mail out over SMTP. `send` resolves once the server has taken responsibility for the message. */
export class Mailer {
  readonly #transport: Transporter;

  constructor(smtp: SmtpOptions) {
    this.#transport = createTransport({
      host: smtp.host,
      port: smtp.port,
      secure: smtp.tls === 'implicit',
      // SECURITY: without this a server (or somebody between) that offers no STARTTLS gets the mail in the clear.
      requireTLS: smtp.tls === 'starttls',
      ignoreTLS: smtp.tls === 'none',
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // SECURITY: content is text that we hand over; it never names a file or a URL to read.
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(smtp.user === undefined ? {} : { auth: { user: smtp.user, pass: smtp.password?.reveal() ?? '' } }),
      ...(smtp.ca === undefined ? {} : { tls: { ca: smtp.ca } }),
    });
  }

  async send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    const sending = this.#transport.sendMail({
      from: mail.from,
      // An object, not a text: an address list is never read out of it.
      to: { name: '', address: mail.to },
      envelope: { from: mail.from, to: [mail.to] },
      subject: mail.subject,
      text: mail.text,
      ...(mail.html === undefined ? {} : { html: mail.html }),
      messageId: mail.messageId,
      ...(mail.inReplyTo === undefined ? {} : { inReplyTo: mail.inReplyTo, references: [mail.inReplyTo] }),
      // So that absence notes do not answer.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      attachments:
        mail.attachment === undefined
          ? []
          : [{ ...mail.attachment, contentType: 'text/plain; charset=utf-8', encoding: 'utf-8' }],
    });
    try {
      await orAbort(sending, signal);
    } catch (error) {
      throw mailError(error);
    }
  }

  /** Signs in and sends nothing. Rejects when the server does not take us. */
  async verify(signal: AbortSignal): Promise<void> {
    try {
      await orAbort(this.#transport.verify(), signal);
    } catch (error) {
      throw mailError(error, 'the mail server does not let us in');
    }
  }

  close(): void {
    this.#transport.close();
  }
}

/** SECURITY: a server's text may quote what was sent, credentials included: only codes are kept. */
function mailError(error: unknown, what = 'the mail was not accepted'): SallyportError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'aborted';
  const status = error instanceof Error && 'responseCode' in error ? ` ${String(error.responseCode)}` : '';
  return new SallyportError('Unavailable', {
    message: `${what} (${code}${status})`,
    hint: 'check `channels.email.smtp`',
  });
}

/** `work`, or a rejection as soon as the signal aborts. The listener goes with the work: signals live long. */
async function orAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(new Error('aborted'));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
