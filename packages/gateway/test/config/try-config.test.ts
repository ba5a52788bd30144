import { chmodSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DiscordServer,
  ImapServer,
  MailServer,
  SlackServer,
  TelegramServer,
  tempDir,
} from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tryConfigFile } from '../../src/admission/try-config.ts';
import { groundDoctorChecks, resolveHome, runDoctor } from '../../src/config/index.ts';

const CANARY = 'canary-token-2718281828';

describe('what a config names is tried', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  beforeEach(async () => {
    dir = await tempDir();
  });
  afterEach(() => dir.remove());

  const tried = async (channels: string, identities: string, env: Record<string, string> = {}) => {
    const paths = resolveHome({}, { home: dir.path });
    await writeFile(
      paths.config,
      `tenants:
  default:
    users: { ana: { roles: [owner], identities: ${identities} } }
    credentials:
      web: { kind: bearer, source: "env:WEB", hosts: [x.example] }
roles: { owner: { allow: ["approve:*"] } }
channels: ${channels}
`,
    );
    const reports = await tryConfigFile(
      paths.config,
      { paths, env, signal: AbortSignal.timeout(30_000) },
      [],
    );
    expect(JSON.stringify(reports)).not.toContain(CANARY);
    return Object.fromEntries(reports.map(({ id, status, message, fix }) => [id, { status, message, fix }]));
  };

  test('Telegram: the bot and its people, a wrong token, somebody who never pressed Start', async () => {
    await using server = await TelegramServer.start();
    server.chats.open(77);
    const channels = `{ telegram: { token: "env:T", api_url: "${server.url}" } }`;
    const good = await tried(channels, '{ telegram: "77" }', { T: server.token, WEB: CANARY });
    expect(good['channels.telegram']).toEqual({ status: 'ok', message: '@sallyport_bot; asks 1 person' });
    expect(good['credentials.default.web']).toMatchObject({ status: 'ok' });
    const wrong = await tried(channels, '{ telegram: "77" }', { T: `123:${CANARY}` });
    expect(wrong['channels.telegram']).toMatchObject({ status: 'fail', fix: expect.stringMatching(/token/) });
    expect(wrong['credentials.default.web']).toMatchObject({
      status: 'fail',
      message: 'variable `WEB` is not set',
    });
    const stranger = await tried(channels, '{ telegram: "78" }', { T: server.token });
    expect(stranger['channels.telegram']).toMatchObject({
      status: 'fail',
      message: '@sallyport_bot knows nobody with the id 78',
      fix: expect.stringMatching(/press Start/),
    });
    const nobody = await tried(channels, '{}', { T: server.token });
    expect(nobody['channels.telegram']).toMatchObject({
      status: 'fail',
      fix: expect.stringMatching(/identities/),
    });
  });

  test('Slack: tokens of the wrong sort, a member who is none', async () => {
    await using server = await SlackServer.start();
    server.workspace.join('U01');
    const channels = `{ slack: { app_token: "env:A", bot_token: "env:B", api_url: "${server.apiUrl}" } }`;
    const env = { A: server.appToken, B: server.botToken };
    expect((await tried(channels, '{ slack: U01 }', env))['channels.slack']).toMatchObject({ status: 'ok' });
    const swapped = await tried(channels, '{ slack: U01 }', { A: server.botToken, B: server.appToken });
    expect(swapped['channels.slack']).toMatchObject({ status: 'fail', fix: expect.stringMatching(/xapp-/) });
    expect((await tried(channels, '{ slack: U99 }', env))['channels.slack']).toMatchObject({
      status: 'fail',
      fix: expect.stringMatching(/member id/),
    });
  });

  test('Discord: token, user, channel', async () => {
    await using server = await DiscordServer.start();
    server.guild.join('803511102246789120');
    const channels = (more = '') => `{ discord: { token: "env:D", api_url: "${server.apiUrl}"${more} } }`;
    const who = '{ discord: "803511102246789120" }';
    const env = { D: server.token };
    expect((await tried(channels(), who, env))['channels.discord']).toMatchObject({ status: 'ok' });
    expect((await tried(channels(), who, { D: CANARY }))['channels.discord']).toMatchObject({
      status: 'fail',
      fix: 'check the token under `channels.discord.token`',
    });
    const nowhere = await tried(channels(', channel: "600000000000000009"'), who, env);
    expect(nowhere['channels.discord']).toMatchObject({
      status: 'fail',
      fix: expect.stringMatching(/channel/),
    });
  });

  test('mail: a wrong password at either server, and a server that is not there', async () => {
    const user = { name: 'gate', password: 'pa55' };
    await using smtp = await MailServer.start({ user });
    await using imap = await ImapServer.start({ user });
    const account = 'tls: none, user: gate, password: "env:';
    const channels = (port = smtp.port) =>
      `{ email: { from: g@x.example, smtp: { host: 127.0.0.1, port: ${port}, ${account}S" }, imap: { host: 127.0.0.1, port: ${imap.port}, ${account}I" } } }`;
    const who = '{ email: ana@x.example }';
    const ok = await tried(channels(), who, { S: 'pa55', I: 'pa55' });
    expect(ok['channels.email']).toMatchObject({ status: 'ok' });
    expect((await tried(channels(), who, { S: CANARY, I: 'pa55' }))['channels.email']).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/does not let us in \(EAUTH/),
    });
    expect((await tried(channels(), who, { S: 'pa55', I: CANARY }))['channels.email']).toMatchObject({
      status: 'fail',
      fix: 'check `channels.email.imap`',
    });
    expect((await tried(channels(9), who, { S: 'pa55', I: 'pa55' }))['channels.email']).toMatchObject({
      status: 'fail',
    });
  });

  test('a secret file that others may read is found, with the command that mends it', async () => {
    const paths = resolveHome({}, { home: dir.path });
    await mkdir(join(dir.path, 'secrets'));
    const file = join(dir.path, 'secrets/token');
    await writeFile(file, CANARY);
    chmodSync(file, 0o644);
    const context = { paths, env: {}, configChecks: [], signal: AbortSignal.timeout(30_000) };
    const reports = await runDoctor(groundDoctorChecks, context);
    expect(reports.find(({ id }) => id === 'ground.files')).toMatchObject({
      status: 'fail',
      fix: `chmod 600 ${file}, and replace what others may have read`,
    });
  });
});
