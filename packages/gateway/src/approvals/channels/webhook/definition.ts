import { SallyportError } from '@sallyport/protocol';
import type { ChannelDefinition } from '../definition.ts';

export const webhook: ChannelDefinition<'webhook'> = {
  docs: {
    needs: 'a URL that takes signed posts, and an operator side that people can reach',
    proof: 'the key in the link that was posted; opening it decides nothing, sending its form does',
  },
  doctor: [],
  async try({ url, secret }, { read, signal }) {
    await read(secret);
    // Any answer will do: what is posted there is a question, and this is none.
    await fetch(url, { method: 'OPTIONS', redirect: 'manual', signal }).catch(() => {
      throw new SallyportError('Unavailable', {
        message: `nothing answers at \`${new URL(url).host}\``,
        hint: 'check `channels.webhook.url`',
      });
    });
    return `${new URL(url).host} answers`;
  },
  async open({ url, secret, max: ceiling, public_url: publicUrl }, tools) {
    const { WebhookChannel } = await import('./webhook-channel.ts');
    const { key, isListed, find, clock } = tools;
    const channel = new WebhookChannel({
      ...{ url, ceiling, key, isListed, find, clock },
      secret: await tools.read(secret),
      get baseUrl() {
        return (publicUrl ?? tools.operatorUrl()).replace(/\/$/, '');
      },
    });
    return { channel, decisions: channel };
  },
};
