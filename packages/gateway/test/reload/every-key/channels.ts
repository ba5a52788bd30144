import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DiscordServer,
  ImapServer,
  MailServer,
  SlackServer,
  startTestGateway,
  TelegramServer,
} from '@sallyport/testkit';
import { Posts } from '../posts.ts';
import { all, at, type Case, type Draft, type Group, type OpenWorld } from './cases.ts';

type Channel = 'telegram' | 'email' | 'slack' | 'discord' | 'webhook' | 'desktop';

interface ChannelsWorld extends OpenWorld {
  /** Does what it takes to see a channel, and tells what its service saw of it so far. */
  seen(channel: Channel): Promise<unknown>;
}

/** Set before the tests begin; the cases name them. */
const services = { telegram: '', other: '', slack: '', discord: '', posts: '', smtp: 0, imap: 0 };

const lazy =
  (make: () => unknown, path: string): Case<Channel>['change'] =>
  (draft) =>
    at(path, make())(draft);

const telegram = lazy(() => ({ token: 'env:TG', api_url: services.telegram }), 'channels.telegram');
const hooked = all(
  telegram,
  at('channels.telegram.webhook', { url: 'https://gate.example/one', secret: 'env:ONE' }),
);
const slack = lazy(
  () => ({ app_token: 'env:SLACK_APP', bot_token: 'env:SLACK_BOT', api_url: services.slack }),
  'channels.slack',
);
const discord = lazy(() => ({ token: 'env:DISCORD', api_url: services.discord }), 'channels.discord');
const webhook = lazy(() => ({ url: `${services.posts}/q`, secret: 'env:ONE' }), 'channels.webhook');
const email = lazy(
  () => ({
    smtp: { host: '127.0.0.1', port: services.smtp, tls: 'none' },
    imap: { host: '127.0.0.1', port: services.imap, tls: 'none', user: 'gate', password: 'env:IMAP' },
    from: 'gate@example.org',
  }),
  'channels.email',
);

const of =
  (channel: Channel, given: Case<Channel>['change']) =>
  (key: string, value: unknown): Case<Channel> => ({
    given,
    change: (draft) => at(`channels.${channel}.${key}`, typeof value === 'function' ? value() : value)(draft),
    see: channel,
  });

const tg = of('telegram', telegram);
const mail = of('email', email);
const withLogin = all(
  email,
  at('channels.email.smtp.user', 'gate'),
  at('channels.email.smtp.password', 'env:ONE'),
);
const sl = of('slack', slack);
const dc = of('discord', discord);
const wh = of('webhook', webhook);

