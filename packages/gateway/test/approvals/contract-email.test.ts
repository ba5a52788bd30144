import { MailServer } from '@sallyport/testkit';
import { EmailChannel } from '../../src/approvals/channels/email/email-channel.ts';
import type { DeliveryRef } from '../../src/approvals/index.ts';
import { describeOutcome } from '../../src/approvals/render/index.ts';
import { describeChannelContract } from './channel.contract.ts';
import { ContractProxy } from './contract-proxy.ts';
import type { Attempt, Sender } from './contract-world.ts';

const people = {
  ana: 'ana@example.com',
  bob: 'bob@example.com',
  eve: 'eve@example.com',
  mallory: 'mallory@evil.example',
};

describeChannelContract('email', people, async (world) => {
  const server = await MailServer.start();
  const proxy = await ContractProxy.start(server.port);
  const channel = new EmailChannel({
    ...world,
    smtp: { host: '127.0.0.1', port: proxy.port, tls: 'none' },
    from: 'gate@example.org',
  });
  const header = (mail: (typeof server.messages)[number], name: string) =>
    mail.headers.find(([key]) => key === name)?.[1];
  /** the question and what followed it */
  const thread = ({ ref, recipient }: DeliveryRef) =>
    server.messages.filter(
      (mail) =>
        mail.to.includes(recipient.identity) &&
        [header(mail, 'message-id'), header(mail, 'in-reply-to')].includes(String(ref.messageId)),
    );
  const subjectOf = (ref: DeliveryRef): string => {
    const [question] = thread(ref);
    if (question === undefined) throw new Error('there is no mail');
    return question.subject;
  };
  const receive = (subject: string, body: string, from = people.ana) =>
    channel.receive({ from, subject: `Re: ${subject}`, body });
  return {
    channel,
    writableHosts: ['127.0.0.1', 'mail.example.org', 'gmail.googleapis.com'],
    // SMTP refuses for a while, and does not say for how long.
    namesPause: false,
    seen: (ref) =>
      thread(ref)
        .flatMap(({ parts, subject }) => [
          subject,
          ...parts.filter(({ type }) => type !== 'text/html').map(({ text }) => text),
        ])
        .join('\n'),
    async answer(ref, _approvalId, text, by) {
      const { identity, isMachine = false }: Sender = by ?? ref.recipient;
      const subject = `${isMachine ? 'Automatic reply: ' : 'Re: '}${subjectOf(ref)}`;
      const outcome = await channel.receive({ from: identity, subject, body: text });
      return describeOutcome(outcome);
    },
    attempts(ref, approvalId, other, otherId) {
      const subject = subjectOf(ref);
      const [own, foreign] = [subject, subjectOf(other)].map(
        (text) => /\[key-[^\]]+\]/.exec(text)?.[0] ?? '',
      );
      return [
        { why: 'no key', subject: `[${approvalId}]` },
        { why: 'a key of zeros', subject: `[${approvalId}] [key-${'0'.repeat(26)}]` },
        { why: 'the key of another question', subject: `[${approvalId}] ${foreign}` },
        { why: 'the key without its question', subject: `[${otherId}] ${own}` },
        { why: 'an unknown question', subject: `[appr_${'0'.repeat(26)}] ${own}` },
        { why: 'two questions', subject: `${subject} [${otherId}]` },
      ]
        .map(({ why, subject: forged }): Attempt => ({ id: 'AP-8', why, send: () => receive(forged, '1') }))
        .concat(
          ['yes', 'ok', '1.', '1 please', '7', '', '> 1'].map(
            (body): Attempt => ({ id: 'AP-5', why: body, send: () => receive(subject, body) }),
          ),
        );
    },
    setService: (mode) => proxy.setMode(mode),
    limitNext: () => server.refuseNext(451, 'try again later'),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
});
