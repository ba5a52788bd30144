export { ImapServer, type ImapServerOptions } from './imap-server.ts';