export const channelsGroup: Group<Channel, ChannelsWorld> = {
  name: 'channels, as their services see them',
  cases: {
    'channels.telegram.token': tg('token', 'env:TG_TWO'),
    'channels.telegram.max': tg('max', 'once'),
    'channels.telegram.api_url': tg('api_url', () => services.other),
    'channels.telegram.webhook.url': of('telegram', hooked)('webhook.url', 'https://gate.example/two'),
    'channels.telegram.webhook.secret': of('telegram', hooked)('webhook.secret', 'env:TWO'),
    'channels.email.smtp.host': mail('smtp.host', 'localhost'),
    'channels.email.smtp.port': mail('smtp.port', 1),
    'channels.email.smtp.tls': mail('smtp.tls', 'starttls'),
    'channels.email.smtp.user': of('email', withLogin)('smtp.user', 'other'),
    'channels.email.smtp.password': of('email', withLogin)('smtp.password', 'env:TWO'),
    'channels.email.smtp.ca': mail('smtp.ca', 'ca.pem'),
    'channels.email.imap.host': mail('imap.host', 'localhost'),
    'channels.email.imap.port': mail('imap.port', 1),
    'channels.email.imap.tls': mail('imap.tls', 'starttls'),
    'channels.email.imap.user': mail('imap.user', 'other'),
    'channels.email.imap.password': mail('imap.password', 'env:TWO'),
    'channels.email.imap.mailbox': mail('imap.mailbox', 'Gate'),
    'channels.email.imap.ca': mail('imap.ca', 'ca.pem'),
    'channels.email.from': mail('from', 'other@example.org'),
    'channels.email.dkim': mail('dkim', 'off'),
    'channels.email.inbox.trust': of('email', all(email, at('channels.email.inbox', { trust: 'mail' })))(
      'inbox.trust',
      'forwarder',
    ),
    'channels.email.max': mail('max', 'always'),
    'channels.slack.app_token': sl('app_token', 'env:ONE'),
    'channels.slack.bot_token': sl('bot_token', 'env:ONE'),
    'channels.slack.max': sl('max', 'once'),
    'channels.slack.api_url': sl('api_url', () => `${services.other}/`),
    'channels.discord.token': dc('token', 'env:ONE'),
    'channels.discord.channel': dc('channel', '400000000000000001'),
    'channels.discord.max': dc('max', 'once'),
    'channels.discord.api_url': dc('api_url', () => services.other),
    'channels.webhook.url': wh('url', () => `${services.posts}/other`),
    'channels.webhook.secret': wh('secret', 'env:TWO'),
    'channels.webhook.max': wh('max', 'always'),
    'channels.webhook.public_url': wh('public_url', 'https://gate.example'),
    'channels.desktop': { change: at('channels.desktop', {}), see: 'desktop' },
  },
  async open() {
    const [telegram, other, slack, discord, posts, smtp] = await Promise.all([
      TelegramServer.start(),
      TelegramServer.start(),
      SlackServer.start(),
      DiscordServer.start(),
      Posts.start(),
      MailServer.start(),
    ]);
    const imap = await ImapServer.start({ user: { name: 'gate', password: 'password-of-the-mailbox' } });
    Object.assign(services, {
      ...{ telegram: telegram.url, other: other.url, slack: slack.apiUrl, discord: discord.apiUrl },
      ...{ posts: posts.url, smtp: smtp.port, imap: imap.port },
    });
    const base: Draft = {
      tenants: {
        default: {
          users: {
            ana: {
              roles: ['owner'],
              identities: { webhook: 'ana', desktop: 'ana', email: 'ana@example.com' },
            },
          },
        },
      },
      roles: { owner: { allow: ['agent:*', 'tool:*', 'approve:*'] } },
    };
    const gateway = await startTestGateway({
      config: JSON.stringify(base),
      env: {
        ...{
          TG: telegram.token,
          TG_TWO: '777000:another',
          ONE: 'secret-number-one',
          TWO: 'secret-number-two',
        },
        ...{ SLACK_APP: slack.appToken, SLACK_BOT: slack.botToken, DISCORD: discord.token },
        ...{ IMAP: 'password-of-the-mailbox', PATH: '/nowhere' },
      },
    });
    await writeFile(join(gateway.home, 'ca.pem'), 'no certificate', { mode: 0o600 });
    const seen: Record<Channel, () => Promise<unknown>> = {
      // Each start of a channel is told to its service: whatever was said before was of other settings.
      telegram: async () => [startsOf(telegram), startsOf(other), telegram.webhook ?? null],
      email: async () => [imap.commands.filter((name) => name === 'CAPABILITY').length, imap.idling],
      slack: async () => [slack.calls.length, startsOf(other)],
      discord: async () => [discord.calls.length, startsOf(other)],
      webhook: async () => {
        const session = `s${Math.random()}`;
        const json = { session_id: session, action_type: 'exec_cmd', title: 'A title', preview: session };
        const asked = await gateway.agent('/v1/approvals', { token: gateway.apiKey, json });
        const { approval_id: id } = asked.json<{ approval_id: string }>();
        const post = await posts.holding(session);
        const { decision_url: link } = JSON.parse(post.body) as { decision_url: string };
        const { origin, pathname, search } = new URL(link);
        const answer = await gateway.operator(`${pathname}${search}`, {
          method: 'POST',
          json: { code: '2' },
        });
        // Ten questions that nobody answers keep the next one back.
        await gateway.operator(`/v1/approvals/${id}/decision`, { json: { code: '3' } });
        const secret = Posts.signerOf(post, ['secret-number-one', 'secret-number-two']);
        return { path: post.path, secret, origin, status: answer.status };
      },
      // Whether a notification is tried: there is no desktop, and the trail says so.
      desktop: async () => {
        const json = { session_id: 's', action_type: 'exec_cmd', title: 'T', preview: `p${Math.random()}` };
        const asked = await gateway.agent('/v1/approvals', { token: gateway.apiKey, json });
        const { approval_id: id } = asked.json<{ approval_id: string }>();
        const told = (await gateway.operator('/v1/audit/events?type=ApprovalEvent::Notified')).text;
        await gateway.operator(`/v1/approvals/${id}/decision`, { json: { code: '3' } });
        return told.includes('"desktop"');
      },
    };
    return {
      gateway,
      base,
      seen: (channel) => seen[channel](),
      async [Symbol.asyncDispose]() {
        await gateway.close();
        for (const server of [telegram, other, slack, discord, posts, smtp, imap])
          await server[Symbol.asyncDispose]();
      },
    };
  },
  // A channel takes a moment to be there; then nothing more is said by itself.
  async settle(world, channel) {
    if (channel === 'webhook' || channel === 'desktop') return;
    let before: unknown;
    for (let same = 0; same < 3; ) {
      const now = JSON.stringify(await world.seen(channel));
      same = now === before ? same + 1 : 0;
      before = now;
      await sleep(150);
    }
  },
  look: (world, channel) => world.seen(channel),
};

/** Calls but for those that a channel makes as long as it runs. */
function startsOf(server: TelegramServer): number {
  return server.calls.filter(({ method }) => method !== 'getUpdates').length;
}
