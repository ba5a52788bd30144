import { openSsh, type SshPlace } from '../../ssh/ssh-fixture.ts';
import { at, type Draft, type Group, type OpenWorld } from './cases.ts';

interface SshWorld extends OpenWorld {
  readonly place: SshPlace;
}

const BASE: Draft = {
  tenants: { default: { default_user: 'ana', default_agent: 'dev', users: { ana: { roles: ['member'] } } } },
  roles: { member: { allow: ['agent:*', 'tool:*', 'approve:*'] } },
  agents: { dev: { permissions: ['allow:*'] } },
  network: { default: 'allow' },
};

/** What a client of OpenSSH sees of the door: needs it, and bubblewrap. */
export const sshGroup: Group<string, SshWorld> = {
  name: 'the SSH door',
  cases: {
    'ssh.commands[]': { change: at('ssh.commands', ['aws']), see: 'gh version' },
    'ssh.timeout_seconds': { change: at('ssh.timeout_seconds', 1), see: 'gh status' },
  },
  async open() {
    const place = await openSsh({}, { gh: 'test "$1" = version || sleep 3; echo done' });
    return { place, gateway: place.gateway, base: BASE, [Symbol.asyncDispose]: place[Symbol.asyncDispose] };
  },
  look: ({ place }, command) => place.ssh(command),
};
