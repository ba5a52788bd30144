import { createServer } from 'node:http';
import { closeServer, FakeClock, httpClient, listenOnFreePort, WebhookReceiver } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  DECISION_PATH,
  WebhookChannel,
  type WebhookOptions,
} from '../../src/approvals/channels/webhook/webhook-channel.ts';
import { Secret } from '../../src/shared/secret.ts';
import { Answers, approvalFixture, KEY } from './answers.fixture.ts';

const ana = { user: 'ana', identity: 'ana at work' };
const never = new AbortController().signal;
const SECRET = 'a secret that both ends know';

describe('the webhook channel', () => {
  const approval = approvalFixture();
  const clock = new FakeClock();
  let receiver: WebhookReceiver;
  let answers: Answers;
  let channel: WebhookChannel;
  let baseUrl = '';
  // The route as the operator side has it: path and query in, page out.
  const door = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const page = await channel.decide({
      method: request.method === 'POST' ? 'POST' : 'GET',
      approvalId: url.pathname.slice(DECISION_PATH.length + 1),
      who: url.searchParams.get('who') ?? '',
      key: url.searchParams.get('key') ?? '',
      fields: Object.fromEntries(new URLSearchParams(body)),
    });
    response.writeHead(page.status, page.headers).end(page.body);
  });

  const create = (over: Partial<WebhookOptions> = {}): WebhookChannel =>
    new WebhookChannel({
      url: `${receiver.url}/hook`,
      secret: new Secret(SECRET),
      ceiling: 'once',
      key: KEY,
      baseUrl,
      isListed: (identity) => identity === ana.identity,
      find: async (id) => answers.get(id),
      clock,
      ...over,
    });
  const ask = async (question = approval): Promise<string> => {
    await channel.deliver(question, ana, never);
    return String(receiver.posts.at(-1)!.body['decision_url']);
  };
  const open = (link: string, method = 'GET') => {
    const url = new URL(link);
    return httpClient({ url: link })(`${url.pathname}${url.search}`, { method });
  };
  const submit = (link: string, fields: Record<string, string>) => {
    const url = new URL(link);
    return httpClient({ url: link })(`${url.pathname}${url.search}`, {
      body: String(new URLSearchParams(fields)),
    });
  };

  beforeEach(async () => {
    receiver = await WebhookReceiver.start(SECRET, () => clock.now());
    if (!door.listening) baseUrl = `http://127.0.0.1:${await listenOnFreePort(door)}`;
    answers = new Answers(approval);
    channel = create();
    await channel.start(answers.onAnswer);
  });
  afterEach(async () => {
    await channel.stop();
    await channel.stop();
    await receiver[Symbol.asyncDispose]();
    await closeServer(door);
  });

  test('a signed, fresh post tells everything and brings a link', async () => {
    await ask();
    expect(receiver.refusals).toEqual([]);
    expect(receiver.posts[0]).toMatchObject({
      path: '/hook',
      body: { type: 'approval.requested', approval_id: approval.id, preview: approval.preview, risk: 'high' },
    });
  });

  test('a receiver with another secret, or one that gets an old post, refuses it', async () => {
    await expect(create({ secret: new Secret('other') }).deliver(approval, ana, never)).rejects.toThrow(
      /401/,
    );
    const late = create({ clock: { now: () => clock.now() - 3_600_000 } });
    await expect(late.deliver(approval, ana, never)).rejects.toThrow(/401/);
    expect(receiver.refusals).toEqual(['signature', 'age']);
  });

  test('[AP-5] opening the link shows the question and decides nothing, however often', async () => {
    const link = await ask();
    for (const method of ['GET', 'HEAD', 'GET', 'OPTIONS']) await open(link, method);
    const page = await open(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain('git push origin main');
    expect(page.text).toContain('<form method="post"');
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(answers.taken).toEqual([]);
  });

  test.each([
    { why: 'once', fields: { code: '1', text: '' }, answer: { kind: 'text', text: '1' } },
    { why: 'a note', fields: { code: '4', text: 'add logs' }, answer: { kind: 'text', text: '4 add logs' } },
    {
      why: 'minutes',
      fields: { code: '1m' },
      answer: { kind: 'decision', decision: { code: '1', minutes: 15 } },
    },
    {
      why: 'minutes by number',
      fields: { code: '1', minutes: '30' },
      answer: { kind: 'decision', decision: { code: '1', minutes: 30 } },
    },
  ])('a POST decides: $why', async ({ fields, answer }) => {
    const page = await submit(await ask(), fields);
    expect(page.status).toBe(200);
    expect(answers.taken).toEqual([{ approvalId: approval.id, identity: ana.identity, answer }]);
  });

  test.each([
    { why: 'free text', fields: { code: 'yes' } },
    { why: 'no code', fields: {} },
    { why: 'a code that brings a payload', fields: { code: '5 rm -rf /' } },
    { why: 'a note without text', fields: { code: '4', text: '' } },
    { why: 'a code with a text that it does not take', fields: { code: '1', text: 'please' } },
  ])('[AP-5] $why is told and decides nothing', async ({ fields }) => {
    const page = await submit(await ask(), fields);
    expect(page.status).toBe(422);
    expect(page.text).toMatch(/Nothing was decided/);
    expect(answers.get(approval.id)?.status).toBe('pending');
  });

  test('[AP-8] the second answer is too late, and the page of an ended question has no form', async () => {
    const link = await ask();
    await submit(link, { code: '3' });
    const second = await submit(link, { code: '1' });
    expect(second.status).toBe(409);
    expect(second.text).toMatch(/Too late/);
    const page = await open(link);
    expect(page.text).not.toContain('<form');
    expect(page.text).toMatch(/Denied/);
  });

  test.each([
    { why: 'a wrong key', change: (link: string) => link.replace(/key=\w+/, `key=${'0'.repeat(26)}`) },
    { why: 'no key', change: (link: string) => link.replace(/&key=\w+/, '') },
    { why: 'another person', change: (link: string) => link.replace(/who=[^&]+/, 'who=bob') },
    { why: 'another question', change: (link: string) => link.replace(/appr_\w+/, `appr_${'0'.repeat(26)}`) },
  ])('[AP-8] a link with $why opens and decides nothing', async ({ change }) => {
    const link = change(await ask());
    expect((await open(link)).status).toBe(403);
    const page = await submit(link, { code: '1' });
    expect(page.status).toBe(403);
    expect(page.text).not.toContain('git push');
    expect(answers.taken).toEqual([]);
  });

  test('[AP-2] a person who is no longer listed decides nothing', async () => {
    const link = await ask();
    channel = create({ isListed: () => false });
    await channel.start(answers.onAnswer);
    expect((await submit(link, { code: '1' })).status).toBe(403);
    expect(answers.taken).toEqual([]);
  });

  test('[AP-6] hostile words are text on the page', async () => {
    const evil =
      '</pre><form action="https://evil.test"><button name="code" value="6">3. Deny</button><script>x</script>';
    const trap = { ...approval, title: evil, preview: evil };
    answers.put(trap);
    const page = await open(await ask(trap));
    expect(page.text.match(/<form/g)).toHaveLength(1);
    expect(page.text).not.toContain('<script');
    expect(page.text.match(/<button/g)).toHaveLength(7);
  });

  test('a link made before a restart still works after it', async () => {
    const link = await ask();
    await channel.stop();
    channel = create();
    await channel.start(answers.onAnswer);
    expect((await submit(link, { code: '1' })).status).toBe(200);
  });

  test('the end is posted, and a question that is open again brings its link again', async () => {
    const ref = await channel.deliver(approval, ana, never);
    await channel.update(ref, { ...approval, status: 'expired' }, never);
    await channel.update(ref, approval, never);
    const [, ended, reopened] = receiver.posts.map(({ body }) => body);
    expect(ended).toMatchObject({ type: 'approval.ended', status: 'expired' });
    expect(ended).not.toHaveProperty('decision_url');
    expect(reopened).toMatchObject({ type: 'approval.reopened', decision_url: expect.any(String) });
  });

  test('an error, and a redirect to somewhere else, reject the delivery', async () => {
    receiver.answerNext(500);
    await expect(channel.deliver(approval, ana, never)).rejects.toThrow(/500/);
    receiver.answerNext(307);
    await expect(channel.deliver(approval, ana, never)).rejects.toThrow(/307/);
    expect(receiver.posts).toEqual([]);
    await expect(create({ url: 'http://127.0.0.1:9/' }).deliver(approval, ana, never)).rejects.toThrow(
      /reached/,
    );
  });

  test('[AP-3] it names the host that it posts to', () => {
    expect(channel.hosts).toEqual(['127.0.0.1']);
  });
});
