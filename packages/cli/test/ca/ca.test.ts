import { X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateAuthority } from '@sallyport/protocol';
import { startTestGateway, type TempDir, type TestGateway, tempDir } from '@sallyport/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { installCa, planInstall } from '../../src/ca-store.ts';
import { runCommand } from '../run-command.ts';

describe('with a gateway that runs', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  test('print gives the certificate, and what is known of it', async () => {
    const text = await runCommand(gateway.home, 'ca', 'print');
    expect(text.code).toBe(0);
    const certificate = new X509Certificate(text.stdout);
    expect(certificate.ca).toBe(true);
    expect(text.stderr).toContain(certificate.fingerprint256);
    expect(text.stderr).toMatch(/ends in 7\d\d days/);
    const json = (await runCommand(gateway.home, 'ca', 'print', '--json')).json<CertificateAuthority>();
    expect(json).toMatchObject({ fingerprint_sha256: certificate.fingerprint256, state: 'valid' });
    expect((await runCommand(gateway.home, 'ca')).stdout).toBe(text.stdout);
    expect((await gateway.operator('/v1/ca')).json()).toEqual(json);
  });

  test('[CR-1] rotate makes the gateway use another one at once, in the trail, and the key is nowhere', async () => {
    const before = (await runCommand(gateway.home, 'ca', 'print', '--json')).json<CertificateAuthority>();
    const rotated = await runCommand(gateway.home, 'ca', 'rotate', '--json');
    const after = rotated.json<CertificateAuthority>();
    expect(after.fingerprint_sha256).not.toBe(before.fingerprint_sha256);
    expect((await gateway.operator('/v1/ca')).json()).toEqual(after);
    const key = (await readFile(join(gateway.home, 'ca.key'), 'utf8')).split('\n')[1] ?? '';
    const events = (await gateway.operator('/v1/audit/events?type=IdentityEvent::AuthorityRotated')).text;
    expect(JSON.parse(events)).toMatchObject({
      items: [
        { data: { fingerprint_sha256: after.fingerprint_sha256, replaced: before.fingerprint_sha256 } },
      ],
    });
    for (const shown of [rotated.stdout, rotated.stderr, events, gateway.log.join('\n')]) {
      expect(shown).not.toContain(key);
      expect(shown).not.toContain('PRIVATE');
    }
    expect((await stat(join(gateway.home, 'ca.key'))).mode & 0o777).toBe(0o600);
  });

  test('[ID-1] agents have no such route, and the operator needs its token', async () => {
    for (const [method, path] of [
      ['GET', '/v1/ca'],
      ['POST', '/v1/ca/rotate'],
    ] as const) {
      expect((await gateway.agent(path, { method })).status).toBe(404);
      expect((await gateway.operator(path, { method, headers: { authorization: 'Bearer x' } })).status).toBe(
        401,
      );
    }
  });

  test('doctor says how long it lasts', async () => {
    const doctor = await runCommand(gateway.home, 'doctor', '--json');
    const { items } = doctor.json<{ items: { id: string; status: string; message: string }[] }>();
    const check = items.find(({ id }) => id === 'proxy.ca');
    expect(check).toMatchObject({ status: 'ok', message: expect.stringMatching(/^valid until \d{4}-/) });
  });

  test('install without --yes only says what it would do', async () => {
    const store = join(gateway.home, 'store');
    await mkdir(store, { recursive: true });
    const shown = await runCommand(gateway.home, 'ca', 'install', '--store', store);
    expect(shown.code).toBe(0);
    expect(shown.stdout + shown.stderr).toMatch(
      /nothing is changed yet|export SSL_CERT_FILE|security add-trusted-cert/,
    );
    const json = await runCommand(gateway.home, 'ca', 'install', '--store', store, '--json');
    expect(json.json()).toMatchObject({ installed: false });
    await expect(stat(join(store, 'sallyport-local-ca.crt'))).rejects.toThrow();
  });
});

describe('without a gateway', () => {
  let home: TempDir;
  beforeEach(async () => {
    home = await tempDir();
  });
  afterEach(() => home.remove());

  test('rotate works on the files, also when there were none', async () => {
    const first = (await runCommand(home.path, 'ca', 'rotate', '--json')).json<CertificateAuthority>();
    const second = (await runCommand(home.path, 'ca', 'rotate', '--json')).json<CertificateAuthority>();
    expect(second.fingerprint_sha256).not.toBe(first.fingerprint_sha256);
    const printed = await runCommand(home.path, 'ca', 'print', '--json');
    expect(printed.json()).toEqual(second);
    expect((await stat(join(home.path, 'ca.key'))).mode & 0o777).toBe(0o600);
  });

  test('what is not there, or is something else, is said in words', async () => {
    const missing = await runCommand(home.path, 'ca', 'print');
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('sallyport start') });
    await writeFile(join(home.path, 'ca.pem'), 'nonsense');
    const broken = await runCommand(home.path, 'ca', 'print', '--json');
    expect(broken).toMatchObject({ code: 1 });
    expect(broken.json()).toMatchObject({ error: { code: 'AuthorityUnusable' } });
  });
});

describe('the trust store', () => {
  let dir: TempDir;
  beforeEach(async () => {
    dir = await tempDir();
    await mkdir(join(dir.path, 'store'));
  });
  afterEach(() => dir.remove());

  const signal = AbortSignal.timeout(60_000);

  /** A fake of `update-ca-certificates`: what is real about it belongs to the machine. */
  async function program(script: string): Promise<NodeJS.ProcessEnv> {
    const path = join(dir.path, 'update-ca-certificates');
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return { PATH: dir.path };
  }

  function plan(env: NodeJS.ProcessEnv) {
    const found = planInstall({ platform: 'linux', env, store: join(dir.path, 'store') });
    if (found.kind !== 'automatic') throw new Error('there is a program');
    return found;
  }

  test('gets the certificate, and its program is run', async () => {
    const found = plan(await program(`touch ${dir.path}/ran`));
    await installCa(found, 'the certificate', signal);
    expect(await readFile(found.file, 'utf8')).toBe('the certificate');
    expect(await stat(join(dir.path, 'ran'))).toBeDefined();
  });

  test('a folder that cannot be written and a program that fails are told apart', async () => {
    const found = plan(await program('exit 1'));
    await expect(installCa(found, 'x', signal)).rejects.toMatchObject({ code: 'Unprocessable' });
    const elsewhere = { ...found, file: join(dir.path, 'nowhere', 'x.crt') };
    await expect(installCa(elsewhere, 'x', signal)).rejects.toMatchObject({ code: 'NotPermitted' });
  });

  test.each([
    { platform: 'darwin' as const, says: 'security add-trusted-cert' },
    { platform: 'win32' as const, says: 'NODE_EXTRA_CA_CERTS' },
  ])('on $platform it says what a person does', ({ platform, says }) => {
    const found = planInstall({ platform, env: {} });
    expect(found).toMatchObject({ kind: 'by-hand' });
    expect(JSON.stringify(found)).toContain(says);
  });
});
