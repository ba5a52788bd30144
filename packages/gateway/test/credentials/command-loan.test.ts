import { describe, expect, test } from 'vitest';
import { WRAPPERS } from '../../src/commands/index.ts';
import type { CommandName } from '../../src/config/index.ts';
import { BrokerFixture } from './broker-fixture.ts';

const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\n${'a1B2'.repeat(17)}\n${'c3D4'.repeat(17)}\n-----END OPENSSH PRIVATE KEY-----`;
const HOST_KEY = `ssh-ed25519 ${'A'.repeat(68)}`;
const TENANT = `credentials:
      aws: { kind: aws_static, source: "env:AWS", region: eu-west-1 }
      gh: { kind: github_pat, source: "env:GH" }
      dd: { kind: datadog, source: "env:DD" }
      basic: { kind: basic, source: "env:BASIC", hosts: [api.example.com] }
      key: { kind: ssh_key, source: "file:key", hosts: [github.com], known_hosts: ["${HOST_KEY}"] }
      db: { kind: env, source: "env:DB", variable: TF_VAR_db, commands: [terraform] }
      kube: { kind: file, source: "file:kube", variable: KUBECONFIG, commands: [kubectl] }
      hook: { kind: hmac, source: "env:GH", hosts: [api.example.com], header: X-S, template: "{method}" }`;
const NAMES = ['aws', 'gh', 'dd', 'basic', 'key', 'db', 'kube', 'hook'];

async function open(): Promise<BrokerFixture> {
  const fixture = await BrokerFixture.open({
    tenant: TENANT,
    agents: { dev: NAMES, other: [] },
    env: {
      AWS: '{"AccessKeyId":"AKIAEXAMPLE1","SecretAccessKey":"canary-aws-secret-1","SessionToken":"canary-aws-token-1"}',
      GH: 'ghp_canary0000000000000000000000000000',
      DD: '{"api_key":"canary-dd-api","app_key":"canary-dd-app"}',
      BASIC: 'ana:pa"ss\\word',
      DB: 'canary-db-password',
    },
  });
  fixture.write('key', KEY);
  fixture.write('kube', 'users:\n- user:\n    token: canary-kube-token-0123456789\n');
  return fixture;
}

function lend(
  fixture: BrokerFixture,
  name: string,
  command: CommandName,
  hosts: readonly string[] = [],
  session = 'sess_dev',
) {
  const { actor, tenant, actionId, signal } = fixture.ask();
  const puts = WRAPPERS[command].credentials;
  return fixture.broker.lendToCommand({
    ...{ tenant, name, session, actor, actionId, signal, command },
    puts,
    hosts,
  });
}

describe('a credential reaches one command', () => {
  test.each<readonly [string, CommandName, object]>([
    [
      'aws',
      'aws',
      {
        AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE1',
        AWS_SECRET_ACCESS_KEY: 'canary-aws-secret-1',
        AWS_SESSION_TOKEN: 'canary-aws-token-1',
        AWS_REGION: 'eu-west-1',
        AWS_DEFAULT_REGION: 'eu-west-1',
      },
    ],
    ['aws', 'terraform', { AWS_SECRET_ACCESS_KEY: 'canary-aws-secret-1' }],
    ['gh', 'gh', { GH_TOKEN: 'ghp_canary0000000000000000000000000000' }],
    ['gh', 'terraform', { GITHUB_TOKEN: 'ghp_canary0000000000000000000000000000' }],
    ['dd', 'datadog', { DD_API_KEY: 'canary-dd-api', DD_APP_KEY: 'canary-dd-app' }],
    ['db', 'terraform', { TF_VAR_db: 'canary-db-password' }],
  ])('%s in the environment of %s', async (name, command, env) => {
    const loan = await lend(await open(), name, command);
    expect(loan.env).toMatchObject(env);
    expect(loan.files).toEqual([]);
  });

  test('files: a kubeconfig, a key with the keys of its hosts, a config of curl', async () => {
    const fixture = await open();
    expect(await lend(fixture, 'kube', 'kubectl')).toMatchObject({
      env: {},
      files: [
        {
          text: expect.stringContaining('canary-kube-token'),
          variable: { name: 'KUBECONFIG', says: 'file' },
        },
      ],
    });
    expect((await lend(fixture, 'key', 'git-receive-pack', ['github.com'])).files).toEqual([
      { name: 'key', text: `${KEY}\n` },
      { name: 'known_hosts', text: `github.com ${HOST_KEY}\n` },
    ]);
    // A quote of the value stays inside of the quotes of the file.
    expect((await lend(fixture, 'basic', 'curl', ['api.example.com'])).files).toMatchObject([
      {
        name: '.curlrc',
        text: 'user = "ana:pa\\"ss\\\\word"\n',
        variable: { name: 'CURL_HOME', says: 'folder' },
      },
    ]);
  });

  test('what a program may print of it is scrubbed: also a token inside of a file, and a line of a key', async () => {
    const fixture = await open();
    const values = async (name: string, command: CommandName) =>
      (await lend(fixture, name, command)).values.map((secret) => secret.reveal());
    expect(await values('kube', 'kubectl')).toContain('canary-kube-token-0123456789');
    expect(await values('key', 'git-upload-pack')).toContain('a1B2'.repeat(17));
    expect(fixture.redactor.redactText(`x ${'c3D4'.repeat(17)}`)).not.toContain('c3D4'.repeat(17));
  });

  test.each<
    readonly [why: string, name: string, command: CommandName, hosts: readonly string[], session: string]
  >([
    ['a kind that the command does not take', 'gh', 'aws', [], 'sess_dev'],
    ['a kind that signs', 'hook', 'curl', ['api.example.com'], 'sess_dev'],
    ['a variable of another command', 'db', 'aws', [], 'sess_dev'],
    ['a file of another command', 'kube', 'terraform', [], 'sess_dev'],
    ['a host of another', 'gh', 'curl', ['evil.test'], 'sess_dev'],
    ['one host of several', 'basic', 'curl', ['api.example.com', 'evil.test'], 'sess_dev'],
    ['a key for another host', 'key', 'git-receive-pack', ['evil.test'], 'sess_dev'],
    ['a session that was not given it', 'aws', 'aws', [], 'sess_other'],
    ['a session that is none', 'aws', 'aws', [], 'sess_x'],
    ['a credential that is none', 'nope', 'aws', [], 'sess_dev'],
  ])('refuses %s', async (_why, name, command, hosts, session) => {
    await expect(lend(await open(), name, command, hosts, session)).rejects.toMatchObject({
      code: 'CredentialNotAllowed',
    });
  });

  test.each(['no key at all', `${KEY.replace('OPENSSH ', 'ENCRYPTED ')}`, 'ssh-ed25519 AAAA public'])(
    'refuses %j as a key',
    async (text) => {
      const fixture = await open();
      fixture.write('key', text);
      await expect(lend(fixture, 'key', 'git-upload-pack')).rejects.toMatchObject({
        code: 'CredentialUnavailable',
      });
    },
  );

  test('no request carries what is for commands, and each read is an event without a value', async () => {
    const fixture = await open();
    await lend(fixture, 'db', 'terraform');
    expect(JSON.stringify(fixture.reads())).not.toContain('canary');
    expect(fixture.reads()).toHaveLength(1);
    await expect(
      Promise.resolve().then(() => fixture.broker.lend({ ...fixture.ask(), name: 'db' })),
    ).rejects.toMatchObject({ code: 'CredentialNotAllowed' });
  });
});
