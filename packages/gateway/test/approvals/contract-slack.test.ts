import { SlackServer } from '@sallyport/testkit';
import { describe } from 'vitest';
import { createSlackChannel } from '../../src/approvals/channels/slack/slack-channel.ts';
import { Secret } from '../../src/shared/secret.ts';
import { describeChannelContract } from './channel.contract.ts';
import { authentic, forgeries } from './contract-buttons.ts';

const people = { ana: 'UANA1', bob: 'UBOB1', eve: 'UEVE1', mallory: 'UMAL1' };

describe('the contract of channels: Slack', () => {
  describeChannelContract('slack', people, async (world) => {
    const server = await SlackServer.start();
    for (const id of Object.values(people)) server.workspace.join(id);
    const channel = await createSlackChannel({
      ...world,
      appToken: new Secret(server.appToken),
      botToken: new Secret(server.botToken),
      apiUrl: server.apiUrl,
      pauseMs: 5,
    });
    type Ref = Parameters<typeof channel.update>[0];
    const messageOf = ({ ref }: Ref) => server.workspace.find(String(ref.channel), String(ref.ts));
    const existing = (ref: Ref) => {
      const message = messageOf(ref);
      if (message === undefined) throw new Error('there is no message');
      return message;
    };
    return {
      channel,
      writableHosts: ['slack.com', 'files.slack.com', 'wss-primary.slack.com', '127.0.0.1'],
      namesPause: true,
      seen(ref) {
        const message = messageOf(ref);
        if (message === undefined) return undefined;
        const files = server.workspace.list(message.channel).map(({ file }) => file?.content);
        return [message.shown, ...files].join('\n');
      },
      // The blocks hold texts; what is read as mrkdwn is the text for notifications.
      markup: (ref) => [...existing(ref).text.matchAll(/<[^>]*>/g)].join(),
      async answer(ref, approvalId, text, by) {
        const { identity } = ref.recipient;
        const sender = by ?? { identity };
        const options = { user: sender.identity, isBot: sender.isMachine ?? false };
        const value = authentic('slack', identity, approvalId, text);
        const [result] = await server.press(existing(ref), '', { ...options, value });
        if (result?.kind !== 'form') return result?.text;
        return server.submit(result.view, text.slice(2), options);
      },
      attempts(ref, approvalId, _other, otherId) {
        const message = existing(ref);
        const form = {
          callback_id: 'sallyport-form',
          blocks: [{ block_id: 'text', element: { action_id: 'value' } }],
        };
        const value = authentic('slack', people.ana, approvalId, '1');
        const metadata = authentic('slack', people.ana, approvalId, '4');
        return [
          ...forgeries('slack', people.ana, approvalId, otherId).flatMap(({ why, data }) => [
            { id: 'AP-8' as const, why, send: () => server.press(message, '', { value: data }) },
            {
              id: 'AP-8' as const,
              why: `a form with ${why}`,
              send: () => server.submit(form, 'yes', { user: people.ana, metadata: data }),
            },
          ]),
          {
            id: 'AP-8',
            why: 'the data of a button in a form',
            send: () => server.submit(form, 'yes', { user: people.ana, metadata: value }),
          },
          {
            id: 'AP-8',
            why: 'a press in a channel of many',
            send: () => server.press(message, '', { value, channel: 'C1' }),
          },
          { id: 'AP-5', why: 'a message', send: () => server.write(people.ana, '1') },
          {
            id: 'AP-5',
            why: 'a form with nothing in it',
            send: () => server.submit(form, ' \n', { user: people.ana, metadata }),
          },
        ];
      },
      setService: (mode) => {
        server.mode = mode;
      },
      limitNext: (seconds) => server.limitNext('chat.postMessage', seconds),
      remove: ({ ref }) => server.workspace.delete(String(ref.channel), String(ref.ts)),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  });
});
