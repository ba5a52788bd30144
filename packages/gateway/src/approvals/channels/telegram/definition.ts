import type { ChannelDefinition } from '../definition.ts';

export const telegram: ChannelDefinition<'telegram'> = {
  docs: {
    needs: 'a bot of @BotFather; no public address, unless it takes updates by webhook',
    proof: 'the numeric id that Telegram gives with each press or message',
  },
  doctor: [],
  setup: {
    before: [
      'In Telegram, write /newbot to @BotFather; it gives you a token.',
      'Then open your bot and press Start.',
    ],
    fields: [
      {
        key: 'token',
        ask: 'Token of the bot',
        isSecret: true,
        pattern: /^\d{3,20}:[\w-]{10,100}$/,
        form: 'digits, a colon, letters',
      },
    ],
    settings: ({ token = '' }) => ({ token }),
  },
  async try({ token, api_url: apiUrl }, { read, identities, signal }) {
    const { tryTelegram } = await import('./try-telegram.ts');
    return tryTelegram({ token: await read(token), apiUrl, identities, signal });
  },
  async open({ token, api_url: apiUrl, max: ceiling, webhook }, tools) {
    const { TelegramChannel } = await import('./telegram-channel.ts');
    const { key, isListed, onProblem, onHealthy } = tools;
    const channel = new TelegramChannel({
      ...{ apiUrl, ceiling, key, isListed, onProblem, onHealthy },
      token: await tools.read(token),
      ...(webhook === undefined
        ? {}
        : { webhook: { url: webhook.url, secret: await tools.read(webhook.secret) } }),
    });
    return { channel, telegram: channel };
  },
};
