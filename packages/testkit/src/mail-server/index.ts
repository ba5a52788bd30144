export { MailServer, type MailServerOptions, type ReceivedMessage } from './mail-server.ts';
export type { MailPart } from './read-message.ts';
export { MailDomain, plainMail, type SignOptions } from './signed-mail.ts';
