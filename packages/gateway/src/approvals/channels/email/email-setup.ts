import type { ChannelSetup } from '../definition.ts';

const SERVER = /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}(?::\d{1,5})?$/;
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost)$/;

/** How `sallyport setup` asks for a mailbox: one account, that sends and reads. */
export const emailSetup: ChannelSetup<'email'> = {
  before: [
    'The gateway needs a mailbox of its own: it sends from there, and reads your answers there.',
    'Your answer counts when it comes from your address, with the signature (DKIM) of its domain.',
  ],
  fields: [
    {
      key: 'from',
      ask: 'Address of that mailbox, which is also its account',
      pattern: /^[^\s@]{1,64}@[A-Za-z0-9.-]{1,252}$/,
      form: 'an address like gate@example.com',
    },
    {
      key: 'smtp',
      ask: 'Server that sends (host or host:port; 587 unless given, 465 is TLS from the start)',
      pattern: SERVER,
      form: 'a host like smtp.example.com',
    },
    {
      key: 'imap',
      ask: 'Server that holds the mailbox (host or host:port; 993 unless given)',
      pattern: SERVER,
      form: 'a host like imap.example.com',
    },
    { key: 'password', ask: 'Password of the account', isSecret: true, pattern: /\S/, form: 'not empty' },
  ],
  settings({ from = '', smtp = '', imap = '', password = '' }) {
    const account = { user: from, password };
    return {
      from,
      smtp: { ...server(smtp, 587, 465, 'starttls'), ...account },
      imap: { ...server(imap, 993, 993, 'implicit'), ...account },
    };
  },
};

/** On this machine a port of its own is in the clear; elsewhere never. */
function server(text: string, usual: number, implicit: number, tls: 'starttls' | 'implicit') {
  const [host = '', given] = text.split(':');
  const port = given === undefined ? usual : Number(given);
  if (LOOPBACK.test(host) && given !== undefined) return { host, port, tls: 'none' };
  return { host, port, tls: port === implicit ? 'implicit' : port === 143 ? 'starttls' : tls };
}
