import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findMaskedFiles, type MaskSearch } from './find-masked-files.ts';

const PEM = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----\n';
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIE\n-----END CERTIFICATE-----\n';
const SERVICE_ACCOUNT = '{\n  "type": "service_account",\n  "project_id": "p",\n  "private_key_id": "x"\n}\n';
const KUBE = 'apiVersion: v1\nkind: Config\nusers:\n- name: a\n  user:\n    token: abc\n';
const REAL = 'STRIPE=1\nAPI_SECRET=9f8Kd02mLqW7xZr4\n';
const PATTERN =
  'API_SECRET=\nDB_PASSWORD=changeme\nTOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxx\nKEY=your-key-here-123\n';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-mask-')));
});
afterEach(() => {
  spawnSync('chmod', ['-R', 'u+rwX', root]);
  rmSync(root, { recursive: true, force: true });
});

const write = (path: string, content: string | Uint8Array = ''): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
const search = (over: Partial<MaskSearch> = {}): readonly string[] => {
  const { files, folders } = findMaskedFiles([root], { secrets: true, walked: [root], ...over });
  return [...files, ...folders.map((path) => `${path}/`)].map((path) => path.slice(root.length + 1));
};

describe('[JA-9] files of a workspace that read as empty', () => {
  test.each([
    ...['.env', '.env.local', '.env.production.local', '.env-prod', '.env_prod', '.envrc', '.environment'],
    ...['.ENV', '.Env.Local', 'PROD.ENV', 'prod.env', '.prod.env', 'a b.env', '.flaskenv', '.dev.vars'],
    ...['.dev.vars.staging', '.env~', '.env.bak', 'prod.env.old', '#.env#', '.prod.env.swp', 'prod.env (1)'],
    ...['.env.example.local', 'deep/er/and/deeper/.env', 'node_modules/a/.env', '.git/x/.env', 'dist/.env'],
    ...['.venv/lib/prod.env', 'target/.env', '.netrc', '_netrc', '.pypirc', '.pgpass', '.my.cnf'],
    ...['.git-credentials', '.vault-token', '.aws/credentials', 'home/.aws/config', '.kube/config'],
    ...['.cargo/credentials.toml', '.config/gh/hosts.yml', '.config/gcloud/legacy/a/adc.json', '.ssh/deploy'],
    ...['.gnupg/secring.gpg', '.claude/.credentials.json', '.codex/auth.json', 'id_rsa', 'keys/id_ed25519'],
    ...['id_rsa.bak', 'store.p12', 'a.pfx', 'release.keystore', 'passwords.kdbx', 'putty.ppk', 'master.key'],
    ...['.bash_history', 'kubeconfig', 'admin.kubeconfig', 'application_default_credentials.json'],
  ])('`%s` by its name alone', (path) => {
    write(path);
    expect(search()).toEqual([path]);
  });

  test.each([
    { path: 'server.pem', content: `${CERTIFICATE}${PEM}` },
    { path: 'tls/server.key', content: PEM },
    { path: 'config/credentials/production.key', content: '0123456789abcdef0123456789abcdef' },
    { path: 'app.crt', content: PEM },
    { path: 'AuthKey.p8', content: '-----BEGIN PRIVATE KEY-----\nMIGT\n-----END PRIVATE KEY-----' },
    { path: 'key.der', content: Buffer.from('308204a40201000282010100', 'hex') },
    { path: 'deploy_key', content: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n' },
    { path: 'some-machine', content: PEM },
    { path: 'backup.asc', content: '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nxx' },
    { path: 'wg0.conf', content: `[Interface]\nPrivateKey = ${'a'.repeat(43)}=\n` },
    { path: 'keys.txt', content: 'AGE-SECRET-KEY-1QQQ' },
    { path: 'sa.json', content: SERVICE_ACCOUNT },
    { path: 'node_modules/moved/here/sa.json', content: SERVICE_ACCOUNT },
    { path: 'adc.json', content: '{"type":"authorized_user","refresh_token":"1//x"}' },
    { path: 'client.json', content: '{"installed":{"client_id":"i","client_secret":"s"}}' },
    { path: '.docker/config.json', content: '{"auths":{"r.example":{"auth":"dTpw"}}}' },
    { path: 'deploy/cluster.yaml', content: KUBE },
    { path: 'k.json', content: '{"type" : "service_account"}' },
    { path: '.npmrc', content: '//registry.example/:_authToken=npm_abc\n' },
    { path: '.yarnrc.yml', content: 'npmAuthToken: "abc"\n' },
    { path: 'pip.conf', content: '[global]\nindex-url = https://u:p@pypi.example/simple\n' },
    { path: 'settings.xml', content: '<servers><server><password>hunter2</password></server></servers>' },
    { path: 'auth.json', content: '{"http-basic":{"repo.example":{"username":"u"}}}' },
    { path: '.env.example', content: REAL },
    { path: '.env.sample', content: 'A=ghp_16C7e42F292c6912E7710c838347Ae178B4a\n' },
    { path: '.env.template', content: 'DB=postgres://app:k2Jd93nXp0sQ@db.example/app\n' },
    { path: 'sample.env', content: REAL },
    { path: 'env.production', content: REAL },
    { path: 'app.env.production.local', content: REAL },
    { path: '.envs/.production/.django', content: 'DJANGO_SECRET_KEY=k2Jd93nXp0sQ77aLqW\n' },
    { path: 'terraform.tfvars', content: 'db_password = "k2Jd93nXp0sQ77"\n' },
    { path: 'terraform.tfstate', content: '{\n "master_password": "k2Jd93nXp0sQ77"\n}\n' },
    { path: 'my_accessKeys.csv', content: 'AKIA: x\nkey: AKIAQ3EGRLJXW7TZ5YPM\n' },
    { path: 'secrets.yml', content: 'api_token: k2Jd93nXp0sQ77\n' },
    { path: 'prod.env.json', content: SERVICE_ACCOUNT },
    { path: 'wide.pem', content: Buffer.from(`\ufeff${PEM}`, 'utf16le') },
    { path: 'late.pem', content: `${'#'.repeat(60_000)}\n${PEM}` },
    { path: '.git/worktrees/prod.env', content: 'A=1\n' },
  ])('`$path` by what it holds', ({ path, content }) => {
    write(path, content);
    expect(search()).toEqual([path]);
  });

  test.each([
    { path: '.env.example', content: PATTERN },
    { path: '.env.sample', content: PATTERN },
    { path: '.dev.vars.example', content: PATTERN },
    { path: '.env.local.template', content: '' },
    { path: 'example.env', content: PATTERN },
    { path: 'server.pem', content: CERTIFICATE },
    { path: 'ca.crt', content: CERTIFICATE },
    { path: 'slides.key', content: Buffer.from('504b0304140008', 'hex') },
    { path: 'id_rsa.pub', content: 'ssh-rsa AAAA me\n' },
    { path: '.ssh/known_hosts', content: 'h ssh-rsa AAAA\n' },
    { path: '.npmrc', content: 'save-exact=true\n//r.example/:_authToken=${NPM_TOKEN}\n' },
    { path: 'package.json', content: '{"type":"module"}' },
    { path: 'data.json', content: '{"type":"service"}' },
    { path: 'deploy.yaml', content: 'kind: ConfigMap\ndata:\n  token: x\n' },
    { path: '.docker/config.json', content: '{"credsStore":"desktop"}' },
    { path: 'design-tokens.json', content: '{\n  "token-a": "rgba(12,34,56,0.75)"\n}' },
    { path: 'tokenizer_config.json', content: '{\n "eos_token": "<|endoftext|>",\n "key": 50256\n}' },
    { path: 'src/env.ts', content: REAL },
    { path: 'vite-env.d.ts', content: REAL },
    { path: 'src/config.env.ts', content: REAL },
    { path: 'src/token.ts', content: PEM },
    { path: 'docs/keys.md', content: PEM },
    { path: 'Makefile', content: 'all:\n' },
    { path: 'android/app/debug.keystore', content: 'x' },
    { path: 'conf/truststore.jks', content: 'x' },
    { path: '.git/refs/heads/prod.env', content: `${'a1'.repeat(20)}\n` },
    { path: '.git/logs/refs/heads/fix.key', content: `${'0'.repeat(40)} ${'a1'.repeat(20)} me\n` },
    { path: 'mirror.git/refs/heads/master.key', content: `${'a1'.repeat(20)}\n` },
    { path: 'node_modules/.cache/2a97c0d7', content: PEM },
    { path: '.git/config', content: '[core]\n' },
    { path: '.env/bin/activate', content: 'VIRTUAL_ENV=/x\n' },
  ])('`$path` stays as it is when it holds none', ({ path, content }) => {
    write(path, content);
    expect(search()).toEqual([]);
  });

  test('are masked where a link leads, and under every other name that they have', () => {
    write('notes/plain.txt', 'A=1');
    mkdirSync(join(root, 'linked'));
    symlinkSync('../notes/plain.txt', join(root, 'linked/.env'));
    symlinkSync('/etc/hostname', join(root, 'linked/.env.out'));
    symlinkSync('nowhere', join(root, 'linked/.env.gone'));
    symlinkSync('../notes', join(root, 'linked/.env.folder'));
    write('prod.env', 'A=1');
    linkSync(join(root, 'prod.env'), join(root, 'notes/harmless.md'));
    expect(search()).toEqual(['notes/harmless.md', 'notes/plain.txt', 'prod.env']);
  });

  test('count as secrets when their owner has closed them for now: the agent is that owner', () => {
    write('a.pem', 'nothing');
    write('closed/.env', 'A=1');
    chmodSync(join(root, 'a.pem'), 0);
    chmodSync(join(root, 'closed'), 0);
    // Root reads everything, whatever its mode.
    const isRoot = process.getuid?.() === 0;
    expect(search()).toEqual(isRoot ? ['closed/.env'] : ['a.pem', 'closed/']);
  });

  test('are not read where that would take from somebody: pipes', () => {
    const pipes = ['.env', 'a.pem', 'plain'].map((name) => join(root, name));
    spawnSync('/bin/sh', ['-c', 'mkfifo "$@"', 'sh', ...pipes]);
    expect(search()).toEqual(['.env', 'a.pem', 'plain']);
  });

  test('can be shown, one by one or all', () => {
    for (const path of ['.env', 'test/keys/a.env', 'test/keys/b.env', 'test/keys-too.env']) write(path);
    expect(search({ shown: [join(root, 'test/keys')] })).toEqual(['.env', 'test/keys-too.env']);
    expect(search({ secrets: false })).toEqual([]);
  });

  test('a name that is no UTF-8 hides nothing', () => {
    const bytes = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]);
    mkdirSync(bytes);
    writeFileSync(Buffer.concat([bytes, Buffer.from('/.env')]), 'A=1');
    expect(() => search()).toThrow(/no UTF-8/);
  });

  test('more than can be masked are refused, with the way out', () => {
    for (let index = 0; index < 1_001; index += 1) write(`keys/${index}.env`);
    expect(() => search()).toThrow(expect.objectContaining({ hint: expect.stringContaining('--show') }));
    expect(search({ shown: [join(root, 'keys')] })).toEqual([]);
  });

  test('take linear time to be told apart, whatever an agent wrote', () => {
    const nasty = ['\n', ' ', '"auths":{', '_auth ', 'a=', '"type" ', '://a:', 'A=x', 'kind:', '-----BEGIN '];
    for (const [index, piece] of nasty.entries())
      for (const name of ['.env.example', 'k.json', '.npmrc', 'k.yaml', 'token.txt', 'k.pem'])
        write(`${index}/${name}`, piece.repeat(65_536 / piece.length));
    const begun = performance.now();
    search();
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});
