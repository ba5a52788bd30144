import { createServer, type Server } from 'node:net';
import { listenOnFreePort, requireEngine, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTown, type Town } from './town.ts';

const bwrap = requireEngine('bubblewrap');

/** Says who it is, and then what it heard, in capitals: both sides speak. */
function startEcho(): Server {
  return createServer({ allowHalfOpen: true }, (socket) => {
    socket.write('hello ');
    socket.on('data', (piece) => socket.end(String(piece).toUpperCase()));
    socket.on('error', () => undefined);
  });
}

const talk = (port: number) =>
  `exec 3<>/dev/tcp/127.0.0.1/${port} && printf word >&3 && cat <&3; exec 3>&-; echo .`;

describe.skipIf(bwrap.missing)(`a port of this machine (${bwrap.install})`, () => {
  let town: Town;
  let server: Server;
  let port: number;
  beforeAll(async () => {
    town = await openTown();
    server = startEcho();
    port = await listenOnFreePort(server);
  });
  afterAll(async () => {
    server.close();
    await town[Symbol.asyncDispose]();
  });

  test('[JA-1] is not there unless it is named', async () => {
    expect((await town.shell(talk(port))).stdout).toBe('.\n');
  });

  test('asks for each connection, and passes both ways after a yes', async () => {
    const running = town.start([
      '--json',
      '--forward',
      String(port),
      '--',
      'bash',
      '-c',
      `${talk(port)}; ${talk(port)}`,
    ]);
    const question = await town.answer('1');
    expect(question.preview).toContain(`127.0.0.1:${port}`);
    // SECURITY: no yes lasts: what goes through is seen by nobody.
    expect((await town.answer('1')).id).not.toBe(question.id);
    const ended = await running.ended;
    expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: 'hello WORD.\nhello WORD.\n' });
    expect(ended.summary()).toMatchObject({ asked: 2, approved: 2, writes: 2, suggestions: [] });
  });

  test('a yes that would last is not to be had', async () => {
    const running = town.start(['--forward', String(port), '--', 'bash', '-c', talk(port)]);
    await expect(town.answer('2')).rejects.toThrow();
    await town.answer('3');
    expect((await running.ended).stdout).toBe('.\n');
  });

  test('a client that leaves takes its question along', async () => {
    const running = town.start([
      '--forward',
      String(port),
      '--',
      'bash',
      '-c',
      `timeout 0.5 bash -c '${talk(port)}'; sleep 60`,
    ]);
    await waitUntil('the question', async () => (await town.pending()).length === 1);
    await waitUntil('no question to be left', async () => (await town.pending()).length === 0);
    running.process.kill('SIGTERM');
    await running.ended;
  });

  test('[ID-1] of the gateway itself cannot be named, nor one twice, nor without a jail', async () => {
    for (const own of Object.values(town.gateway.ports)) {
      expect((await town.run(['--forward', String(own), '--', 'true'])).stderr).toContain(
        'cannot be forwarded',
      );
    }
    const twice = ['--forward', String(port), '--forward', String(port), '--', 'true'];
    expect(await town.run(twice)).toMatchObject({ code: 125 });
    const unconfined = await town.run(['--unconfined', '--forward', String(port), '--', 'true']);
    expect(unconfined.stderr).toContain('reaches every port of this machine');
    expect((await town.run(['--forward', '70000', '--', 'true'])).code).toBe(2);
    expect((await town.run(['--forward', '80', '--', 'true'])).stderr).toContain('below 1024');
  });

  test('where nobody listens is a closed connection', async () => {
    const nobody = createServer();
    const closed = await listenOnFreePort(nobody);
    await new Promise((resolve) => nobody.close(resolve));
    const running = town.start(['--forward', String(closed), '--', 'bash', '-c', talk(closed)]);
    await town.answer('1');
    expect((await running.ended).stdout).toBe('.\n');
  });
});

describe.skipIf(bwrap.missing)('a port of this machine that the config opens', () => {
  test('is reached without a question', async () => {
    const server = startEcho();
    const port = await listenOnFreePort(server);
    await using town = await openTown({
      network: `  rules: [{ host: "127.0.0.1", port: ${port}, action: allow }]`,
      tenant: '    exceptions: ["http(127.0.0.1/**)"]',
    });
    try {
      const ended = await town.run(['--forward', String(port), '--', 'bash', '-c', talk(port)]);
      expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: 'hello WORD.\n' });
      expect(await town.pending()).toEqual([]);
    } finally {
      server.close();
    }
  });
});
