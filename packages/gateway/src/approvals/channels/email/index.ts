export { EmailChannel, type EmailOptions } from './email-channel.ts';
export type { SmtpOptions } from './mailer.ts';
