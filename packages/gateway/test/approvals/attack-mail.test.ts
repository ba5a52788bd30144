import { MailDomain, MailServer, plainMail } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EmailChannel } from '../../src/approvals/channels/email/email-channel.ts';
import { replyToken } from '../../src/approvals/render/index.ts';
import { KEY } from '../channels/answers.fixture.ts';
import { push } from './actions.ts';
import { CONFIG } from './approvals-fixture.ts';
import { INBOX_SECRET, openHttp } from './http-fixture.ts';

const ANA = 'ana@corp.example';
const config = {
  tenants: {
    default: {
      ...CONFIG.tenants.default,
      users: { ana: { roles: ['owner'], identities: { email: ANA } } },
    },
  },
};

describe('[AP-3] an agent that was lent a mailbox', () => {
  const domain = new MailDomain('corp.example');
  let smtp: MailServer;
  let http: Awaited<ReturnType<typeof openHttp>>;
  beforeEach(async () => {
    smtp = await MailServer.start();
    const email = new EmailChannel({
      smtp: { host: '127.0.0.1', port: smtp.port, tls: 'none' },
      from: 'gate@example.org',
      ceiling: 'once',
      key: KEY,
      isListed: (address) => address === ANA,
      addresses: () => [ANA],
      resolve: domain.resolve,
      onProblem: () => {},
    });
    http = await openHttp({
      config,
      channels: [email],
      // What its credential opens: the mail server of the person who decides.
      reachOf: ({ session }) => (session === 'sess_mailbox' ? ['imap.corp.example'] : []),
    });
    http.open.inbox.register((mail) => email.receive(mail));
  });
  afterEach(async () => {
    await http[Symbol.asyncDispose]();
    await smtp[Symbol.asyncDispose]();
  });

  /** A mail that is perfect: from the person, with the key of the question, signed by the domain. */
  const answer = async (id: string) => {
    const key = replyToken(KEY, { channel: 'email', approvalId: id, identity: ANA });
    const mail = plainMail({ from: ANA, subject: `Re: [${id}] [key-${key}]`, body: '1' });
    const json = { subject: '', body: '', raw: await domain.sign(mail) };
    return http.agent('/v1/inbox/email-reply', { token: INBOX_SECRET, json });
  };

  test('is neither asked about by mail nor heard, however good its mail is', async () => {
    const caller = new AbortController();
    const verdict = http.gate.admit(push({ actor: { session: 'sess_mailbox' } }), { signal: caller.signal });
    const { id } = await http.question();
    await http.open.delivered();
    expect(smtp.messages).toEqual([]);
    expect((await answer(id)).json()).toEqual({ outcome: 'refused' });
    expect((await http.open.approvals.find(id))?.status).toBe('pending');
    caller.abort();
    expect(await verdict).toMatchObject({ kind: 'deny' });
  });

  test('does not void mail for a session without one', async () => {
    const verdict = http.gate.admit(push());
    const { id } = await http.question();
    expect((await answer(id)).json()).toEqual({ outcome: 'decided' });
    expect(await verdict).toMatchObject({ kind: 'allow', by: 'person' });
  });
});
