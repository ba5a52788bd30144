import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import type { ChannelDefinition } from '../definition.ts';

export const desktop: ChannelDefinition<'desktop'> = {
  docs: {
    needs: 'a desktop on the machine of the gateway',
    proof: 'none: it tells, and takes no answers',
  },
  doctor: [],
  setup: {
    before: ['It shows that a question waits; the answer is given in a terminal.'],
    fields: [],
    settings: () => ({}),
  },
  async try(_config, { env }) {
    const program = process.platform === 'darwin' ? 'osascript' : 'notify-send';
    if (isInPath(program, env.PATH)) return `through ${program}`;
    throw new SallyportError('Unavailable', {
      message: `\`${program}\` is not installed`,
      hint: 'install it (Debian: `apt install libnotify-bin`), or take `channels.desktop` out',
    });
  },
  async open(_config, { env }) {
    const { DesktopChannel } = await import('./desktop-channel.ts');
    return { channel: new DesktopChannel({ platform: process.platform, env }) };
  },
};

function isInPath(program: string, path = ''): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
