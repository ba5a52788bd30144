import { X509Certificate } from 'node:crypto';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PeerCertificate, SecureContext } from 'node:tls';
import { connect, createServer } from 'node:tls';
import { inspect } from 'node:util';
import { FakeClock, listenOnFreePort, type TempDir, tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { judgeCa } from '../../src/authority/ca-doctor-check.ts';
import { type Authority, openAuthority } from '../../src/authority/index.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let home: TempDir;
let clock: FakeClock;
beforeEach(async () => {
  home = await tempDir();
  clock = new FakeClock(Date.now());
});
afterEach(() => home.remove());

const files = () => ({ keyFile: join(home.path, 'ca.key'), certificateFile: join(home.path, 'ca.pem') });
const open = (): Promise<Authority> => openAuthority({ ...files(), clock });

/** What a client that trusts `ca` says about a server with this certificate. */
async function shake(
  context: SecureContext,
  client: { readonly ca: string; readonly host: string },
): Promise<PeerCertificate> {
  const server = createServer({ SNICallback: (_name, done) => done(null, context) });
  server.on('tlsClientError', () => {});
  server.on('secureConnection', (socket) => socket.on('error', () => {}));
  // For clients that name no host: there is one context for all.
  Object.assign(server, { _sharedCreds: context });
  const port = await listenOnFreePort(server);
  const isName = /[a-z]/.test(client.host) && !client.host.includes(':');
  const socket = connect({
    ...{ port, host: '127.0.0.1', ca: client.ca },
    ...(isName ? { servername: client.host } : {}),
    checkServerIdentity: (_host, certificate) => {
      const own = new X509Certificate(certificate.raw);
      const fits = isName ? own.checkHost(client.host) : own.checkIP(client.host);
      return fits === undefined ? new Error('another host') : undefined;
    },
  });
  try {
    return await new Promise((resolve, reject) => {
      socket.once('secureConnect', () => resolve(socket.getPeerCertificate()));
      socket.once('error', reject);
    });
  } finally {
    socket.destroy();
    server.close();
  }
}

describe('the authority', () => {
  test('is made at the first start, its key for the owner only, and is the same at the next', async () => {
    const first = await open();
    expect((await stat(files().keyFile)).mode & 0o777).toBe(0o600);
    expect((await stat(files().certificateFile)).mode & 0o777).toBe(0o644);
    expect(await readFile(files().certificateFile, 'utf8')).toBe(first.certificatePem);
    expect((await open()).facts()).toEqual(first.facts());
    const root = new X509Certificate(first.certificatePem);
    expect(root.ca).toBe(true);
    expect(root.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' });
    expect(first.facts().state).toBe('valid');
  });

  test('vouches for one host at a time, in a way that clients accept', async () => {
    const authority = await open();
    for (const host of [
      'api.example.com',
      'under_score.example.com',
      '10.1.2.3',
      '2606:4700::1',
      `${'a'.repeat(60)}.example.com`,
    ]) {
      const context = await authority.secureContextFor(host);
      const leaf = await shake(context, { ca: authority.certificatePem, host });
      const certificate = new X509Certificate(leaf.raw);
      expect(certificate.ca).toBe(false);
      expect(certificate.subjectAltName?.split(', ')).toHaveLength(1);
      expect(certificate.validToDate.getTime() - clock.now()).toBeLessThanOrEqual(DAY);
      expect(clock.now() - certificate.validFromDate.getTime()).toBeGreaterThanOrEqual(HOUR - 1_000);
      expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
      await expect(
        shake(context, { ca: authority.certificatePem, host: 'www.example.com' }),
      ).rejects.toThrow();
    }
  });

  test('gives what is at hand at once, makes each certificate once, and anew before its end', async () => {
    const authority = await open();
    const [one, same] = [authority.secureContextFor('a.example'), authority.secureContextFor('a.example')];
    const context = await one;
    expect(await same).toBe(context);
    expect(authority.secureContextFor('a.example')).toBe(context);
    clock.advance(17 * HOUR);
    expect(authority.secureContextFor('a.example')).toBe(context);
    clock.advance(2 * HOUR);
    expect(await authority.secureContextFor('a.example')).not.toBe(context);
  });

  test('keeps the certificates that were used last, and no more than it may', async () => {
    const authority = await openAuthority({ ...files(), clock, mostLeaves: 3 });
    const first = await authority.secureContextFor('first.example');
    const second = await authority.secureContextFor('second.example');
    await authority.secureContextFor('third.example');
    expect(authority.secureContextFor('first.example')).toBe(first);
    await authority.secureContextFor('one-more.example');
    expect(authority.secureContextFor('first.example')).toBe(first);
    const again = authority.secureContextFor('second.example');
    expect(again).toBeInstanceOf(Promise);
    expect(await again).not.toBe(second);
  });

  test('a rotation makes another one, and drops every certificate of the old one at once', async () => {
    const authority = await open();
    const before = authority.facts();
    const oldPem = authority.certificatePem;
    const old = await authority.secureContextFor('a.example');
    const crossing = authority.secureContextFor('crossing.example');
    const [after, sameRotation] = await Promise.all([authority.rotate(), authority.rotate()]);
    expect(sameRotation).toEqual(after);
    expect(after.fingerprint_sha256).not.toBe(before.fingerprint_sha256);
    expect(after.subject).not.toBe(before.subject);
    const fresh = await authority.secureContextFor('a.example');
    expect(fresh).not.toBe(old);
    for (const context of [fresh, await authority.secureContextFor('crossing.example')]) {
      await expect(shake(context, { ca: oldPem, host: 'a.example' })).rejects.toThrow();
    }
    await shake(fresh, { ca: authority.certificatePem, host: 'a.example' });
    await crossing;
    expect((await open()).facts()).toEqual(after);
    expect((await stat(files().keyFile)).mode & 0o777).toBe(0o600);
  });

  test('[CR-1] no key is in anything that is shown', async () => {
    const authority = await open();
    await authority.secureContextFor('a.example');
    const key = (await readFile(files().keyFile, 'utf8')).split('\n')[1] ?? '';
    expect(key).toMatch(/^[A-Za-z0-9+/]{64}$/);
    const shown = [
      inspect(authority, { depth: 9, showHidden: true }),
      JSON.stringify(authority),
      JSON.stringify(authority.facts()),
    ];
    for (const text of shown) {
      expect(text).not.toContain(key);
      expect(text).not.toContain('PRIVATE KEY');
    }
  });
});

describe('an authority that runs out', () => {
  test('is told a month before, and vouches for nobody afterwards', async () => {
    const authority = await open();
    await authority.secureContextFor('a.example');
    const end = Date.parse(authority.facts().not_after);
    clock.advance(end - clock.now() - 29 * DAY);
    expect(authority.facts().state).toBe('expiring');
    expect(judgeCa(authority.certificatePem, clock.now())).toMatchObject({
      status: 'warn',
      fix: expect.any(String),
    });
    clock.advance(28 * DAY);
    const last = await authority.secureContextFor('b.example');
    expect(authority.secureContextFor('b.example')).toBe(last);
    clock.advance(DAY);
    expect(authority.facts().state).toBe('expired');
    expect(judgeCa(authority.certificatePem, clock.now()).status).toBe('fail');
    for (const host of ['a.example', 'b.example', 'c.example']) {
      expect(() => authority.secureContextFor(host)).toThrow('expired');
    }
    await authority.rotate();
    expect(authority.facts().state).toBe('valid');
    expect(await authority.secureContextFor('a.example')).toBeDefined();
  });

  test('a leaf never outlives it', async () => {
    const authority = await open();
    const end = Date.parse(authority.facts().not_after);
    clock.advance(end - clock.now() - HOUR);
    const made = await authority.secureContextFor('a.example');
    expect(authority.secureContextFor('a.example')).toBe(made);
    clock.advance(HOUR);
    expect(() => authority.secureContextFor('a.example')).toThrow('expired');
  });
});

describe('files that are not right', () => {
  test.each([
    { why: 'a key that others can read', spoil: () => chmod(files().keyFile, 0o644), code: 'SecretExposed' },
    { why: 'a certificate without its key', spoil: () => rm(files().keyFile), code: 'SecretUnreadable' },
    { why: 'a key that is none', spoil: () => writeFile(files().keyFile, 'x'), code: 'AuthorityUnusable' },
    {
      why: 'a certificate that is none',
      spoil: () => writeFile(files().certificateFile, 'x'),
      code: 'AuthorityUnusable',
    },
    {
      why: 'a key of another authority',
      async spoil() {
        const other = await tempDir();
        await openAuthority({
          keyFile: join(other.path, 'k'),
          certificateFile: join(other.path, 'c'),
          clock,
        });
        await writeFile(files().keyFile, await readFile(join(other.path, 'k')));
        await other.remove();
      },
      code: 'AuthorityUnusable',
    },
  ])('$why is refused, with what to do', async ({ spoil, code }) => {
    await open();
    await spoil();
    await expect(open()).rejects.toMatchObject({ code });
  });

  test('a key without a certificate is a start that was cut off: a new authority is made', async () => {
    const first = await open();
    await rm(files().certificateFile);
    expect((await open()).facts().fingerprint_sha256).not.toBe(first.facts().fingerprint_sha256);
  });
});
