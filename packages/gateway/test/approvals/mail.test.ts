import { ImapServer, MailServer, plainMail, startTestGateway, waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const QUESTION = { session_id: 's1', action_type: 'exec_cmd', title: 'Run command', preview: 'git push' };

describe('a whole gateway with a mailbox', () => {
  let smtp: MailServer;
  let imap: ImapServer;
  beforeEach(async () => {
    smtp = await MailServer.start();
    imap = await ImapServer.start({ user: { name: 'gate', password: 'imap-pa55-word' } });
  });
  afterEach(async () => {
    await smtp[Symbol.asyncDispose]();
    await imap[Symbol.asyncDispose]();
  });

  const start = (more = '') =>
    startTestGateway({
      env: { IMAP: 'imap-pa55-word' },
      config: `
tenants: { default: { users: { ana: { roles: [owner], identities: { email: Ana@example.com } } } } }
roles: { owner: { allow: ["approve:*"] } }
channels:
  email:
    from: gate@example.org
    smtp: { host: 127.0.0.1, port: ${smtp.port}, tls: none }
    imap: { host: 127.0.0.1, port: ${imap.port}, tls: none, user: gate, password: "env:IMAP" }
    ${more}
`,
    });
  const ask = async (gateway: Awaited<ReturnType<typeof start>>) => {
    const answer = await gateway.agent('/v1/approvals', { token: gateway.apiKey, json: QUESTION });
    const { approval_id: id } = answer.json<{ approval_id: string }>();
    await waitFor('the mail with the question', () => expect(smtp.messages).toHaveLength(1));
    return { id, subject: `Re: ${smtp.messages[0]!.subject}` };
  };
  const reply = (subject: string, body: string) => plainMail({ from: 'ana@example.com', subject, body });

  test('a reply in the mailbox decides, where DKIM is off', async () => {
    const gateway = await start('dkim: off');
    const { id, subject } = await ask(gateway);
    imap.deliver(reply(subject, '4 add logs'));
    const state = await gateway.agent(`/v1/approvals/${id}?wait=20`, { token: gateway.apiKey });
    expect(state.json()).toMatchObject({ status: 'approved', decision: { code: '4', note: 'add logs' } });
    await gateway.close();
    expect(gateway.log.join('')).not.toContain('imap-pa55-word');
  });

  test('[AP-2] without a signature nothing is decided, unless that is configured: the trail says so', async () => {
    const gateway = await start();
    const { id, subject } = await ask(gateway);
    const uid = imap.deliver(reply(subject, '1'));
    await waitFor('the reply to be read', () => expect(imap.isSeen(uid)).toBe(true));
    const state = await gateway.agent(`/v1/approvals/${id}`, { token: gateway.apiKey });
    expect(state.json()).toMatchObject({ status: 'pending' });
    expect(smtp.messages[1]?.parts[0]?.text).toMatch(/^Nothing was decided: the mail has no DKIM signature/);
    await waitFor('the refusal in the trail', async () => {
      const events = await gateway.operator('/v1/audit/events?type=ApprovalEvent::AnswerRefused');
      expect(events.json()).toMatchObject({
        items: [
          {
            approval_id: id,
            actor: { kind: 'gateway' },
            data: { channel: 'email', identity: 'ana@example.com', reason: expect.stringMatching(/DKIM/) },
          },
        ],
      });
    });
    await gateway.close();
  });
});
