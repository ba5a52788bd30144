import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import {
  type Certificate,
  createTestCa,
  listenOnFreePort,
  startHttpsUpstream,
  type TempDir,
  type TestCa,
  tempDir,
} from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NetworkConfig } from '../../src/egress/index.ts';
import { ask, get, openEgress, rawUpstream } from './egress-fixture.ts';

let ca: TestCa;
let stranger: TestCa;
let home: TempDir;
beforeAll(async () => {
  [ca, stranger, home] = await Promise.all([createTestCa(), createTestCa('Nobody knows me'), tempDir()]);
  await writeFile(join(home.path, 'corp.pem'), ca.cert);
});
afterAll(() => home.remove());

const trusting: NetworkConfig = {
  network: { allow_private: ['127.0.0.1'], ca_files: ['corp.pem'] },
  tenants: { default: {} },
};

async function selfSigned(): Promise<Certificate> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=api.example.com',
      keys,
      signingAlgorithm: algorithm,
      extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'api.example.com' }])],
    },
    webcrypto,
  );
  const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { cert: certificate.toString('pem'), key };
}

/** A TLS server that answers everything; gives the names that clients asked for. */
async function tlsServer(
  material: Certificate,
): Promise<AsyncDisposable & { port: number; names: unknown[] }> {
  const names: unknown[] = [];
  const sockets: TLSSocket[] = [];
  const server = createServer({ ...material, ALPNProtocols: ['http/1.1'] }, (socket) => {
    sockets.push(socket);
    names.push(socket.servername);
    socket.on('error', () => {});
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  });
  server.on('tlsClientError', () => {});
  const port = await listenOnFreePort(server);
  return {
    port,
    names,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('TLS', () => {
  test('a host whose certificate fits is talked to, by its name', async () => {
    await using upstream = await tlsServer(await ca.issue(['api.example.com']));
    await using egress = openEgress({ config: () => trusting, folder: home.path });
    const told = await ask(egress, get(upstream.port, { scheme: 'https' }));
    expect(told).toMatchObject({ body: 'ok', error: undefined });
    expect(upstream.names).toEqual(['api.example.com']);
  });

  test('an address is checked against the addresses of the certificate', async () => {
    await using right = await tlsServer(await ca.issue(['127.0.0.1']));
    await using wrong = await tlsServer(await ca.issue(['127.0.0.2', 'localhost']));
    await using egress = openEgress({ config: () => trusting, folder: home.path });
    const to = { scheme: 'https', host: '127.0.0.1' } as const;
    expect(await ask(egress, get(right.port, to))).toMatchObject({ body: 'ok' });
    expect((await ask(egress, get(wrong.port, to))).error).toMatchObject({ code: 'UpstreamTlsFailed' });
  });

  test.each<{ why: string; make: () => Promise<Certificate>; says: string }>([
    { why: 'has expired', make: () => ca.issue(['api.example.com'], { expired: true }), says: 'has expired' },
    { why: 'is for another host', make: () => ca.issue(['www.example.com']), says: 'for another host' },
    {
      why: 'covers only what is below the host',
      make: () => ca.issue(['*.api.example.com']),
      says: 'another host',
    },
    {
      why: 'comes from someone unknown',
      make: () => stranger.issue(['api.example.com']),
      says: 'unknown authority',
    },
    { why: 'is signed by itself', make: selfSigned, says: 'signed by itself' },
  ])('a certificate that $why ends the request before anything is sent', async ({ make, says }) => {
    await using upstream = await tlsServer(await make());
    await using egress = openEgress({ config: () => trusting, folder: home.path });
    const { error } = await ask(egress, get(upstream.port, { scheme: 'https', method: 'POST' }));
    expect(error).toMatchObject({ code: 'UpstreamTlsFailed', status: 502 });
    expect(error?.message).toContain(says);
  });

  test('a certificate from someone unknown is refused though the environment says otherwise', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      await using upstream = await tlsServer(await stranger.issue(['api.example.com']));
      await using egress = openEgress();
      const { error } = await ask(egress, get(upstream.port, { scheme: 'https' }));
      expect(error).toMatchObject({ code: 'UpstreamTlsFailed' });
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });

  test('a port that does not speak TLS, and one that hangs up, are told as such', async () => {
    await using upstream = await rawUpstream((socket) => socket.write('HTTP/1.1 400 Bad\r\n\r\n'));
    const hangingUp = createTcpServer((socket) => socket.destroy());
    const port = await listenOnFreePort(hangingUp);
    await using egress = openEgress();
    for (const to of [upstream.port, port]) {
      const { error } = await ask(egress, get(to, { scheme: 'https' }));
      expect(error).toMatchObject({ code: 'UpstreamTlsFailed' });
    }
    hangingUp.close();
  });

  test('ca_files are trusted for the tenant that names them, and from the top level for all', async () => {
    await using upstream = await startHttpsUpstream({ ca, names: ['api.example.com'] });
    const open = { allow_private: ['127.0.0.1'], ca_files: [] };
    const own: NetworkConfig = {
      network: open,
      tenants: {
        default: { network: { allow_private: [], ca_files: [join(home.path, 'corp.pem')] } },
        other: {},
      },
    };
    await using egress = openEgress({ config: () => own, folder: home.path });
    const secure = get(upstream.port, { scheme: 'https' });
    expect(await ask(egress, secure)).toMatchObject({ body: '{"ok":true}' });
    const foreign = await ask(egress, { ...secure, tenant: 'other' });
    expect(foreign.error).toMatchObject({ code: 'UpstreamTlsFailed' });
    const forAll = { ...trusting, tenants: { default: {}, other: {} } };
    await using wide = openEgress({ config: () => forAll, folder: home.path });
    expect(await ask(wide, { ...secure, tenant: 'other' })).toMatchObject({ body: '{"ok":true}' });
    expect(upstream.requests).toHaveLength(2);
  });

  test('a CA file that is missing or holds no certificate is refused at the start, and reported later', async () => {
    await writeFile(join(home.path, 'empty.pem'), 'nothing here');
    await writeFile(
      join(home.path, 'broken.pem'),
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    );
    for (const file of ['missing.pem', 'empty.pem', 'broken.pem']) {
      const config = { network: { allow_private: [], ca_files: [file] }, tenants: { default: {} } };
      expect(() => openEgress({ config: () => config, folder: home.path })).toThrow(file);
    }
    await using upstream = await tlsServer(await ca.issue(['api.example.com']));
    const problems: Error[] = [];
    let config = trusting;
    await using egress = openEgress({
      config: () => config,
      folder: home.path,
      onProblem: (error) => problems.push(error),
    });
    expect(await ask(egress, get(upstream.port, { scheme: 'https' }))).toMatchObject({ body: 'ok' });
    config = { ...trusting, network: { allow_private: ['127.0.0.1'], ca_files: ['gone.pem'] } };
    const { error } = await ask(egress, get(upstream.port, { scheme: 'https' }));
    expect(error).toMatchObject({ code: 'UpstreamTlsFailed' });
    expect(problems).toMatchObject([{ code: 'ConfigInvalid', message: expect.stringContaining('gone.pem') }]);
  });
});
