export { EmailChannel, type EmailOptions, type UnprovedAnswer } from './email-channel.ts';
export type { ImapOptions } from './imap-inbox.ts';
export type { SmtpOptions } from './mailer.ts';
