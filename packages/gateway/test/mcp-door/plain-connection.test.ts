import { type TestGateway, waitFor, waitUntil } from '@sallyport/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startDoor } from './door-fixture.ts';
import { McpTestClient } from './mcp-client.ts';
import { echo, isShortcut, type Lines, plainMessage, SHORT_LIMITS, split } from './plain-fixture.ts';
import { Wire, type WireAnswer } from './wire.ts';

// Plain messages are answered before node's HTTP server sees them. Nobody may be able to tell but by the clock.

let gateway: TestGateway;
let client: McpTestClient;
const wires: Wire[] = [];
beforeAll(async () => {
  gateway = await startDoor({}, { limits: SHORT_LIMITS });
  client = await McpTestClient.open(gateway);
});
afterEach(() => {
  for (const wire of wires.splice(0)) wire.socket.destroy();
});
afterAll(() => gateway.close());

function open(): Wire {
  const wire = new Wire(gateway.ports.api);
  wires.push(wire);
  return wire;
}

const CANCELLED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: {} });

const plain = (body: string, lines?: Lines): string => plainMessage(gateway, client, body, lines);

/** Everything that a client could tell two answers apart by, but for when they were given. */
function shown(answer: WireAnswer | undefined): unknown {
  if (answer === undefined) return 'closed';
  const [line = '', ...fields] = answer.head
    .toLowerCase()
    .replace(/\r\ndate: [^\r]*/, '')
    .split('\r\n');
  return { line, fields: fields.toSorted(), body: answer.body };
}

test('a message is answered before node is asked, with the same answer', async () => {
  const one = open();
  await one.send(plain(echo('a', 1)));
  const short = await one.answer();
  // A busy machine may hand both pieces over at once.
  const long = await waitUntil('a message that arrives in two pieces', async () => {
    const two = open();
    await two.send(...split(plain(echo('a', 1)), 1));
    const answer = await two.answer();
    return !isShortcut(answer) && answer;
  });
  expect(short?.body).toContain('Echo: a');
  expect([isShortcut(short), isShortcut(long)]).toEqual([true, false]);
  expect(shown(short)).toEqual(shown(long));
  expect(short?.head).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/);
});

test('a message may come in two pieces, wherever it was cut', async () => {
  const { length } = plain(echo('a', 100_000));
  const cuts = Array.from({ length: length - 1 }, (_, index) => index + 1);
  const tryCut = async (at: number): Promise<void> => {
    using wire = new Wire(gateway.ports.api);
    await wire.send(...split(plain(echo('a', 100_000 + at)), at));
    const answer = await wire.answer();
    expect({ at, body: answer?.body }).toEqual({ at, body: expect.stringContaining('Echo: a') });
    await wire.send(plain(echo('b')));
    expect((await wire.answer())?.body).toContain('Echo: b');
  };
  for (let from = 0; from < cuts.length; from += 40)
    await Promise.all(cuts.slice(from, from + 40).map(tryCut));
});

test('a body may come after its head, in as many pieces as its client likes', async () => {
  const wire = open();
  for (const pieces of [2, 3, 40]) {
    const text = plain(echo('x'.repeat(100)));
    const start = text.indexOf('\r\n\r\n') + 4;
    const length = Math.ceil((text.length - start) / (pieces - 1));
    const cuts = Array.from({ length: pieces - 1 }, (_, index) => start + index * length);
    await wire.send(text.slice(0, start), ...cuts.map((at) => text.slice(at, at + length)));
    const answer = await wire.answer();
    expect(answer?.body).toContain('Echo: xxx');
    expect(isShortcut(answer)).toBe(true);
  }
});

test('a body that comes in too many pieces is put together by node', async () => {
  const wire = open();
  const text = plain(echo('x'.repeat(3_000)));
  const [head, body] = split(text, text.indexOf('\r\n\r\n') + 4);
  await wire.send(head);
  wire.socket.setNoDelay(true);
  for (const byte of body) {
    wire.socket.write(byte);
    await new Promise(setImmediate);
  }
  expect((await wire.answer())?.body).toContain('Echo: xxx');
});

