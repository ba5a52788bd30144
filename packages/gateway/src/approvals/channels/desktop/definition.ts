import type { ChannelDefinition } from '../definition.ts';

export const desktop: ChannelDefinition<'desktop'> = {
  docs: {
    needs: 'a desktop on the machine of the gateway',
    proof: 'none: it tells, and takes no answers',
  },
  doctor: [],
  async open(_config, { env }) {
    const { DesktopChannel } = await import('./desktop-channel.ts');
    return { channel: new DesktopChannel({ platform: process.platform, env }) };
  },
};
