import type { ChannelDefinition } from '../definition.ts';

export const slack: ChannelDefinition<'slack'> = {
  docs: {
    needs: 'a Slack app with socket mode; no public address',
    proof: 'the member id that Slack gives with each press, on a connection that the app opened',
  },
  doctor: [],
  setup: {
    before: [
      'At api.slack.com/apps make an app with socket mode, and install it in your workspace.',
      'Scopes of the bot: chat:write, im:write, files:write. Scope of the app token: connections:write.',
    ],
    fields: [
      {
        key: 'app_token',
        ask: 'App-level token',
        isSecret: true,
        pattern: /^xapp-[\w-]{5,300}$/,
        form: 'it begins with xapp-',
      },
      {
        key: 'bot_token',
        ask: 'Bot token',
        isSecret: true,
        pattern: /^xoxb-[\w-]{5,300}$/,
        form: 'it begins with xoxb-',
      },
    ],
    settings: ({ app_token = '', bot_token = '' }) => ({ app_token, bot_token }),
  },
  async try({ app_token: appToken, bot_token: botToken, api_url: url }, { read, identities, signal }) {
    const library = await import('@slack/bolt');
    const { SlackApi } = await import('./slack-api.ts');
    const api = new SlackApi(library, { token: await read(botToken), url, stopped: signal });
    const who = await api.call('auth.test', {});
    const socket = new SlackApi(library, { token: await read(appToken), url, stopped: signal });
    await socket.call('apps.connections.open', {});
    for (const users of identities) await api.call('conversations.open', { users });
    return `a bot of ${typeof who.team === 'string' ? who.team : 'the workspace'}`;
  },
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
