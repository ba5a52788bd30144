import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { listenOnFreePort } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentProcesses } from '../../src/identity/index.ts';
import { tcpEnd } from '../../src/identity/peers/tcp-peer.ts';

/** Opens a connection, writes, and then does what it is told; `reset` waits until it was seen. */
const CLIENT = `
  const [port, then] = process.argv.slice(1);
  const socket = require('node:net').connect(Number(port), '127.0.0.1', () => socket.write('x', () => {
    if (then === 'leave') process.exit();
    if (then === 'reset-at-once') reset();
    if (then === 'reset') socket.once('data', reset);
  }));
  const reset = () => { socket.once('close', () => process.exit()); socket.resetAndDestroy(); };
  socket.on('error', () => process.exit());
`;

/** Opens a connection, and puts it where no process has it: into a message that nobody reads. */
const HIDER = `
import socket, sys
s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
a, b = socket.socketpair()
socket.send_fds(a, [b'x'], [s.fileno()])
s.close()
print('hidden', flush=True)
sys.stdin.read()
`;
const HAS_PYTHON = spawnSync('python3', ['-c', 'import socket; socket.send_fds']).status === 0;

describe.skipIf(process.platform !== 'linux')('[ID-7] the other end of a TCP connection', () => {
  let server: Server;
  let port = 0;
  const open = new Set<Socket>();
  beforeAll(async () => {
    // Half-open ends stay, so that the connection is still there when its client is not.
    server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
    port = await listenOnFreePort(server);
  });
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  async function connected(then: 'stay' | 'leave' | 'reset' | 'reset-at-once') {
    const child = spawn(process.execPath, ['-e', CLIENT, String(port), then], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    const [socket] = (await once(server, 'connection')) as [Socket];
    open.add(socket.on('error', () => {}));
    // Asked for once it stays known, whatever happens to the connection.
    if (then !== 'reset-at-once') expect(socket.remoteAddress).toBe('127.0.0.1');
    if (then === 'reset') socket.write('seen');
    return { child, socket, ended };
  }

  test('is open while its process has it', async () => {
    const { child, socket, ended } = await connected('stay');
    expect(tcpEnd(socket)).toEqual({ kind: 'open', inode: expect.stringMatching(/^[1-9]\d*$/) });
    child.kill();
    await ended;
  });

  test('is gone when its process wrote and left, though the kernel still has it', async () => {
    const { socket, ended } = await connected('leave');
    await ended;
    expect(tcpEnd(socket)).toEqual({ kind: 'gone' });
  });

  test('is gone when its process reset it, and the kernel has it no more', async () => {
    const { socket, ended } = await connected('reset');
    await ended;
    expect(tcpEnd(socket)).toEqual({ kind: 'gone' });
  });

  /** With an agent on the machine: whose connection cannot be told is taken for its. */
  async function withAgent(check: (agents: AgentProcesses) => void | Promise<void>): Promise<void> {
    const agent = spawn('sleep', ['60'], { stdio: 'ignore' });
    await once(agent, 'spawn');
    try {
      const agents = new AgentProcesses();
      agents.addServer('agent', agent.pid ?? 0);
      await check(agents);
    } finally {
      agent.kill();
    }
  }

  test('is a person’s while a process has it that no agent started', async () => {
    const { child, socket, ended } = await connected('stay');
    await withAgent((agents) => expect(agents.peerOf(socket)).toBeUndefined());
    child.kill();
    await ended;
  });

  test.each(['leave', 'reset', 'reset-at-once'] as const)(
    'is refused where its process is gone: %s',
    async (then) => {
      const { socket, ended } = await connected(then);
      await ended;
      await withAgent((agents) => expect(agents.peerOf(socket)).toEqual({ kind: 'gone' }));
    },
  );

  test.skipIf(!HAS_PYTHON)(
    'is refused where it is open and no process has it (needs python3: apt-get install python3)',
    async () => {
      const hider = spawn('python3', ['-c', HIDER, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
      const [[socket]] = (await Promise.all([once(server, 'connection'), once(hider.stdout, 'data')])) as [
        [Socket],
        unknown,
      ];
      open.add(socket);
      expect(tcpEnd(socket).kind).toBe('open');
      await withAgent((agents) => expect(agents.peerOf(socket)).toEqual({ kind: 'gone' }));
      hider.stdin.end();
      await once(hider, 'exit');
    },
  );
});
