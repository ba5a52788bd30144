import { describe, expect, test } from 'vitest';
import { ChannelsSchema } from './channels.ts';

const smtp = { host: 'mail.example.com' };
const email = { smtp, from: 'gate@example.com' };
const imap = { host: 'mail.example.com', user: 'gate', password: 'env:IMAP' };
const slack = { app_token: 'env:APP', bot_token: 'env:BOT' };
const webhook = { url: 'https://hooks.example.com/x', secret: 'env:HOOK' };

describe('the channels section', () => {
  test('every channel has safe defaults; mail and webhook allow once', () => {
    const parsed = ChannelsSchema.parse({
      telegram: { token: 'env:BOT' },
      email,
      slack,
      discord: { token: 'env:BOT' },
      webhook,
      desktop: {},
    });
    expect(parsed).toEqual({
      slack: { ...slack, max: 'always', api_url: 'https://slack.com/api/' },
      discord: { token: 'env:BOT', max: 'always', api_url: 'https://discord.com/api' },
      telegram: { token: 'env:BOT', max: 'always', api_url: 'https://api.telegram.org' },
      email: {
        smtp: { ...smtp, port: 587, tls: 'starttls' },
        from: 'gate@example.com',
        dkim: 'required',
        max: 'once',
      },
      webhook: { ...webhook, max: 'once' },
      desktop: {},
    });
  });

  test('a mailbox is read over TLS, from its first byte unless told otherwise', () => {
    const { email: parsed } = ChannelsSchema.parse({ email: { ...email, imap } });
    expect(parsed?.imap).toEqual({ ...imap, port: 993, tls: 'implicit', mailbox: 'INBOX' });
  });

  test('an absent channel is not configured', () => {
    expect(ChannelsSchema.parse({})).toEqual({});
  });

  test.each([
    { why: 'a pasted bot token', input: { telegram: { token: '123:AAE' } } },
    { why: 'no token', input: { telegram: {} } },
    { why: 'an unknown channel', input: { pigeon: {} } },
    { why: 'an unknown setting', input: { telegram: { token: 'env:BOT', tokn: 'x' } } },
    { why: 'an unknown ceiling', input: { telegram: { token: 'env:BOT', max: 'forever' } } },
    {
      why: 'the Bot API in the clear',
      input: { telegram: { token: 'env:BOT', api_url: 'http://bots.example.com' } },
    },
    {
      why: 'a Telegram webhook in the clear',
      input: { telegram: { token: 'env:BOT', webhook: { url: 'http://127.0.0.1/x', secret: 'env:S' } } },
    },
    {
      why: 'a pasted password',
      input: { email: { ...email, smtp: { ...smtp, user: 'a', password: 'hunter2' } } },
    },
    { why: 'a user without a password', input: { email: { ...email, smtp: { ...smtp, user: 'a' } } } },
    { why: 'mail in the clear to elsewhere', input: { email: { ...email, smtp: { ...smtp, tls: 'none' } } } },
    { why: 'a mailbox without a password', input: { email: { ...email, imap: { host: 'x', user: 'a' } } } },
    {
      why: 'a mailbox with a pasted password',
      input: { email: { ...email, imap: { ...imap, password: 'x' } } },
    },
    {
      why: 'a mailbox in the clear elsewhere',
      input: { email: { ...email, imap: { ...imap, tls: 'none' } } },
    },
    { why: 'an unknown word for DKIM', input: { email: { ...email, dkim: 'maybe' } } },
    { why: 'a sender with a name', input: { email: { ...email, from: 'Gate <gate@example.com>' } } },
    { why: 'a sender with a header', input: { email: { ...email, from: 'gate@example.com\r\nBcc: x@y' } } },
    { why: 'a pasted Slack token', input: { slack: { ...slack, bot_token: 'xoxb-1-2' } } },
    { why: 'Slack without an app token', input: { slack: { bot_token: 'env:BOT' } } },
    { why: 'Slack in the clear', input: { slack: { ...slack, api_url: 'http://slack.example.com/api' } } },
    { why: 'an unknown setting of Slack', input: { slack: { ...slack, channel: 'C1' } } },
    { why: 'a pasted Discord token', input: { discord: { token: 'NzAw.x.y' } } },
    { why: 'the name of a channel', input: { discord: { token: 'env:BOT', channel: '#approvals' } } },
    {
      why: 'a channel as a number, which loses digits',
      input: { discord: { token: 'env:BOT', channel: 200000000000000000 } },
    },
    {
      why: 'Discord in the clear',
      input: { discord: { token: 'env:BOT', api_url: 'http://d.example.com' } },
    },
    { why: 'an unknown ceiling of Discord', input: { discord: { token: 'env:BOT', max: 'twice' } } },
    { why: 'a webhook in the clear', input: { webhook: { ...webhook, url: 'http://hooks.example.com' } } },
    { why: 'a webhook without a secret', input: { webhook: { url: webhook.url } } },
    { why: 'a ceiling for what takes no answers', input: { desktop: { max: 'once' } } },
  ])('refuses $why', ({ input }) => {
    expect(ChannelsSchema.safeParse(input).success).toBe(false);
  });

  test('on this machine, plain connections are taken', () => {
    const local = {
      telegram: { token: 'file:bot.token', api_url: 'http://127.0.0.1:8081' },
      email: {
        ...email,
        smtp: { host: 'localhost', port: 25, tls: 'none' },
        imap: { ...imap, host: '::1', tls: 'none' },
      },
      slack: { ...slack, api_url: 'http://127.0.0.1:8082/api/' },
      discord: { token: 'env:BOT', channel: '200000000000000001', api_url: 'http://localhost:8083/api' },
      webhook: { ...webhook, url: 'http://[::1]:9000/x', public_url: 'https://gate.example.com' },
    };
    expect(ChannelsSchema.safeParse(local).success).toBe(true);
  });
});
