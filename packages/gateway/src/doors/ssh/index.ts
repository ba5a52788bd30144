import type { Socket } from 'node:net';
import { openSshHostKey } from '../../authority/index.ts';
import type { DoorDefinition, PortListener } from '../../servers/index.ts';
import { sshRoutes } from './routes.ts';
import { SshAuth } from './ssh-auth.ts';
import type { SshDoor } from './ssh-door.ts';

/** Single commands by SSH: the CLIs that agents want, without their keys. */
export const sshDoor = {
  name: 'ssh',
  targets: ['command'],
  open(services) {
    const hostKey = openSshHostKey(services.paths.sshHostKey);
    const auth = new SshAuth(services);
    const { commands, sessions, log } = services;
    const listener = loadedWithTheFirst(async () => {
      const [{ createSshDoor }, { createSshServer }] = await Promise.all([
        import('./ssh-door.ts'),
        import('./ssh-server.ts'),
      ]);
      return createSshDoor({
        ...{ commands, sessions, log, auth, server: createSshServer(hostKey.privateKey) },
      });
    });
    return { listener, agentRoutes: (app) => sshRoutes(app, { auth, hostKey }) };
  },
} as const satisfies DoorDefinition<'ssh'>;

/** Most gateways start without anybody who speaks SSH to them. */
function loadedWithTheFirst(load: () => Promise<SshDoor>): PortListener {
  let loading: Promise<SshDoor> | undefined;
  let isClosed = false;
  return {
    accept(socket: Socket) {
      socket.on('error', () => socket.destroy());
      loading ??= load();
      loading.then(
        (door) => (isClosed ? socket.destroy() : door.accept(socket)),
        () => socket.destroy(),
      );
    },
    async close() {
      isClosed = true;
      await (await loading?.catch(() => undefined))?.close();
    },
  };
}
