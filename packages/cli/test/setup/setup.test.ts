import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DiscordServer,
  ImapServer,
  MailServer,
  plainMail,
  requireEngine,
  SlackServer,
  TelegramServer,
  waitFor,
} from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Terminal } from '../approvals/tmux.ts';
import { SetupPerson } from './setup-terminal.ts';

const tmux = requireEngine('tmux');

describe.skipIf(tmux.missing)(`sallyport setup (${tmux.install})`, () => {
  let person: SetupPerson;
  beforeEach(async () => {
    person = await SetupPerson.move();
  });
  afterEach(() => person[Symbol.asyncDispose]());

  const config = () => parse(person.read('.sallyport/sallyport.yaml'));
  /** From the third question on: takes what is offered, and writes. */
  const takeTheRest = async (terminal: Terminal): Promise<void> => {
    await terminal.shows(/4\/6 {2}Which policy\?/);
    await terminal.press('Enter');
    await terminal.shows(/5\/6 {2}Start the gateway/);
    await terminal.press('Enter');
    await terminal.shows(/6\/6 {2}Write this\?/);
    await terminal.press('Enter');
    await terminal.shows(/Done\. Next/);
    await terminal.shows(/ended with 0/);
  };
  /** To the test question on a channel: answers the prompts one by one, and picks the channel by its name. */
  const toTestQuestion = async (
    terminal: Terminal,
    channel: string,
    prompts: readonly (readonly [RegExp, string])[],
  ): Promise<void> => {
    await terminal.shows(/1\/6 {2}Agents here: claude/);
    await terminal.press('Enter');
    await terminal.shows(/2\/6 {2}Where are you asked\?/);
    await terminal.pressUntil('Down', new RegExp(`(?:●|>) ${channel}`));
    await terminal.press('Enter');
    for (const [asked, typed] of prompts) {
      await terminal.shows(asked);
      await terminal.type(typed);
      await terminal.press('Enter');
    }
    await terminal.shows(new RegExp(`A test question is on its way to you on ${channel}`));
  };

  test('in a terminal: from nothing to an answered question, a config and an alias', async () => {
    await using terminal = await person.run('');
    await terminal.shows(/1\/6 {2}Agents here: claude/);
    await terminal.press('Enter');
    await terminal.shows(/2\/6 {2}Where are you asked\?/);
    await terminal.press('Enter');
    const question = await terminal.shows(/Your answer\?/);
    expect(question).toContain('A test question of sallyport setup');
    await terminal.press('Enter');
    await terminal.shows(/You answered: approved\. The terminal works\./);
    await takeTheRest(terminal);
    expect(person.read('.sallyport/sallyport.yaml')).toMatch(/^# yaml-language-server: \$schema=/);
    expect(person.read('.bashrc')).toMatch(/^alias claude='.+ run -- claude'$/m);
    expect(person.files().filter((file) => file.startsWith('tmp/'))).toEqual([]);
  });

  test('left in the middle, at each question: nothing is there', async () => {
    for (const stop of [0, 1, 2]) {
      await using terminal = await person.run('');
      await terminal.shows(/1\/6/);
      if (stop > 0) await terminal.press('Enter');
      if (stop > 0) await terminal.shows(/2\/6/);
      if (stop > 1) await terminal.press('Enter');
      if (stop > 1) await terminal.shows(/Your answer\?/);
      await terminal.press('C-c');
      await terminal.shows(/ended with 1/);
      expect(await terminal.history()).toContain('left before the end: nothing was changed');
      expect(person.files().filter((file) => !file.startsWith('.cache'))).toEqual([]);
    }
  });

  test('Telegram: a wrong token is told and asked for again, the right one is tried, asked and answered', async () => {
    await using telegram = await TelegramServer.start();
    telegram.chats.open(4711);
    await using terminal = await person.run(`--set api_url=${telegram.url}`);
    await terminal.shows(/1\/6/);
    await terminal.press('Enter');
    await terminal.shows(/2\/6/);
    await terminal.pressUntil('Down', /(?:●|>) telegram/);
    await terminal.press('Enter');
    await terminal.shows(/Token of the bot/);
    await terminal.type('nonsense');
    await terminal.press('Enter');
    await terminal.shows(/Expected digits, a colon, letters/);
    await terminal.type('777000:another-token-of-some-bot');
    await terminal.press('Enter');
    await terminal.shows(/Who you are on telegram/);
    await terminal.type('4711');
    await terminal.press('Enter');
    await terminal.shows(/That did not work: Telegram refused `getMe`[\s\S]*2\/6/);
    await terminal.pressUntil('Down', /(?:●|>) telegram/);
    await terminal.press('Enter');
    await terminal.shows(/Token of the bot[^\n]*\n[^\n]*\n└?$/);
    await terminal.type(telegram.token);
    await terminal.press('Enter');
    await terminal.shows(/Who you are on telegram[^\n]*\n[^\n]*\n└?$/);
    await terminal.type('4711');
    await terminal.press('Enter');
    await terminal.shows(/channel telegram: @sallyport_bot/);
    const message = await waitFor('the question', () => {
      const [first] = telegram.chats.list(4711);
      if (first === undefined) throw new Error('no message yet');
      return first;
    });
    expect(message.text).toContain('A test question of sallyport setup');
    await telegram.press(message, message.buttons[0]!.text);
    await terminal.shows(/You answered: approved\. telegram works\./);
    await takeTheRest(terminal);
    expect(config().channels.telegram).toMatchObject({ token: 'file:secrets/telegram.token' });
    expect(person.read('.sallyport/secrets/telegram.token').trim()).toBe(telegram.token);
    expect(await terminal.history()).not.toContain(telegram.token);
    expect(person.read('.sallyport/sallyport.yaml')).not.toContain(telegram.token);
    expect(person.files().filter((file) => file.startsWith('tmp/'))).toEqual([]);
  });

  test('Slack: both tokens, the member, the question and its answer', async () => {
    await using slack = await SlackServer.start();
    slack.workspace.join('U012AB3CD');
    await using terminal = await person.run(`--set api_url=${slack.apiUrl}`);
    await toTestQuestion(terminal, 'slack', [
      [/App-level token/, slack.appToken],
      [/Bot token/, slack.botToken],
      [/Who you are on slack/, 'U012AB3CD'],
    ]);
    const message = await waitFor('the question', () => {
      const [first] = slack.workspace.list('D012AB3CD');
      if (first === undefined) throw new Error('no message yet');
      return first;
    });
    await slack.press(message, message.buttons[0]!.text);
    await terminal.shows(/You answered: approved\. slack works\./);
    await takeTheRest(terminal);
    expect(config().channels.slack.bot_token).toBe('file:secrets/slack.bot_token');
  });

  test('Discord: the token, the user, the question and its answer', async () => {
    await using discord = await DiscordServer.start();
    const user = '803511102246789120';
    discord.guild.join(user);
    await using terminal = await person.run(`--set api_url=${discord.apiUrl}`);
    await toTestQuestion(terminal, 'discord', [
      [/Token of the bot/, discord.token],
      [/Who you are on discord/, user],
    ]);
    const message = await waitFor('the question', () => {
      const [first] = discord.guild.list(`9${user.slice(1)}`);
      if (first === undefined) throw new Error('no message yet');
      return first;
    });
    await discord.press(message, message.buttons.find(({ label }) => /deny/i.test(label))!.label);
    await terminal.shows(/You answered: denied\. discord works\./);
    await takeTheRest(terminal);
    expect(config().channels.discord.token).toBe('file:secrets/discord.token');
  });

  test('mail: the account is tried at both servers, and a reply is the answer', async () => {
    const account = { name: 'gate@example.org', password: 'pa55-word-of-the-mailbox' };
    await using smtp = await MailServer.start({ user: account });
    await using imap = await ImapServer.start({ user: account });
    await using terminal = await person.run('--set dkim=off');
    await toTestQuestion(terminal, 'email', [
      [/Address of that mailbox/, account.name],
      [/Server that sends/, `127.0.0.1:${smtp.port}`],
      [/Server that holds/, `127.0.0.1:${imap.port}`],
      [/Password of the account/, account.password],
      [/Who you are on email/, 'ana@example.com'],
    ]);
    await waitFor('the question', () => expect(smtp.messages).toHaveLength(1));
    const subject = `Re: ${smtp.messages[0]!.subject}`;
    imap.deliver(plainMail({ from: 'ana@example.com', subject, body: '1' }));
    await terminal.shows(/You answered: approved\. email works\./);
    await takeTheRest(terminal);
    expect(config().channels.email.imap.password).toBe('file:secrets/email.password');
    expect(await terminal.history()).not.toContain(account.password);
  });

  test('credentials are shown by name, imported, and never printed; a second run offers what is left', async () => {
    const token = 'gho_canary31415926535897932384626433';
    await mkdir(join(person.home, '.config/gh'), { recursive: true });
    await writeFile(join(person.home, '.config/gh/hosts.yml'), `github.com:\n  oauth_token: ${token}\n`);
    await using terminal = await person.run('--agents none --channel terminal --no-test --no-service');
    const shown = await terminal.shows(/3\/6 {2}Credentials found here/);
    expect(shown).toContain('github:personal');
    await terminal.press('Space', 'Enter');
    await terminal.shows(/4\/6/);
    await terminal.press('Enter');
    await terminal.shows(/6\/6/);
    await terminal.press('Enter');
    await terminal.shows(/Done/);
    expect(await terminal.history()).not.toContain(token);
    expect(person.read('.sallyport/secrets/default.github.personal.secret').trim()).toBe(token);
    expect(config().agents.dev.credentials).toEqual(['github:personal']);
    await using again = await person.run('--agents none --channel terminal --no-test --no-service');
    await again.shows(/3\/6 {2}Credentials: none found[\s\S]*4\/6/);
    await again.press('Enter');
    await again.shows(/Nothing to change: everything is as you want it\./);
    await again.shows(/ended with 0/);
  });

  test('TERM=dumb asks line by line, and writes no escape sequences', async () => {
    await using terminal = await person.run('--no-test --agents none', { TERM: 'dumb' });
    await terminal.shows(/2\/6 {2}Where are you asked\?[\s\S]*number \[1\]:/);
    await terminal.press('Enter');
    await terminal.shows(/4\/6 {2}Which policy\?[\s\S]*number \[1\]:/);
    await terminal.type('99');
    await terminal.press('Enter');
    await terminal.shows(/not a number of the list/);
    await terminal.press('Enter');
    await terminal.shows(/5\/6[^\n]*\[y\/N\]/);
    await terminal.press('Enter');
    await terminal.shows(/6\/6 {2}Write this\? \[Y\/n\]/);
    await terminal.press('Enter');
    await terminal.shows(/Done\. Next/);
    expect(await terminal.history()).not.toMatch(/[◆◇│]/);
  });

  test('40 columns are enough, and a service manager that is not there is told while the rest stays', async () => {
    await using terminal = await person.run(
      '--no-test --agents none --channel terminal --service',
      {},
      {
        columns: 40,
        rows: 24,
      },
    );
    await terminal.shows(/4\/6/);
    await terminal.press('Enter');
    await terminal.shows(/6\/6/);
    await terminal.press('Enter');
    await terminal.shows(/ended with/);
    expect((await terminal.history()).replaceAll(/\s+/g, ' ')).toMatch(
      /not done: The gateway is a service\./,
    );
    expect(config().tenants.default.default_agent).toBe('dev');
  });
});
