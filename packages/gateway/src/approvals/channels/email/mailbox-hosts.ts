/** Ways into mailboxes that many people use: an agent with a credential there could answer for them. */
const WELL_KNOWN: readonly string[] = [
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

/** What mail servers of a domain are called. Not every host of it: its other services are no mailboxes. */
const USUAL: readonly string[] = [
  'mail',
  'imap',
  'smtp',
  'pop',
  'pop3',
  'mx',
  'webmail',
  'jmap',
  'exchange',
  'owa',
  'outlook',
  'autodiscover',
];

/** Hosts through which mailboxes at these domains are read and written, as far as names tell. */
export function mailboxHosts(domains: readonly string[]): readonly string[] {
  const own = domains.flatMap((domain) => [domain, ...USUAL.map((name) => `${name}.${domain}`)]);
  return [...new Set([...own, ...WELL_KNOWN])];
}
