import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  createTestCa,
  ImapServer,
  type ImapServerOptions,
  listenOnFreePort,
  waitFor,
} from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ImapOptions } from '../../src/approvals/channels/email/imap-inbox.ts';
import { realDelay } from '../../src/approvals/channels/retry.ts';
import { Secret } from '../../src/shared/secret.ts';
import { openMail } from './mail-fixture.ts';

const USER = { name: 'gate', password: 'pa55-word' };
/** No real pause between two tries, but the event loop goes round. */
const noDelay = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a mailbox', () => {
  let imap: ImapServer;
  const opened: AsyncDisposable[] = [];
  const keep = <Thing extends AsyncDisposable>(thing: Thing): Thing => {
    opened.unshift(thing);
    return thing;
  };
  const options = (over: Partial<ImapOptions> = {}): ImapOptions => ({
    host: 'localhost',
    port: imap.port,
    tls: 'none',
    user: USER.name,
    password: new Secret(USER.password),
    mailbox: 'INBOX',
    ...over,
  });
  const serve = async (over: Partial<ImapServerOptions> = {}) =>
    keep(await ImapServer.start({ user: USER, ...over }));
  const open = async (over: Parameters<typeof openMail>[0] = {}) =>
    keep(await openMail({ imap: options(), delay: noDelay, ...over }));
  const idles = () => waitFor('the reader to wait for mails', () => expect(imap.idling).toBe(1));
  const seen = (uid: number) => waitFor(`mail ${uid} to be read`, () => expect(imap.isSeen(uid)).toBe(true));

  beforeEach(async () => {
    imap = await serve();
  });
  afterEach(async () => {
    for (const thing of opened.splice(0)) await thing[Symbol.asyncDispose]();
  });

  test('an answer decides as it arrives, and is marked as read', async () => {
    const mail = await open();
    await idles();
    const uid = imap.deliver(await mail.signed('4 add logs'));
    await seen(uid);
    expect(mail.answers.taken).toMatchObject([
      { identity: 'ana@example.com', answer: { kind: 'text', text: '4 add logs' } },
    ]);
    expect(mail.status()).toBe('approved');
    await idles();
    expect(mail.problems).toEqual([]);
  });

  test('answers that came while nobody read are read at the start; those of last week are left alone', async () => {
    const before = keep(await openMail());
    const old = imap.deliver(await before.signed('1'), new Date(Date.now() - 9 * 86_400_000));
    const uid = imap.deliver(await before.signed('3'), new Date(Date.now() - 3_600_000));
    const mail = await open({ resolve: before.domain.resolve });
    await seen(uid);
    await idles();
    expect(mail.status()).toBe('denied');
    expect(imap.isSeen(old)).toBe(false);
  });

  test('who answered long ago is not told that it is too late, who answers now is', async () => {
    const mail = await open();
    mail.answers.put({ ...mail.approval, status: 'expired' });
    await seen(imap.deliver(await mail.signed('3'), new Date(Date.now() - 3_600_000)));
    expect(mail.answers.taken).toHaveLength(1);
    expect(mail.told()).toEqual([]);
    await seen(imap.deliver(await mail.signed('1')));
    expect(mail.told()).toEqual([expect.stringMatching(/^Too late/)]);
  });

  test('[AP-8] a lost connection, other numbers and a second copy decide nothing twice', async () => {
    const mail = await open();
    await idles();
    const raw = await mail.signed('hello');
    await seen(imap.deliver(raw));
    imap.mailbox.renumber();
    imap.drop();
    await idles();
    await waitFor('mail 1 to be read', () => expect(imap.isSeen(1)).toBe(true));
    await seen(imap.deliver(`Received: by another.way\r\n${raw}`));
    expect(mail.answers.taken).toHaveLength(1);
    expect(mail.told()).toHaveLength(1);
    expect(imap.mailbox.uidValidity).toBe(2);
  });

  test('it connects again, as often as it takes, and says once what is wrong', async () => {
    const mail = await open();
    for (let round = 0; round < 5; round += 1) {
      await idles();
      imap.drop();
      await waitFor('the connection to end', () => expect(imap.idling).toBe(0));
    }
    await idles();
    await seen(imap.deliver(await mail.signed('1')));
    expect(mail.status()).toBe('approved');
  });

  test('a server that is down is waited for, with growing pauses', async () => {
    const pauses: number[] = [];
    const mail = await open({
      imap: options({ port: 9 }),
      delay: async (ms) => {
        pauses.push(ms);
        await noDelay();
      },
    });
    await waitFor('seven pauses', () => expect(pauses.length).toBeGreaterThan(6));
    expect(pauses.slice(0, 6)).toEqual([1_000, 2_000, 5_000, 15_000, 60_000, 60_000]);
    expect(mail.problems).toEqual(['the mailbox cannot be read (ECONNREFUSED)']);
  });

  test('a server without IDLE is asked', async () => {
    imap = await serve({ withoutIdle: true });
    const mail = await open();
    await waitFor('a search for mails', () => expect(imap.commands).toContain('UID SEARCH'));
    imap.deliver(await mail.signed('1'));
    imap.drop();
    await waitFor('the approval', () => expect(mail.status()).toBe('approved'));
  });

  describe('of a big mail', () => {
    const BIG = 'x'.repeat(75).concat('\r\n');

    test('one of 1 MB is read', async () => {
      const mail = await open();
      await seen(imap.deliver(await mail.signed(`1\r\n\r\n${BIG.repeat(13_000)}`)));
      expect(mail.status()).toBe('approved');
    });

    test('[AP-5] one of 10 MB is not read, nothing is decided, and the person is told why', async () => {
      const mail = await open();
      const raw = await mail.signed(`1\r\n\r\n${BIG.repeat(140_000)}`);
      expect(raw.length).toBeGreaterThan(10_000_000);
      await seen(imap.deliver(raw));
      expect(mail.status()).toBe('pending');
      expect(mail.told()).toEqual([expect.stringMatching(/too big/)]);
      expect(mail.domain.lookUps).toEqual([]);
    });

    test('of a stranger only the first bytes are fetched', async () => {
      const mail = await open();
      await idles();
      const fetches = () => imap.commands.filter((name) => name === 'UID FETCH').length;
      const raw = mail.mail(`1\r\n\r\n${BIG.repeat(13_000)}`, { from: 'eve@evil.test' });
      await seen(imap.deliver(raw));
      expect(fetches()).toBe(1);
      expect(mail.told()).toEqual([]);
    });
  });

  test('rubbish does not stop what comes after it', async () => {
    const mail = await open();
    for (const raw of ['', 'rubbish', '\r\n\r\n', `${'a'.repeat(70_000)}`, 'From: ana@example.com\r\n\r\n1'])
      imap.deliver(raw);
    await seen(imap.deliver(await mail.signed('1')));
    expect(mail.status()).toBe('approved');
    expect(mail.problems).toEqual([]);
    expect(mail.told()).toEqual([]);
  });

  test('with DKIM off a mailbox is read without look-ups', async () => {
    const mail = await open({ dkim: 'off' });
    await seen(imap.deliver(mail.mail('1')));
    expect(mail.status()).toBe('approved');
    expect(mail.domain.lookUps).toEqual([]);
  });

  describe('TLS', () => {
    test.each([{ implicit: true }, { implicit: false }])(
      'is required and checked: %j',
      async ({ implicit }) => {
        const ca = await createTestCa();
        const tls = await ca.issue(['localhost']);
        imap = await serve({ tls, implicit });
        const how = implicit ? 'implicit' : 'starttls';
        const stranger = await open({ imap: options({ tls: how }) });
        await waitFor('the problem to be told', () => expect(stranger.problems).not.toEqual([]));
        expect(imap.commands).not.toContain('LOGIN');
        expect(imap.commands).not.toContain('AUTHENTICATE');
        await stranger.channel.stop();
        const mail = await open({ imap: options({ tls: how, ca: ca.cert }) });
        await seen(imap.deliver(await mail.signed('1')));
        expect(mail.status()).toBe('approved');
      },
    );

    test('a server without STARTTLS gets no password', async () => {
      const mail = await open({ imap: options({ tls: 'starttls' }) });
      await waitFor('the problem to be told', () => expect(mail.problems).not.toEqual([]));
      await mail.channel.stop();
      expect(imap.commands).not.toContain('LOGIN');
      expect(imap.commands).not.toContain('AUTHENTICATE');
    });

    test('a refused login is not repeated at once, and the password is in no error', async () => {
      const pauses: number[] = [];
      const mail = await open({
        imap: options({ password: new Secret('wr0ng-word') }),
        delay: (ms, signal) => {
          pauses.push(ms);
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        },
      });
      await waitFor('the long pause after a refused login', () => expect(pauses).toEqual([300_000]));
      expect(mail.problems).toEqual(['the mailbox cannot be read (login refused)']);
    });
  });

  test('[AP-3] its host is one of the channel, and so are the mail hosts of the people in the config', async () => {
    let addresses = ['ana@corp.example'];
    const mail = await open({
      imap: options({ host: 'imap.example.net', port: 9 }),
      addresses: () => addresses,
    });
    expect(mail.channel.hosts).toEqual(
      expect.arrayContaining(['imap.example.net', 'corp.example', 'mail.corp.example', 'imap.corp.example']),
    );
    expect(mail.channel.hosts).not.toContain('api.corp.example');
    addresses = ['bob@other.example'];
    expect(mail.channel.hosts).toContain('mail.other.example');
  });

  test.each([
    { why: 'while it waits for news', port: () => imap.port },
    { why: 'between two tries', port: () => 9 },
  ])('a stop ends it at once, $why', async ({ port }) => {
    const mail = await open({ imap: options({ port: port() }), delay: realDelay });
    await waitFor('the reader to wait for mails, or its problem', () =>
      expect(imap.idling + mail.problems.length).toBe(1),
    );
    await mail.channel.stop();
    await mail.channel.stop();
    await waitFor('the connection to end', () => expect(imap.idling).toBe(0));
  });

  test('a stop does not wait for a name server that never answers, and nothing is decided', async () => {
    const asked = Promise.withResolvers<void>();
    const mail = await open({
      resolve: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    });
    imap.deliver(await mail.signed('1'));
    await asked.promise;
    await mail.channel.stop();
    expect(mail.status()).toBe('pending');
  });

  test('a stop does not wait for a server that never says a word', async () => {
    const mute = createServer((socket) => void socket.on('error', () => {}));
    const connected = once(mute, 'connection');
    const mail = await open({ imap: options({ port: await listenOnFreePort(mute) }) });
    const [socket] = await connected;
    await mail.channel.stop();
    mute.close();
    socket.destroy();
  });
});