test('a message that is sent ahead of an answer, in pieces, is answered after it', async () => {
  const wire = open();
  const [first, second] = [plain(echo('a')), plain(echo('b'))];
  await wire.send(first.slice(0, -3), `${first.slice(-3)}${second.slice(0, -5)}`, second.slice(-5));
  expect((await wire.answer())?.body).toContain('Echo: a');
  expect((await wire.answer())?.body).toContain('Echo: b');
});

test('[TO-9] the body of a stranger is not waited for', async () => {
  const wire = open();
  const text = plain(echo('a'), { Authorization: `Bearer spt_${'x'.repeat(43)}` });
  await wire.send(text.slice(0, text.indexOf('\r\n\r\n') + 4));
  expect((await wire.answer())?.status).toBe(401);
});

test('a message may come byte by byte', async () => {
  const wire = open();
  await wire.send(plain(echo('first')));
  expect((await wire.answer())?.body).toContain('Echo: first');
  for (const byte of plain(echo('a'))) wire.socket.write(byte);
  expect((await wire.answer())?.body).toContain('Echo: a');
});

test('messages that are sent ahead are answered in their order', async () => {
  const wire = open();
  const texts = Array.from({ length: 30 }, (_, index) => plain(echo(`m${index}.`, index)));
  await wire.send(texts.slice(0, 1).join(''));
  await wire.send(...texts.slice(1, 10));
  await wire.send(texts.slice(10).join(''));
  for (let index = 0; index < texts.length; index += 1)
    expect((await wire.answer())?.body).toContain(`Echo: m${index}.`);
});

