import { TelegramServer, waitFor } from '@sallyport/testkit';
import { TelegramChannel } from '../../src/approvals/channels/telegram/telegram-channel.ts';
import { Secret } from '../../src/shared/secret.ts';
import { describeChannelContract } from './channel.contract.ts';
import { authentic, forgeries } from './contract-buttons.ts';
import { ContractProxy, portOf } from './contract-proxy.ts';

const people = { ana: '1001', bob: '1002', eve: '1003', mallory: '6666' };

describeChannelContract('telegram', people, async (world) => {
  const server = await TelegramServer.start();
  for (const id of Object.values(people)) server.chats.open(Number(id));
  const proxy = await ContractProxy.start(portOf(server.url));
  const channel = new TelegramChannel({
    ...world,
    token: new Secret(server.token),
    apiUrl: `http://127.0.0.1:${proxy.port}`,
    pauseMs: 5,
  });
  type Ref = Parameters<typeof channel.update>[0];
  const messageOf = ({ ref }: Ref) => server.chats.find(Number(ref.chat), Number(ref.message));
  const person = ({ identity, isMachine = false }: { identity: string; isMachine?: boolean }) => ({
    id: Number(identity),
    isBot: isMachine,
  });
  const answered = async (chat: number, act: () => void): Promise<string | undefined> => {
    const before = server.chats.list(chat).length;
    act();
    await waitFor('an answer in the chat', () => {
      if (server.chats.list(chat).length === before) throw new Error('not answered yet');
    });
    return server.chats.list(chat).at(-1)?.text;
  };
  return {
    channel,
    writableHosts: ['api.telegram.org', '127.0.0.1'],
    namesPause: true,
    seen(ref) {
      const message = messageOf(ref);
      if (message === undefined) return undefined;
      const file =
        message.replyTo === undefined ? undefined : server.chats.find(message.chat, message.replyTo);
      return [message.text, file?.document?.content].join('\n');
    },
    markup: (ref) => (messageOf(ref)?.html ?? '').replace(/<(code|pre)>[^<]*<\/\1>/g, ''),
    async answer(ref, approvalId, text, by) {
      const message = messageOf(ref);
      if (message === undefined) throw new Error('there is no message');
      const { identity } = ref.recipient;
      if (text.length > 1) {
        // Nobody else is in the chat of the message: what they write replies to nothing.
        const sender = person(by ?? { identity });
        const write = () => void server.write(sender, text, by === undefined ? { replyTo: message } : {});
        if (!sender.isBot && by?.identity !== people.mallory) return answered(sender.id, write);
        write();
        return undefined;
      }
      const data = authentic('telegram', identity, approvalId, text);
      return server.press(message, '', { data, person: person(by ?? { identity }) });
    },
    attempts(ref, approvalId, _other, otherId) {
      const message = messageOf(ref);
      if (message === undefined) throw new Error('there is no message');
      const ana = { id: message.chat };
      const says = (text: string, options: Parameters<TelegramServer['write']>[2]) => () =>
        answered(ana.id, () => void server.write(ana, text, options));
      return [
        ...forgeries('telegram', people.ana, approvalId, otherId).map(({ why, data }) => ({
          id: 'AP-8' as const,
          why,
          send: () => server.press(message, '', { data }),
        })),
        ...['yes', 'ok', '1.', '1 please', '7'].map((text) => ({
          id: 'AP-5' as const,
          why: text,
          send: says(text, { replyTo: message }),
        })),
        { id: 'AP-5', why: 'a number that replies to nothing', send: says('1', {}) },
        {
          id: 'AP-5',
          why: 'a reaction',
          send: async () => server.updates.push({ message_reaction: { user: ana, new_reaction: [] } }),
        },
      ];
    },
    setService: (mode) => proxy.setMode(mode),
    limitNext: (seconds) => server.limitNext('sendMessage', seconds),
    remove: ({ ref }) => server.chats.delete(Number(ref.chat), Number(ref.message)),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
});
