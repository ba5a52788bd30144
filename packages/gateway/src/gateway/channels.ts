import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Approval,
  type Channel,
  deriveAnswerKey,
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
import type { Logger, Redactor } from '../audit/index.ts';
import type { Config, HomePaths, Variables } from '../config/index.ts';
import type { NamedSecretResolver } from '../credentials/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { Secret } from '../shared/secret.ts';
import { readSecret } from './read-secret.ts';

export interface ChannelContext {
  readonly paths: HomePaths;
  readonly env: Variables;
  readonly clock: Clock;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** finds the value of a credential that the config names with `secret:` */
  readonly named: NamedSecretResolver;
  readonly operatorToken: Secret;
  /** the config in force now: who is listed may change while a channel runs */
  readonly config: () => Config;
  /** where the operator side is reached, once it listens */
  readonly operatorUrl: () => string;
  readonly find: (approvalId: string) => Promise<Approval | undefined>;
  /** identities that got this question on a channel */
  readonly askedOn: (channel: string, approvalId: string) => Promise<readonly string[]>;
  /** somebody answered and could not be proved: nothing is decided, and the trail keeps it */
  readonly onUnproved: (channel: string, answer: UnprovedAnswer) => void;
}

/** The channels that the config names, and the ways in that some of them need. */
export interface OpenChannels {
  readonly channels: readonly Channel[];
  readonly onMail?: InboxHandler;
  readonly decisions?: WebhookChannel;
  readonly telegram?: TelegramChannel;
}

/**
 * Makes the channels; each library is loaded only if its channel is named. Throws for a secret that cannot be read.
 */
export async function createChannels(context: ChannelContext): Promise<OpenChannels> {
  const { channels: wanted } = context.config();
  const key = deriveAnswerKey(context.operatorToken);
  const read = (reference: string): Promise<Secret> => readSecret(reference, context);
  const onProblem = (error: unknown): void =>
    context.log.warn({ err: error }, 'an approval channel has a problem');
  const isListed = (channel: string) => (identity: string) => lists(context.config(), channel, identity);
  const channels: Channel[] = [];
  let open: Omit<OpenChannels, 'channels'> = {};

  if (wanted.telegram !== undefined) {
    const { TelegramChannel: Telegram } = await loadTelegramChannel();
    const { token, api_url: apiUrl, max: ceiling, webhook } = wanted.telegram;
    const telegram = new Telegram({
      token: await read(token),
      apiUrl,
      ceiling,
      key,
      isListed: isListed('telegram'),
      onProblem,
      ...(webhook === undefined ? {} : { webhook: { url: webhook.url, secret: await read(webhook.secret) } }),
    });
    channels.push(telegram);
    open = { ...open, telegram };
  }
  if (wanted.email !== undefined) {
    const { EmailChannel } = await loadEmailChannel();
    const { smtp, imap, from, dkim, inbox, max: ceiling } = wanted.email;
    const authority = (ca: string | undefined) =>
      ca === undefined ? {} : { ca: readFileSync(resolve(context.paths.home, ca), 'utf8') };
    const email = new EmailChannel({
      smtp: {
        host: smtp.host,
        port: smtp.port,
        tls: smtp.tls,
        ...(smtp.user === undefined ? {} : { user: smtp.user }),
        ...(smtp.password === undefined ? {} : { password: await read(smtp.password) }),
        ...authority(smtp.ca),
      },
      ...(imap === undefined
        ? {}
        : {
            imap: {
              host: imap.host,
              port: imap.port,
              tls: imap.tls,
              user: imap.user,
              password: await read(imap.password),
              mailbox: imap.mailbox,
              ...authority(imap.ca),
            },
          }),
      from,
      dkim,
      trust: inbox?.trust ?? 'mail',
      asked: (approvalId) => context.askedOn('email', approvalId),
      ceiling,
      key,
      clock: context.clock,
      onUnproved: (answer) => context.onUnproved('email', answer),
      isListed: isListed('email'),
      addresses: () => identitiesOn(context.config(), 'email'),
      onProblem,
    });
    channels.push(email);
    open = { ...open, onMail: (mail) => email.receive(mail) };
  }
  if (wanted.slack !== undefined) {
    const { createSlackChannel } = await loadSlackChannel();
    const { app_token: appToken, bot_token: botToken, api_url: apiUrl, max: ceiling } = wanted.slack;
    const slack = await createSlackChannel({
      appToken: await read(appToken),
      botToken: await read(botToken),
      apiUrl,
      ceiling,
      key,
      isListed: isListed('slack'),
      onProblem,
    });
    channels.push(slack);
  }
  if (wanted.discord !== undefined) {
    const { createDiscordChannel } = await loadDiscordChannel();
    const { token, api_url: apiUrl, channel, max: ceiling } = wanted.discord;
    const discord = await createDiscordChannel({
      token: await read(token),
      apiUrl,
      ceiling,
      key,
      isListed: isListed('discord'),
      onProblem,
      ...(channel === undefined ? {} : { channel }),
    });
    channels.push(discord);
  }
  if (wanted.webhook !== undefined) {
    const { WebhookChannel: Webhook } = await loadWebhookChannel();
    const { url, secret, max: ceiling, public_url: publicUrl } = wanted.webhook;
    const decisions = new Webhook({
      url,
      secret: await read(secret),
      ceiling,
      key,
      get baseUrl() {
        return (publicUrl ?? context.operatorUrl()).replace(/\/$/, '');
      },
      isListed: isListed('webhook'),
      find: context.find,
      clock: context.clock,
    });
    channels.push(decisions);
    open = { ...open, decisions };
  }
  if (wanted.desktop !== undefined) {
    const { DesktopChannel } = await loadDesktopChannel();
    channels.push(new DesktopChannel({ platform: process.platform, env: context.env }));
  }
  return { channels, ...open };
}

/** Whether somebody in the config has this identity on the channel. Addresses are compared without case. */
function lists(config: Config, channel: string, identity: string): boolean {
  const same = (own: string): boolean =>
    channel === 'email' ? own.toLowerCase() === identity.toLowerCase() : own === identity;
  return identitiesOn(config, channel).some(same);
}

function identitiesOn({ tenants }: Config, channel: string): readonly string[] {
  return Object.values(tenants).flatMap(({ users }) =>
    Object.values(users).flatMap(({ identities }) => {
      const own = Object.hasOwn(identities, channel) ? identities[channel] : undefined;
      return own === undefined ? [] : [own];
    }),
  );
}
