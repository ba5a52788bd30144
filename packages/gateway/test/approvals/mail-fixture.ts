import { MailDomain, MailServer, plainMail, type SignOptions } from '@sallyport/testkit';
import type { UnprovedAnswer } from '../../src/approvals/channels/definition.ts';
import { EmailChannel, type EmailOptions } from '../../src/approvals/channels/email/email-channel.ts';
import { approvalFixture } from '../../src/approvals/render/approval.fixture.ts';
import { Answers, KEY } from '../channels/answers.fixture.ts';

const never = new AbortController().signal;

export const ANA = { user: 'ana', identity: 'ana@example.com' };

/** The email channel over real SMTP, asked one question; a domain that signs, and the zone of its keys. */
export async function openMail(over: Partial<EmailOptions> = {}, domain = new MailDomain('example.com')) {
  const server = await MailServer.start();
  const approval = approvalFixture();
  const answers = new Answers(approval);
  const problems: string[] = [];
  const unproved: UnprovedAnswer[] = [];
  const channel = new EmailChannel({
    smtp: { host: '127.0.0.1', port: server.port, tls: 'none' },
    from: 'gate@example.org',
    ceiling: 'once',
    key: KEY,
    isListed: (address) => address === 'ana@example.com' || address === 'bob@example.com',
    onProblem: (error) => void problems.push(error.message),
    onUnproved: (answer) => void unproved.push(answer),
    resolve: domain.resolve,
    ...over,
  });
  await channel.start(answers.onAnswer);
  await channel.deliver(approval, ANA, never);
  const subject = `Re: ${server.messages[0]!.subject}`;
  return {
    server,
    channel,
    approval,
    answers,
    problems,
    unproved,
    domain,
    subject,
    /** what Ana's mail program makes of a reply */
    mail: (body: string, fields: Partial<Parameters<typeof plainMail>[0]> = {}): string =>
      plainMail({ from: 'Ana <ana@example.com>', subject, body, ...fields }),
    /** the same, signed by her domain */
    signed(body: string, options: SignOptions = {}): Promise<string> {
      return domain.sign(this.mail(body), options);
    },
    /** what a forwarder does with a whole message */
    forward: (raw: string) => channel.receive({ subject: '', body: '', raw }),
    status: () => answers.get(approval.id)?.status,
    /** texts that went out after the question */
    told: () => server.messages.slice(1).map(({ parts }) => parts[0]?.text ?? ''),
    async [Symbol.asyncDispose]() {
      await channel.stop();
      await server[Symbol.asyncDispose]();
    },
  };
}
