import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createTestCa, type EchoServer, requireEngine, startEchoServer } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReach, type Reach } from './clients-fixture.ts';

const program = (name: string): string => join(import.meta.dirname, 'programs', name);

const python = requireEngine('python');
const requests = requireEngine('python-requests');
const java = requireEngine('java');
const go = requireEngine('go');

describe('programs of several languages, as they are', () => {
  let reach: Reach;
  let echo: EchoServer;
  beforeAll(async () => {
    const ca = await createTestCa();
    echo = await startEchoServer({ ca });
    reach = await openReach({ ca });
  });
  afterAll(async () => {
    await reach[Symbol.asyncDispose]();
    await echo.close();
  });

  /** Runs it while a person allows the one write that it makes. */
  async function readAndWrite(command: string, words: readonly string[], env = {}) {
    const [ran, question] = await Promise.all([reach.run(command, words, { env }), reach.approveNext()]);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    return { question, ...JSON.parse(ran.stdout) };
  }

  test("Node's fetch reads, streams events as they come, and writes once a person allowed it", async () => {
    const { read, write, text, pieces, question } = await readAndWrite('node', [
      program('fetch.mjs'),
      echo.url,
    ]);
    expect(read).toMatchObject({ method: 'GET', url: '/read' });
    expect(text).toBe('data: 1\n\ndata: 2\n\ndata: 3\n\n');
    expect(pieces).toBeGreaterThan(1);
    expect(question.preview).toContain('{"from":"node"}');
    expect(write).toMatchObject({ method: 'POST', bytes: 15 });
  });

  test("Node's WebSocket is asked about as a write, then talks both ways", async () => {
    const url = `${echo.url.replace('https', 'wss')}/talk`;
    const [ran, question] = await Promise.all([
      reach.run('node', [program('socket.mjs'), url]),
      reach.approveNext(),
    ]);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(question).toMatchObject({ effect: 'write' });
    expect(JSON.parse(ran.stdout)).toEqual({ code: 1000, heard: [3, 3, 100_000] });
  });

  test.skipIf(python.missing)(`Python urllib (${python.install})`, async () => {
    const { read, write, question } = await readAndWrite('python3', [program('urllib_client.py'), echo.url]);
    expect(read).toMatchObject({ method: 'GET', url: '/read' });
    expect(question.preview).toContain('from urllib');
    expect(write).toMatchObject({ method: 'PUT', bytes: 11 });
  });

  test.skipIf(requests.missing)(`Python requests (${requests.install})`, async () => {
    const { read, write, question } = await readAndWrite('python3', [
      program('requests_client.py'),
      echo.url,
    ]);
    expect(read).toMatchObject({ method: 'GET', url: '/read' });
    expect(question.preview).toContain('from requests');
    expect(write).toMatchObject({ method: 'POST', bytes: 13 });
  });

  test.skipIf(java.missing)(`Java HttpClient (${java.install})`, async () => {
    const store = join(reach.folder, 'trust.p12');
    const imported = await reach.run('keytool', [
      ...['-importcert', '-noprompt', '-alias', 'sallyport', '-file', reach.caFile],
      ...['-keystore', store, '-storepass', 'changeit', '-storetype', 'PKCS12'],
    ]);
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    const settings = [
      '-XX:TieredStopAtLevel=1',
      `-Dhttps.proxyHost=127.0.0.1`,
      `-Dhttps.proxyPort=${reach.gateway.ports.proxy}`,
      '-Dhttp.nonProxyHosts=',
      '-Djdk.http.auth.tunneling.disabledSchemes=',
      `-Djavax.net.ssl.trustStore=${store}`,
      '-Djavax.net.ssl.trustStorePassword=changeit',
    ];
    const words = [...settings, program('Fetch.java'), echo.url];
    const env = { SALLYPORT_SESSION_TOKEN: reach.token };
    const { read, write, question } = await readAndWrite('java', words, env);
    expect(read).toMatchObject({ method: 'GET', url: '/read' });
    expect(question.preview).toContain('from java');
    expect(write).toMatchObject({ method: 'POST', bytes: 9 });
  });

  test.skipIf(go.missing)(`Go net/http (${go.install})`, async () => {
    // Go goes past the proxy for `localhost` and loopback addresses; with a dot at its end it is a name as any other.
    const url = echo.url.replace('localhost', 'localhost.');
    const client = join(reach.folder, 'fetch');
    const built = await reach.run('go', ['build', '-o', client, program('fetch.go')], {
      env: { CGO_ENABLED: '0', GOCACHE: execFileSync('go', ['env', 'GOCACHE'], { encoding: 'utf8' }).trim() },
    });
    expect(built, built.stderr).toMatchObject({ code: 0 });
    const { read, write, question } = await readAndWrite(client, [url]);
    expect(read).toMatchObject({ method: 'GET', url: '/read' });
    expect(question.preview).toContain('from go');
    expect(write).toMatchObject({ method: 'POST', bytes: 7 });
  });

  test('none of them left its session token, nor anything of the proxy, with a host', () => {
    // Node's own clients are always there.
    expect(echo.seen.length).toBeGreaterThanOrEqual(4);
    const all = JSON.stringify(echo.seen);
    expect(all).not.toContain(reach.token);
    expect(all.toLowerCase()).not.toContain('proxy-');
  });
});