describe('what is not plain is answered as node answers it, on a new connection and on one that was good', () => {
  const rows: readonly { why: string; bytes: () => string; status: number }[] = [
    { why: 'no length', bytes: () => plain('', { 'Content-Length': undefined }), status: 400 },
    { why: 'a length of none', bytes: () => plain(echo('a', 1), { 'Content-Length': '-1' }), status: 400 },
    {
      why: 'a length with a sign',
      bytes: () => plain(echo('a', 1), { 'Content-Length': '+80' }),
      status: 400,
    },
    { why: 'a length in hex', bytes: () => plain(echo('a', 1), { 'Content-Length': '0x10' }), status: 400 },
    { why: 'a body that is too large', bytes: () => plain('', { 'Content-Length': '9999999' }), status: 413 },
    {
      why: 'a body that does not come to its end',
      bytes: () => plain(echo('a', 1), { 'Content-Length': '400' }),
      status: 408,
    },
    {
      why: 'two lengths',
      bytes: () => plain(echo('a', 1), { 'content-length': String(echo('a', 1).length) }),
      status: 400,
    },
    {
      why: 'a length and chunks',
      bytes: () => plain(echo('a', 1), { 'Transfer-Encoding': 'chunked' }),
      status: 400,
    },
    {
      why: 'a folded header',
      bytes: () => plain(echo('a', 1), { 'X-Long': 'a\r\n b' }),
      status: 400,
    },
    { why: 'a bare line feed', bytes: () => plain(echo('a', 1), { 'X-Two': 'a\nb: c' }), status: 400 },
    { why: 'a blank before a colon', bytes: () => plain(echo('a', 1), { 'X-Blank ': 'a' }), status: 400 },
    { why: 'a NUL', bytes: () => plain(echo('a', 1), { 'X-Nul': 'a\0b' }), status: 400 },
    {
      why: 'a head that is too large',
      bytes: () => plain(echo('a', 1), { 'X-Big': 'x'.repeat(9_000) }),
      status: 431,
    },
    { why: 'another Host', bytes: () => plain(echo('a', 1), { Host: 'evil.example' }), status: 421 },
    { why: 'two Hosts', bytes: () => plain(echo('a', 1), { host: 'evil.example' }), status: 421 },
    { why: 'no Host', bytes: () => plain(echo('a', 1), { Host: undefined }), status: 421 },
    { why: 'an Origin', bytes: () => plain(echo('a', 1), { Origin: 'https://evil.example' }), status: 421 },
    {
      why: 'a page of another site',
      bytes: () => plain(echo('a', 1), { 'Sec-Fetch-Site': 'cross-site' }),
      status: 421,
    },
    { why: 'no token', bytes: () => plain(echo('a', 1), { Authorization: undefined }), status: 401 },
    {
      why: 'an unknown token',
      bytes: () => plain(echo('a', 1), { Authorization: `Bearer spt_${'x'.repeat(43)}` }),
      status: 401,
    },
    { why: 'two tokens', bytes: () => plain(echo('a', 1), { authorization: 'Bearer spt_b' }), status: 400 },
    {
      why: 'two tokens, the last of which is good',
      bytes: () =>
        plain(echo('a', 1), { Authorization: 'Bearer spt_b', authorization: `Bearer ${client.token}` }),
      status: 400,
    },
    {
      why: 'two clients, the last of which is good',
      bytes: () => plain(echo('a', 1), { 'Mcp-Session-Id': 'other', 'mcp-session-id': client.session }),
      status: 404,
    },
    { why: 'no JSON type', bytes: () => plain(echo('a', 1), { 'Content-Type': 'text/plain' }), status: 415 },
    { why: 'no JSON', bytes: () => plain('{"jsonrpc":'), status: 400 },
    { why: 'no UTF-8', bytes: () => plain('"a"').replace('"a"', '"\xff"'), status: 400 },
    { why: 'a prototype', bytes: () => plain('{"__proto__":{"a":1}}'), status: 400 },
    { why: 'no message', bytes: () => plain('[]'), status: 400 },
    { why: 'a type nobody has', bytes: () => plain(echo('a', 1), { Accept: 'image/png' }), status: 406 },
    { why: 'another client', bytes: () => plain(echo('a', 1), { 'Mcp-Session-Id': 'other' }), status: 404 },
    {
      why: 'an unknown version',
      bytes: () => plain(echo('a', 1), { 'Mcp-Protocol-Version': '1999-01-01' }),
      status: 400,
    },
    { why: 'an odd expectation', bytes: () => plain(echo('a', 1), { Expect: 'tea' }), status: 400 },
    { why: 'another path', bytes: () => plain(echo('a', 1)).replace('/mcp', '/mcp/../session'), status: 404 },
    {
      why: 'a whole URL',
      bytes: () => plain(echo('a', 1)).replace('/mcp', 'http://127.0.0.1/mcp'),
      status: 400,
    },
    { why: 'HTTP/1.2', bytes: () => plain(echo('a', 1)).replace('HTTP/1.1', 'HTTP/1.2'), status: 400 },
    { why: 'HTTP/0.9', bytes: () => plain(echo('a', 1)).replace(' HTTP/1.1', ''), status: 200 },
    { why: 'no HTTP', bytes: () => 'hello\r\n\r\n', status: 400 },
    { why: 'a start of h2', bytes: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', status: 400 },
    { why: 'HTTP/1.0', bytes: () => plain(echo('a', 1)).replace('HTTP/1.1', 'HTTP/1.0'), status: 200 },
    {
      why: 'HTTP/1.0 that stays',
      bytes: () => plain(echo('a', 1), { Connection: 'keep-alive' }).replace('HTTP/1.1', 'HTTP/1.0'),
      status: 200,
    },
    { why: 'the last one', bytes: () => plain(echo('a', 1), { Connection: 'close' }), status: 200 },
    { why: 'an expectation', bytes: () => plain(echo('a', 1), { Expect: '100-continue' }), status: 100 },
    { why: 'a line before it', bytes: () => `\r\n${plain(echo('a', 1))}`, status: 200 },
    {
      why: 'chunks',
      bytes: () =>
        plain(`${echo('a', 1).length.toString(16)}\r\n${echo('a', 1)}\r\n0\r\n\r\n`, {
          'Content-Length': undefined,
          'Transfer-Encoding': 'chunked',
        }),
      status: 200,
    },
    { why: 'a notification', bytes: () => plain(CANCELLED), status: 202 },
  ];

  test.each(rows)('$why: $status', async ({ why, bytes, status }) => {
    const kept = open();
    await kept.send(plain(echo('before')));
    expect((await kept.answer())?.body).toContain('Echo: before');
    const answers: (WireAnswer | undefined)[] = [];
    // In turns: the id is the same.
    for (const [wire, pieces] of [
      [kept, [bytes()]],
      [open(), [bytes()]],
      [open(), split(bytes(), 1)],
    ] as const) {
      await wire.send(...pieces);
      answers.push(await wire.answer());
    }
    expect(answers.map((answer) => answer?.status)).toEqual([status, status, status]);
    // An empty answer is written in another way: node's has no chunks in it, ours says so.
    if (why === 'a notification') return;
    const [first, second, third] = answers.map(shown);
    expect(first).toEqual(third);
    expect(second).toEqual(third);
  });
});

test.each<{ what: string; lines: () => Record<string, string>; status: number }>([
  { what: 'token', lines: () => ({ Authorization: `Bearer ${mirrored(client.token)}` }), status: 401 },
  { what: 'client', lines: () => ({ 'Mcp-Session-Id': mirrored(client.session ?? '') }), status: 404 },
  { what: 'Host', lines: () => ({ Host: 'localhosu' }), status: 421 },
  { what: 'type', lines: () => ({ 'Content-Type': 'application/jsom' }), status: 415 },
])('another $what of the same length is noticed, also after the length', async ({ lines, status }) => {
  const first = (body: string, more: Record<string, string>): string => {
    const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    const rest = plain(body, { Host: 'localhost', 'Content-Length': undefined, ...more });
    return rest.replace('\r\n', `\r\n${length}`);
  };
  const wire = open();
  await wire.send(first(echo('a'), {}));
  expect(isShortcut(await wire.answer())).toBe(true);
  await wire.send(first(echo('b'), lines()));
  expect(await wire.answer()).toMatchObject({ status, body: expect.not.stringContaining('Echo') });
});

/** Another one that looks like it. */
function mirrored(text: string): string {
  return `${text.slice(0, 8)}${[...text.slice(8)].toReversed().join('')}`;
}

test('HTTP/1.0 is left to node, which knows how to end its streams', async () => {
  const wire = open();
  await wire.send(plain(echo('a'), { Connection: 'keep-alive' }).replace('HTTP/1.1', 'HTTP/1.0'));
  expect(isShortcut(await wire.answer())).toBe(false);
});

test('what follows a body that was longer than it said is not run', async () => {
  const wire = open();
  await wire.send(plain(echo('a'), { 'Content-Length': String(echo('a').length - 1) }));
  expect((await wire.answer())?.status).toBe(400);
  await wire.closed();
});

test.each([
  { what: 'another address', bytes: () => 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', says: '"ok"' },
  {
    what: 'a stream of the door',
    bytes: () =>
      plain('', { 'Content-Length': undefined, Accept: 'text/event-stream' }).replace('POST', 'GET'),
    says: 'event-stream',
  },
])(
  'a connection serves $what after plain messages, and plain messages after that',
  async ({ bytes, says }) => {
    const wire = open();
    for (const message of ['a', 'b', 'c']) {
      await wire.send(plain(echo(message)));
      const answer = await wire.answer();
      expect(answer?.body).toContain(`Echo: ${message}`);
      expect(isShortcut(answer)).toBe(true);
    }
    let seen = '';
    wire.socket.on('data', (chunk: string) => {
      seen += chunk;
    });
    await wire.send(bytes());
    await waitFor(`an answer with ${says}`, () => expect(seen).toContain(says));
    if (says === 'event-stream') return;
    await wire.answer();
    await wire.send(plain(echo('d')));
    expect((await wire.answer())?.body).toContain('Echo: d');
  },
);
