import { DiscordServer } from '@sallyport/testkit';
import { describe } from 'vitest';
import { createDiscordChannel } from '../../src/approvals/channels/discord/discord-channel.ts';
import { Secret } from '../../src/shared/secret.ts';
import { describeChannelContract } from './channel.contract.ts';
import { authentic, forgeries } from './contract-buttons.ts';

const people = {
  ana: '100000000000000001',
  bob: '100000000000000002',
  eve: '100000000000000003',
  mallory: '100000000000000666',
};

describe('the contract of channels: Discord', () => {
  describeChannelContract('discord', people, async (world) => {
    const server = await DiscordServer.start();
    for (const id of Object.values(people)) server.guild.join(id);
    const channel = await createDiscordChannel({
      ...world,
      token: new Secret(server.token),
      apiUrl: server.apiUrl,
      pauseMs: 5,
    });
    type Ref = Parameters<typeof channel.update>[0];
    const messageOf = ({ ref }: Ref) => server.guild.find(String(ref.channel), String(ref.message));
    const existing = (ref: Ref) => {
      const message = messageOf(ref);
      if (message === undefined) throw new Error('there is no message');
      return message;
    };
    return {
      channel,
      writableHosts: ['discord.com', 'discordapp.com', 'gateway.discord.gg', 'ptb.discord.com', '127.0.0.1'],
      namesPause: true,
      seen(ref) {
        const message = messageOf(ref);
        return message && [message.content, ...message.files.map(({ content }) => content)].join('\n');
      },
      markup: (ref) => existing(ref).markup,
      async answer(ref, approvalId, text, by) {
        const { identity } = ref.recipient;
        const sender = by ?? { identity };
        const options = { user: sender.identity, isBot: sender.isMachine ?? false };
        const customId = authentic('discord', identity, approvalId, text);
        const message = existing(ref);
        const pressed = await server.press(message, '', { ...options, customId });
        if (pressed.kind === 'told') return pressed.text;
        const done = await server.submit(pressed.modal, text.slice(2), message, options);
        return done.kind === 'told' ? done.text : undefined;
      },
      attempts(ref, approvalId, _other, otherId) {
        const message = existing(ref);
        const form = { components: [{ component: { custom_id: 'text' } }] };
        const [yes, note] = ['1', '4'].map((text) => authentic('discord', people.ana, approvalId, text));
        const says = (name: string, data: object) => async () =>
          server.gateway.dispatch(name, { channel_id: message.channel, ...data });
        return [
          ...forgeries('discord', people.ana, approvalId, otherId).flatMap(({ why, data }) => [
            { id: 'AP-8' as const, why, send: () => server.press(message, '', { customId: data }) },
            {
              id: 'AP-8' as const,
              why: `a form with ${why}`,
              send: () => server.submit(form, 'yes', message, { customId: data }),
            },
          ]),
          {
            id: 'AP-8',
            why: 'the data of a button in a form',
            send: () => server.submit(form, 'yes', message, { customId: yes ?? '' }),
          },
          {
            id: 'AP-8',
            why: 'a press on a server',
            send: () =>
              server.press(message, '', { customId: yes ?? '', serverChannel: '400000000000000001' }),
          },
          {
            id: 'AP-5',
            why: 'a message',
            send: says('MESSAGE_CREATE', {
              id: '1',
              content: '1',
              author: { id: people.ana, username: 'ana', discriminator: '0', avatar: null },
            }),
          },
          {
            id: 'AP-5',
            why: 'a reaction',
            send: says('MESSAGE_REACTION_ADD', {
              user_id: people.ana,
              message_id: message.id,
              emoji: { id: null, name: '👍' },
            }),
          },
          {
            id: 'AP-5',
            why: 'a form with nothing in it',
            send: () => server.submit(form, ' \n', message, { customId: note ?? '' }),
          },
        ];
      },
      setService: (mode) => {
        server.mode = mode;
      },
      limitNext: (seconds) => server.limitNext('POST /channels', seconds),
      remove: ({ ref }) => server.guild.delete(String(ref.channel), String(ref.message)),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  });
});
