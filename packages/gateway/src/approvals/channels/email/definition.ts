import { existsSync } from 'node:fs';
import { type Config, type DoctorCheck, loadConfig } from '../../../config/index.ts';
import type { ChannelDefinition, ChannelTools } from '../definition.ts';
import { emailSetup } from './email-setup.ts';
import type { ImapOptions } from './imap-inbox.ts';
import type { SmtpOptions } from './mailer.ts';

/** What a trusted forwarder gives up; silent about everything else that is wrong with the config. */
export const inboxDoctorCheck: DoctorCheck = {
  id: 'channels.inbox',
  title: 'replies by mail',
  async run({ paths, env }) {
    const config = existsSync(paths.config)
      ? loadConfig({ file: paths.config, env, checks: [] }).config
      : undefined;
    const { email } = config?.channels ?? {};
    if (email === undefined) return { status: 'ok', message: 'no mail channel is configured' };
    if (email.inbox?.trust !== 'forwarder')
      return {
        status: 'ok',
        message: 'a reply must bring the key of its question back from the address asked',
      };
    return {
      status: 'warn',
      message:
        'whoever holds `inbox.secret` answers for everyone who is asked by mail: no key, no sender and no signature is checked (`channels.email.inbox.trust: forwarder`)',
      fix: 'let the forwarder send `from`, and `raw` where it can, and take `trust: forwarder` out',
    };
  },
};

export const email: ChannelDefinition<'email'> = {
  docs: {
    needs: 'a mail server to send through; for answers a mailbox (IMAP), or a forwarder that posts replies',
    proof: 'the key of the question, from the address that was asked, and the DKIM signature of its domain',
  },
  doctor: [inboxDoctorCheck],
  setup: emailSetup,
  async try({ smtp, imap }, trial) {
    const { Mailer } = await import('./mailer.ts');
    const { tryMailbox } = await import('./imap-inbox.ts');
    const mailer = new Mailer(await smtpOptions(smtp, trial));
    try {
      await mailer.verify(trial.signal);
    } finally {
      mailer.close();
    }
    if (imap === undefined) return `sends through ${smtp.host}; nothing reads a mailbox`;
    await tryMailbox(await imapOptions(imap, trial));
    return `sends through ${smtp.host}, reads ${imap.mailbox} at ${imap.host}`;
  },
  async open({ smtp, imap, from, dkim, inbox, max: ceiling }, tools) {
    const { EmailChannel } = await import('./email-channel.ts');
    const { key, clock, asked, isListed, onProblem, onHealthy, onUnproved } = tools;
    const channel = new EmailChannel({
      ...{ from, dkim, ceiling, key, clock, asked, isListed, onProblem, onHealthy, onUnproved },
      trust: inbox?.trust ?? 'mail',
      addresses: tools.identities,
      smtp: await smtpOptions(smtp, tools),
      ...(imap === undefined ? {} : { imap: await imapOptions(imap, tools) }),
    });
    return { channel, onMail: (mail) => channel.receive(mail) };
  },
};

type EmailConfig = NonNullable<Config['channels']['email']>;
type Reads = Pick<ChannelTools, 'read' | 'readText'>;

async function smtpOptions(smtp: EmailConfig['smtp'], { read, readText }: Reads): Promise<SmtpOptions> {
  const { host, port, tls, user, password, ca } = smtp;
  return {
    ...{ host, port, tls },
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password: await read(password) }),
    ...(ca === undefined ? {} : { ca: readText(ca) }),
  };
}

async function imapOptions(
  imap: NonNullable<EmailConfig['imap']>,
  { read, readText }: Reads,
): Promise<ImapOptions> {
  const { host, port, tls, user, mailbox, password, ca } = imap;
  return {
    ...{ host, port, tls, user, mailbox },
    password: await read(password),
    ...(ca === undefined ? {} : { ca: readText(ca) }),
  };
}
