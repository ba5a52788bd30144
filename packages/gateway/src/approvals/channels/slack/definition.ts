import type { ChannelDefinition } from '../definition.ts';

export const slack: ChannelDefinition<'slack'> = {
  docs: {
    needs: 'a Slack app with socket mode; no public address',
    proof: 'the member id that Slack gives with each press, on a connection that the app opened',
  },
  doctor: [],
  async open({ app_token: appToken, bot_token: botToken, api_url: apiUrl, max: ceiling }, tools) {
    const { createSlackChannel } = await import('./slack-channel.ts');
    const { key, isListed, onProblem, onHealthy } = tools;
    const channel = await createSlackChannel({
      ...{ apiUrl, ceiling, key, isListed, onProblem, onHealthy },
      appToken: await tools.read(appToken),
      botToken: await tools.read(botToken),
    });
    return { channel };
  },
};
