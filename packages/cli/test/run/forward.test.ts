import { createServer, type Server } from 'node:net';
import { listenOnFreePort, requireEngine, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRunFixture, type RunFixture } from './run-fixture.ts';

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
  let fixture: RunFixture;
  let server: Server;
  let port: number;
  beforeAll(async () => {
    fixture = await openRunFixture();
    server = startEcho();
    port = await listenOnFreePort(server);
  });
  afterAll(async () => {
    server.close();
    await fixture[Symbol.asyncDispose]();
  });

  test('[JA-1] is not there unless it is named', async () => {
    expect((await fixture.shell(talk(port))).stdout).toBe('.\n');
  });

  test('asks for each connection, and passes both ways after a yes', async () => {
    const running = fixture.start([
      '--json',
      '--forward',
      String(port),
      '--',
      'bash',
      '-c',
      `${talk(port)}; ${talk(port)}`,
    ]);
    const question = await fixture.answer('1');
    expect(question.preview).toContain(`127.0.0.1:${port}`);
    // SECURITY: no yes lasts: what goes through is seen by nobody.
    expect((await fixture.answer('1')).id).not.toBe(question.id);
    const ended = await running.ended;
    expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: 'hello WORD.\nhello WORD.\n' });
    expect(ended.summary()).toMatchObject({ asked: 2, approved: 2, writes: 2, suggestions: [] });
  });

  test('a yes that would last is not to be had', async () => {
    const running = fixture.start(['--forward', String(port), '--', 'bash', '-c', talk(port)]);
    await expect(fixture.answer('2')).rejects.toThrow();
    await fixture.answer('3');
    expect((await running.ended).stdout).toBe('.\n');
  });

  test('a client that leaves takes its question along', async () => {
    const running = fixture.start([
      '--forward',
      String(port),
      '--',
      'bash',
      '-c',
      `timeout 0.5 bash -c '${talk(port)}'; sleep 60`,
    ]);
    await waitUntil('the question', async () => (await fixture.pending()).length === 1);
    await waitUntil('no question to be left', async () => (await fixture.pending()).length === 0);
    running.process.kill('SIGTERM');
    await running.ended;
  });

  test('[ID-1] of the gateway itself cannot be named, nor one twice, nor without a jail', async () => {
    for (const own of Object.values(fixture.gateway.ports)) {
      expect((await fixture.run(['--forward', String(own), '--', 'true'])).stderr).toContain(
        'cannot be forwarded',
      );
    }
    const twice = ['--forward', String(port), '--forward', String(port), '--', 'true'];
    expect(await fixture.run(twice)).toMatchObject({ code: 125 });
    const unconfined = await fixture.run(['--unconfined', '--forward', String(port), '--', 'true']);
    expect(unconfined.stderr).toContain('reaches every port of this machine');
    expect((await fixture.run(['--forward', '70000', '--', 'true'])).code).toBe(2);
    expect((await fixture.run(['--forward', '80', '--', 'true'])).stderr).toContain('below 1024');
  });

  test('where nobody listens is a closed connection', async () => {
    const nobody = createServer();
    const closed = await listenOnFreePort(nobody);
    await new Promise((resolve) => nobody.close(resolve));
    const running = fixture.start(['--forward', String(closed), '--', 'bash', '-c', talk(closed)]);
    await fixture.answer('1');
    expect((await running.ended).stdout).toBe('.\n');
  });
});

describe.skipIf(bwrap.missing)('a port of this machine that the config opens', () => {
  test('is reached without a question', async () => {
    const server = startEcho();
    const port = await listenOnFreePort(server);
    await using fixture = await openRunFixture({
      network: `  rules: [{ host: "127.0.0.1", port: ${port}, action: allow }]`,
      tenant: '    exceptions: ["http(127.0.0.1/**)"]',
    });
    try {
      const ended = await fixture.run(['--forward', String(port), '--', 'bash', '-c', talk(port)]);
      expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: 'hello WORD.\n' });
      expect(await fixture.pending()).toEqual([]);
    } finally {
      server.close();
    }
  });
});
