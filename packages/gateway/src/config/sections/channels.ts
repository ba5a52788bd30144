import { z } from 'zod';
import { httpUrlSchema, LOOPBACK, safeUrlSchema, secretReferenceSchema } from './values.ts';

const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|[0-9A-Fa-f:.]{2,45})$/;
const ADDRESS = /^[^\s<>()[\]\\,;:@"]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/;

function max(standard: 'once' | 'always') {
  return z
    .enum(['once', 'session', 'always'])
    .default(standard)
    .describe('the most that an answer on this channel may allow');
}

const TelegramSchema = z
  .strictObject({
    token: secretReferenceSchema.describe('source of the bot token that @BotFather gives'),
    max: max('always'),
    api_url: safeUrlSchema
      .default('https://api.telegram.org')
      .describe('the Bot API, or a Bot API server of your own'),
    webhook: z
      .strictObject({
        url: httpUrlSchema
          .refine((text) => text.startsWith('https://'), { error: 'Telegram posts to `https://` only' })
          .describe('public address that leads to `POST /v1/channels/telegram`'),
        secret: secretReferenceSchema.describe('source of the secret token: A-Z, a-z, 0-9, `_`, `-`'),
      })
      .optional()
      .describe('take updates by webhook; without it the gateway polls and needs no public address'),
  })
  .describe('questions as Telegram messages with buttons');

const SmtpSchema = z
  .strictObject({
    host: z
      .string()
      .regex(HOST, 'expected a host name or an IP address')
      .describe('mail server to send through'),
    port: z.int().min(1).max(65_535).default(587).describe('587 for `starttls`, 465 for `implicit`'),
    tls: z
      .enum(['starttls', 'implicit', 'none'])
      .default('starttls')
      .describe('`starttls` is required, not tried; `none` only for a server on this machine'),
    user: z.string().min(1).max(320).optional().describe('account, where the server wants one'),
    password: secretReferenceSchema.optional().describe('source of its password'),
    ca: z
      .string()
      .min(1)
      .max(1_024)
      .optional()
      .describe('file of a private certificate authority (PEM), relative to the home'),
  })
  .refine(({ tls, host }) => tls !== 'none' || LOOPBACK.test(host), {
    error: 'mail in the clear goes to this machine only',
    path: ['tls'],
    params: { hint: 'use `starttls` or `implicit`' },
  })
  .refine(({ user, password }) => (user === undefined) === (password === undefined), {
    error: '`user` and `password` belong together',
    path: ['user'],
  })
  .describe('how mail goes out');

const ImapSchema = z
  .strictObject({
    host: z
      .string()
      .regex(HOST, 'expected a host name or an IP address')
      .describe('mail server that holds the mailbox'),
    port: z.int().min(1).max(65_535).default(993).describe('993 for `implicit`, 143 for `starttls`'),
    tls: z
      .enum(['implicit', 'starttls', 'none'])
      .default('implicit')
      .describe('`starttls` is required, not tried; `none` only for a server on this machine'),
    user: z.string().min(1).max(320).describe('account'),
    password: secretReferenceSchema.describe('source of its password'),
    mailbox: z.string().min(1).max(200).default('INBOX').describe('folder whose unread mails are read'),
    ca: z
      .string()
      .min(1)
      .max(1_024)
      .optional()
      .describe('file of a private certificate authority (PEM), relative to the home'),
  })
  .refine(({ tls, host }) => tls !== 'none' || LOOPBACK.test(host), {
    error: 'mail in the clear comes from this machine only',
    path: ['tls'],
    params: { hint: 'use `implicit` or `starttls`' },
  })
  .describe('mailbox of `from`, where replies are fetched as they arrive (IMAP IDLE)');

const EmailSchema = z
  .strictObject({
    smtp: SmtpSchema,
    imap: ImapSchema.optional(),
    from: z
      .string()
      .regex(ADDRESS, 'expected a plain address like `gate@example.com`')
      .describe('sender of the questions; replies to it must reach `imap` or the inbox'),
    dkim: z
      .enum(['required', 'off'])
      .default('required')
      .describe(
        'whether a whole message (`imap`, or `raw` in the inbox) must be signed by its sender’s domain',
      ),
    inbox: z
      .strictObject({
        trust: z
          .enum(['mail', 'forwarder'])
          .default('mail')
          .describe(
            '`mail`: a reply counts if it brings its key back from the address asked. `forwarder`: whoever holds `inbox.secret` is believed, also `{subject, body}` alone',
          ),
      })
      .optional()
      .describe('what is demanded of replies at `POST /v1/inbox/email-reply`'),
    max: max('once'),
  })
  .describe('questions by mail, answers from a mailbox or through `POST /v1/inbox/email-reply`');

const WebhookSchema = z
  .strictObject({
    url: safeUrlSchema.describe('where questions are posted'),
    secret: secretReferenceSchema.describe('source of the key that signs each post (HMAC-SHA-256)'),
    max: max('once'),
    public_url: safeUrlSchema
      .optional()
      .describe(
        'where the operator side is reached by people who open the link; its own address unless given',
      ),
  })
  .describe('questions as signed posts to a URL, with a link to decide');

const SlackSchema = z
  .strictObject({
    app_token: secretReferenceSchema.describe('source of the app-level token (`xapp-…`) for socket mode'),
    bot_token: secretReferenceSchema.describe('source of the bot token (`xoxb-…`)'),
    max: max('always'),
    api_url: safeUrlSchema
      .default('https://slack.com/api/')
      .describe('the Web API, or a proxy of your own in front of it'),
  })
  .describe('questions as direct messages of a Slack app, with buttons');

const DiscordSchema = z
  .strictObject({
    token: secretReferenceSchema.describe('source of the bot token'),
    channel: z
      .string()
      .regex(/^[1-9]\d{14,20}$/, 'expected the id of a channel: a number of 15 to 21 digits, in quotes')
      .optional()
      .describe('channel where everyone is asked, each in a message of their own; absent: direct messages'),
    max: max('always'),
    api_url: safeUrlSchema
      .default('https://discord.com/api')
      .describe('the REST API, or a proxy of your own in front of it'),
  })
  .describe('questions as messages of a Discord bot, with buttons');

const DesktopSchema = z
  .strictObject({})
  .describe("notifications on the gateway's own desktop; they tell, and take no answers");

export const ChannelsSchema = z
  .strictObject({
    telegram: TelegramSchema.optional(),
    email: EmailSchema.optional(),
    slack: SlackSchema.optional(),
    discord: DiscordSchema.optional(),
    webhook: WebhookSchema.optional(),
    desktop: DesktopSchema.optional(),
  })
  .describe('how people are asked; who is asked stands under `users.*.identities`');

export type ChannelName = keyof z.infer<typeof ChannelsSchema>;

interface IdentityForm {
  readonly pattern: RegExp;
  /** what the pattern wants, for people */
  readonly form: string;
  /** two that differ in case alone are one person */
  readonly caseless?: true;
}

const ANY_NAME: IdentityForm = { pattern: /\S/, form: 'a name' };

/** How a person is named on each channel, and in the gateway's own terminal. A new channel does not compile without. */
export const IDENTITY_FORMS: Readonly<Record<ChannelName | 'terminal', IdentityForm>> = {
  telegram: { pattern: /^[1-9]\d{0,19}$/, form: 'the numeric id of a person, like `"987654321"`' },
  // Most mail servers deliver without looking at case.
  email: { pattern: ADDRESS, form: 'a plain address like `ana@example.com`', caseless: true },
  slack: { pattern: /^[UW][A-Z0-9]{2,20}$/, form: 'a member id like `U012AB3CD`' },
  discord: { pattern: /^[1-9]\d{0,20}$/, form: 'the numeric id of a user, like `"80351110224678912"`' },
  webhook: ANY_NAME,
  desktop: ANY_NAME,
  terminal: ANY_NAME,
};

const FORM_OF: ReadonlyMap<string, IdentityForm> = new Map(Object.entries(IDENTITY_FORMS));

export function identityForm(channel: string): IdentityForm | undefined {
  return FORM_OF.get(channel);
}

/** What two spellings of one identity on a channel have in common. */
export function identityKey(channel: string, identity: string): string {
  return FORM_OF.get(channel)?.caseless === true ? identity.trim().toLowerCase() : identity;
}
