import type { ChannelDefinition } from '../definition.ts';
import { inboxDoctorCheck } from './inbox-doctor-check.ts';

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
