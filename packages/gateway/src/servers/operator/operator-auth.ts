import { SallyportError } from '@sallyport/protocol';
import type { AgentPeer, AgentProcesses, OperatorToken } from '../../identity/index.ts';
import { assertNever } from '../../shared/assert-never.ts';
import type { App } from '../base-app.ts';
import { presentedToken } from '../bearer.ts';

/**
 * Admits a request to the operator side with the operator token and nothing else, over the port and over the
 * unix socket alike. Public routes need none, but refuse a wrong one too. Unknown addresses need it as well.
 */
export function requireOperator(app: App, token: Pick<OperatorToken, 'matches'>): void {
  app.addHook('onRequest', async (request) => {
    const presented = presentedToken(request);
    const isPublic = !request.is404 && request.routeOptions.config.public === true;
    if (presented.kind === 'none' && isPublic) return;
    // SECURITY: the only door to everything that decides; no agent credential opens it [ID-2].
    if (presented.kind !== 'token' || !token.matches(presented.token)) {
      throw new SallyportError('NotAuthenticated', {
        hint: 'send the token in `operator.token` of the home as Bearer',
      });
    }
  });
}

const OPEN_TO_ALL = ['/healthz', '/health'];

/**
 * Refuses a process that descends from an agent's, whatever token it has: an agent that runs as its person can read the
 * operator's, and would answer its own questions with it. Public routes too, but whether the gateway answers.
 */
export function refuseAgents(
  app: App,
  agents: Pick<AgentProcesses, 'peerOf'>,
  onRefused: (peer: AgentPeer, how: 'socket' | 'port') => void,
): void {
  app.addHook('onRequest', async (request) => {
    if (OPEN_TO_ALL.includes(request.routeOptions.url ?? '')) return;
    const { socket } = request.raw;
    const peer = agents.peerOf(socket);
    // SECURITY: by where the process comes from, which it cannot choose [ID-7].
    if (peer === undefined) return;
    onRefused(peer, socket.remoteAddress === undefined ? 'socket' : 'port');
    throw new SallyportError('NotForAgents', { message: describePeer(peer) });
  });
}

function describePeer(peer: AgentPeer): string {
  switch (peer.kind) {
    case 'session':
      return `this was started by the agent of session \`${peer.id}\`, and only people decide`;
    case 'server':
      return `this was started by the tool server \`${peer.name}\`, and only people decide`;
    case 'marked':
      return `this was started by an agent, which \`${peer.variable}\` in its environment says, and only people decide`;
    case 'gone':
      return 'the process that opened this connection has ended, so that nobody can tell whose it was';
    default:
      return assertNever(peer);
  }
}
