import type { ChannelDefinition } from '../definition.ts';

export const telegram: ChannelDefinition<'telegram'> = {
  docs: {
    needs: 'a bot of @BotFather; no public address, unless it takes updates by webhook',
    proof: 'the numeric id that Telegram gives with each press or message',
  },
  doctor: [],
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
