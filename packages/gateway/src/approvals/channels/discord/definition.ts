import type { ChannelDefinition } from '../definition.ts';

export const discord: ChannelDefinition<'discord'> = {
  docs: {
    needs: 'a Discord bot; no public address',
    proof: 'the user id that Discord gives with each press, on a connection that the bot opened',
  },
  doctor: [],
  setup: {
    before: [
      'At discord.com/developers make an application with a bot, and add it to a server that you are in.',
    ],
    fields: [
      {
        key: 'token',
        ask: 'Token of the bot',
        isSecret: true,
        pattern: /^[\w.-]{20,200}$/,
        form: 'letters, digits and dots',
      },
    ],
    settings: ({ token = '' }) => ({ token }),
  },
  async try({ token, api_url: url, channel }, { read, identities, signal }) {
    const library = await import('discord.js');
    const { DiscordApi } = await import('./discord-api.ts');
    const api = new DiscordApi(library, { token: await read(token), url });
    try {
      const { username } = await api.get('/users/@me', { signal });
      if (channel !== undefined) await api.get(`/channels/${channel}`, { signal });
      else
        for (const recipient_id of identities)
          await api.post('/users/@me/channels', { body: { recipient_id }, signal });
      return typeof username === 'string' ? username : 'a bot';
    } finally {
      api.stop();
    }
  },
  async open({ token, api_url: apiUrl, channel: room, max: ceiling }, tools) {
    const { createDiscordChannel } = await import('./discord-channel.ts');
    const { key, isListed, onProblem, onHealthy } = tools;
    const channel = await createDiscordChannel({
      ...{ apiUrl, ceiling, key, isListed, onProblem, onHealthy },
      token: await tools.read(token),
      ...(room === undefined ? {} : { channel: room }),
    });
    return { channel };
  },
};
