export { EmailChannel, type EmailOptions, type UnprovedAnswer } from './email-channel.ts';
export type { ImapOptions } from './imap-inbox.ts';
export { loadMailPart } from './mail-part.ts';
export type { SmtpOptions } from './mailer.ts';
