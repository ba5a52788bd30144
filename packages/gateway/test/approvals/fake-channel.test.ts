import { describeChannelContract } from './channel.contract.ts';
import { FakeChannel } from './fake-channel.ts';

describeChannelContract('FakeChannel', async () => {
  const channel = new FakeChannel('chat');
  const messageOf = (key: unknown) => channel.messages.get(String(key));
  return {
    channel,
    recipient: { user: 'ana', identity: 'ana-1' },
    seen: async ({ ref }) => {
      const message = messageOf(ref.key);
      return message && `${message.status} ${message.preview}`;
    },
    answer: async ({ ref, recipient }, text) => {
      await channel.reply(messageOf(ref.key)?.approvalId ?? '', recipient.identity, text);
    },
    answerAsStranger: async ({ ref }, text) => {
      await channel.reply(messageOf(ref.key)?.approvalId ?? '', 'mallory', text);
    },
    breakService: () => {
      channel.failing = Number.POSITIVE_INFINITY;
    },
    removeMessage: async ({ ref }) => void channel.messages.delete(String(ref.key)),
    [Symbol.asyncDispose]: async () => {},
  };
});
