import type { ChannelDefinition } from '../definition.ts';

export const discord: ChannelDefinition<'discord'> = {
  docs: {
    needs: 'a Discord bot; no public address',
    proof: 'the user id that Discord gives with each press, on a connection that the bot opened',
  },
  doctor: [],
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
