import type { KeyObject } from 'node:crypto';
import {
  type Approval,
  type Channel,
  type InboxHandler,
  loadDesktopChannel,
  loadDiscordChannel,
  loadEmailChannel,
  loadSlackChannel,
  loadTelegramChannel,
  loadWebhookChannel,
  type TelegramChannel,
  type UnprovedAnswer,
  type WebhookChannel,
} from '../approvals/index.ts';
import type { Config, Variables } from '../config/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { Secret } from '../shared/secret.ts';

type ChannelsConfig = Config['channels'];
export type ChannelName = keyof ChannelsConfig;

/** What every channel is made with. */
export interface ChannelTools {
  readonly env: Variables;
  readonly clock: Clock;
  /** key of the tokens on buttons and in links */
  readonly key: KeyObject;
  /** Reads a secret that the config names. */
  readonly read: (reference: string) => Promise<Secret>;
  /** Reads a file that the config names, relative to the home. */
  readonly readText: (path: string) => string;
  /** whether somebody in the config in force has this identity */
  readonly isListed: (identity: string) => boolean;
  /** the identities of everybody in the config in force */
  readonly identities: () => readonly string[];
  /** where the operator side is reached, once it listens */
  readonly operatorUrl: () => string;
  readonly find: (approvalId: string) => Promise<Approval | undefined>;
  /** identities that got this question on this channel */
  readonly asked: (approvalId: string) => Promise<readonly string[]>;
  /** somebody answered and could not be proved: nothing is decided, and the trail keeps it */
  readonly onUnproved: (answer: UnprovedAnswer) => void;
  readonly onProblem: (error: unknown) => void;
  readonly onHealthy: () => void;
}

/** A channel, and the way in that some of them need. */
export interface MadeChannel {
  readonly channel: Channel;
  readonly onMail?: InboxHandler;
  readonly decisions?: WebhookChannel;
  readonly telegram?: TelegramChannel;
}

type Makers = {
  readonly [Name in ChannelName]-?: (
    config: NonNullable<ChannelsConfig[Name]>,
    tools: ChannelTools,
  ) => Promise<MadeChannel>;
};

/**
 * How each channel is made of what the config says about it; its library is loaded only then. Each throws for a secret
 * or a file that cannot be read.
 */
const MAKERS = {
  async telegram({ token, api_url: apiUrl, max: ceiling, webhook }, tools) {
    const { TelegramChannel: Telegram } = await loadTelegramChannel();
    const { key, isListed, onProblem, onHealthy } = tools;
    const telegram = new Telegram({
      ...{ apiUrl, ceiling, key, isListed, onProblem, onHealthy },
      token: await tools.read(token),
      ...(webhook === undefined
        ? {}
        : { webhook: { url: webhook.url, secret: await tools.read(webhook.secret) } }),
    });
    return { channel: telegram, telegram };
  },

  async email({ smtp, imap, from, dkim, inbox, max: ceiling }, tools) {
    const { EmailChannel } = await loadEmailChannel();
    const { key, clock, asked, isListed, onProblem, onHealthy, onUnproved } = tools;
    const authority = (ca: string | undefined) => (ca === undefined ? {} : { ca: tools.readText(ca) });
    const email = new EmailChannel({
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
    return { channel: email, onMail: (mail) => email.receive(mail) };
  },

  async slack({ app_token: appToken, bot_token: botToken, api_url: apiUrl, max: ceiling }, tools) {
    const { createSlackChannel } = await loadSlackChannel();
    const { key, isListed, onProblem, onHealthy } = tools;
    const channel = await createSlackChannel({
      ...{ apiUrl, ceiling, key, isListed, onProblem, onHealthy },
      appToken: await tools.read(appToken),
      botToken: await tools.read(botToken),
    });
    return { channel };
  },

  async discord({ token, api_url: apiUrl, channel: room, max: ceiling }, tools) {
    const { createDiscordChannel } = await loadDiscordChannel();
    const { key, isListed, onProblem, onHealthy } = tools;
    const channel = await createDiscordChannel({
      ...{ apiUrl, ceiling, key, isListed, onProblem, onHealthy },
      token: await tools.read(token),
      ...(room === undefined ? {} : { channel: room }),
    });
    return { channel };
  },

  async webhook({ url, secret, max: ceiling, public_url: publicUrl }, tools) {
    const { WebhookChannel: Webhook } = await loadWebhookChannel();
    const { key, isListed, find, clock } = tools;
    const decisions = new Webhook({
      ...{ url, ceiling, key, isListed, find, clock },
      secret: await tools.read(secret),
      get baseUrl() {
        return (publicUrl ?? tools.operatorUrl()).replace(/\/$/, '');
      },
    });
    return { channel: decisions, decisions };
  },

  async desktop(_config, { env }) {
    const { DesktopChannel } = await loadDesktopChannel();
    return { channel: new DesktopChannel({ platform: process.platform, env }) };
  },
} satisfies Makers;

/** In the order in which they are tried. */
export const CHANNEL_NAMES = Object.keys(MAKERS) as readonly ChannelName[]; // `satisfies` above holds both together

export function makeChannel(
  name: ChannelName,
  config: NonNullable<ChannelsConfig[ChannelName]>,
  tools: ChannelTools,
): Promise<MadeChannel> {
  // The table has for each name the maker of its config; the compiler sees only the union of both.
  const make = MAKERS[name] as (config: unknown, tools: ChannelTools) => Promise<MadeChannel>;
  return make(config, tools);
}
