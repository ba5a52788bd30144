import { existsSync } from 'node:fs';
import { type DoctorCheck, loadConfig } from '../../../config/index.ts';
import type { ChannelDefinition } from '../definition.ts';

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
  async open({ smtp, imap, from, dkim, inbox, max: ceiling }, tools) {
    const { EmailChannel } = await import('./email-channel.ts');
    const { key, clock, asked, isListed, onProblem, onHealthy, onUnproved } = tools;
    const authority = (ca: string | undefined) => (ca === undefined ? {} : { ca: tools.readText(ca) });
    const channel = new EmailChannel({
      ...{ from, dkim, ceiling, key, clock, asked, isListed, onProblem, onHealthy, onUnproved },
      trust: inbox?.trust ?? 'mail',
      addresses: tools.identities,
      smtp: {
        ...{ host: smtp.host, port: smtp.port, tls: smtp.tls },
        ...(smtp.user === undefined ? {} : { user: smtp.user }),
        ...(smtp.password === undefined ? {} : { password: await tools.read(smtp.password) }),
        ...authority(smtp.ca),
      },
      ...(imap === undefined
        ? {}
        : {
            imap: {
              ...{ host: imap.host, port: imap.port, tls: imap.tls, user: imap.user, mailbox: imap.mailbox },
              password: await tools.read(imap.password),
              ...authority(imap.ca),
            },
          }),
    });
    return { channel, onMail: (mail) => channel.receive(mail) };
  },
};
