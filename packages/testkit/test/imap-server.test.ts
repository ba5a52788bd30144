import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { createTestCa, ImapServer, type ImapServerOptions } from '@sallyport/testkit';
import { afterEach, describe, expect, test } from 'vitest';

const user = { name: 'gate', password: 'pa55 "word"' };
const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const thing of opened.splice(0)) await thing[Symbol.asyncDispose]();
});

/** A server with one mail, and a client that talks to it line by line. */
async function talk(options: Partial<ImapServerOptions> = {}) {
  const server = await ImapServer.start({ user, ...options });
  opened.push(server);
  server.deliver('Subject: a\r\n\r\nbody', new Date('2026-01-05T10:00:00Z'));
  const socket = connect(server.port, '127.0.0.1');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  await once(socket, 'connect');
  await lines.next();
  let count = 0;
  /** lines of the answer, the tagged one last, without its tag */
  const command = async (text: string): Promise<readonly string[]> => {
    count += 1;
    const tag = `t${count}`;
    socket.write(`${tag} ${text}\r\n`);
    const answer: string[] = [];
    for (;;) {
      const line = String((await lines.next()).value);
      if (line.startsWith('+')) return [...answer, line];
      if (line.startsWith(`${tag} `)) return [...answer, line.slice(tag.length + 1)];
      answer.push(line);
    }
  };
  const last = async (text: string) => (await command(text)).at(-1);
  return { server, socket, command, last, lines };
}
const LOGIN = 'LOGIN gate "pa55 \\"word\\""';

describe('the IMAP server', () => {
  test.each([
    { why: 'a folder before a login', text: 'SELECT INBOX', answer: /^NO/ },
    { why: 'a wrong password', text: 'LOGIN gate nope', answer: /^NO \[AUTHENTICATIONFAILED\]/ },
    { why: 'an unknown mechanism', text: 'AUTHENTICATE X', answer: /^NO/ },
    { why: 'STARTTLS without a certificate', text: 'STARTTLS', answer: /^BAD/ },
    { why: 'an unknown command', text: 'DANCE', answer: /^NO|^BAD/ },
  ])('refuses $why', async ({ text, answer }) => {
    const { last, socket } = await talk();
    expect(await last(text)).toMatch(answer);
    socket.destroy();
  });

  test('refuses a password in the clear where it has a certificate', async () => {
    const tls = await (await createTestCa()).issue(['localhost']);
    const { last, command, socket } = await talk({ tls });
    expect((await command('CAPABILITY'))[0]).toMatch(/STARTTLS LOGINDISABLED/);
    expect(await last(LOGIN)).toMatch(/^NO \[PRIVACYREQUIRED\]/);
    socket.destroy();
  });

  test('selects, searches, fetches parts and stores, in the states where that is allowed', async () => {
    const { last, command, socket, server } = await talk();
    expect(await last(LOGIN)).toMatch(/^OK/);
    expect(await last(LOGIN)).toMatch(/^BAD/);
    expect(await last('UID FETCH 1 (UID)')).toMatch(/^BAD/);
    expect(await last('SELECT Other')).toMatch(/^NO/);
    expect(await command('SELECT INBOX')).toContain('* OK [UIDVALIDITY 1] valid');
    expect(await command('UID SEARCH UNSEEN SINCE 05-Jan-2026')).toEqual(['* SEARCH 1', 'OK done']);
    expect(await command('UID SEARCH UNSEEN SINCE 6-Jan-2026')).toEqual(['* SEARCH', 'OK done']);
    expect(await last('UID SEARCH SHINY')).toMatch(/^BAD/);
    expect(await command('UID FETCH 1:* (UID RFC822.SIZE BODY.PEEK[]<0.9>)')).toEqual([
      '* 1 FETCH (UID 1 RFC822.SIZE 18 BODY[]<0> {9}',
      'Subject: )',
      'OK done',
    ]);
    expect(server.isSeen(1)).toBe(false);
    expect(await last('UID STORE 1 FLAGS (x)')).toMatch(/^BAD/);
    expect(await last('UID STORE 1 +FLAGS (\\Seen)')).toBe('OK done');
    expect(server.isSeen(1)).toBe(true);
    await command('EXAMINE INBOX');
    expect(await last('UID STORE 1 +FLAGS (\\Deleted)')).toMatch(/^NO \[READ-ONLY\]/);
    socket.destroy();
  });

  test('tells of new mails only while the client waits for them', async () => {
    const { command, lines, server, socket } = await talk();
    await command(LOGIN);
    await command('SELECT INBOX');
    expect(await command('IDLE')).toEqual(['+ idling']);
    expect(server.idling).toBe(1);
    server.deliver('Subject: b\r\n\r\n');
    expect((await lines.next()).value).toBe('* 2 EXISTS');
    socket.write('DONE\r\n');
    expect((await lines.next()).value).toMatch(/OK IDLE ended$/);
    expect(server.idling).toBe(0);
    socket.destroy();
  });
});
