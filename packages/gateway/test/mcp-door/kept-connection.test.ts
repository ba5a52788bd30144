import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestGateway } from '@sallyport/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startDoor } from './door-fixture.ts';
import { McpTestClient } from './mcp-client.ts';

// What a connection said before is remembered: whatever it says anew is looked at anew.

let gateway: TestGateway;
let client: McpTestClient;
let line: Line;
beforeEach(async () => {
  gateway = await startDoor();
  client = await McpTestClient.open(gateway);
  line = new Line(new URL(gateway.urls.api));
});
afterEach(async () => {
  line.socket.destroy();
  await gateway.close();
});

/** One connection, and the requests that go over it one after the other. */
class Line {
  readonly socket: Socket;
  readonly host: string;

  constructor({ hostname, port, host }: URL) {
    this.host = host;
    this.socket = connect({ host: hostname, port: Number(port) });
    this.socket.setEncoding('latin1');
    this.socket.on('error', () => {});
  }

  /** The status and everything else; `closed` when the connection ends instead. */
  async ask(head: Readonly<Record<string, string>>, body: string): Promise<string> {
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
    let text = '';
    for (;;) {
      const [chunk] = await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')]);
      if (typeof chunk !== 'string') return text === '' ? 'closed' : text;
      text += chunk;
      const [, length] = /\r\ncontent-length: (\d+)/i.exec(text) ?? [];
      if (length !== undefined && text.length >= text.indexOf('\r\n\r\n') + 4 + Number(length)) return text;
    }
  }
}

function echo(message: string): string {
  const params = { name: 'fix/echo', arguments: { message } };
  return JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
}

function headOf(body: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    host: line.host,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${client.token}`,
    'mcp-session-id': client.session ?? '',
    'content-length': String(Buffer.byteLength(body)),
    ...more,
  };
}

async function sessions(): Promise<readonly string[]> {
  const answer = await gateway.operator('/v1/sessions');
  return answer.json<{ items: readonly { id: string }[] }>().items.map(({ id }) => id);
}

async function end(ids: readonly string[]): Promise<void> {
  for (const id of ids) await gateway.operator(`/v1/sessions/${id}`, { method: 'DELETE' });
}

test('messages of one connection are answered one after the other, whatever their length', async () => {
  for (const message of ['a', 'bb', 'c'.repeat(5_000), 'd'])
    expect(await line.ask(headOf(echo(message)), echo(message))).toContain(`Echo: ${message}`);
});

test.each<{ why: string; more: Readonly<Record<string, string>>; status: string }>([
  { why: 'another Host', more: { host: 'evil.example' }, status: '421' },
  { why: 'an Origin', more: { origin: 'https://evil.example' }, status: '421' },
  { why: 'another token', more: { authorization: `Bearer spt_${'x'.repeat(43)}` }, status: '401' },
  { why: 'another MCP session', more: { 'mcp-session-id': 'somebody-elses' }, status: '404' },
  { why: 'an unknown version', more: { 'mcp-protocol-version': '1999-01-01' }, status: '400' },
  { why: 'a length that is none', more: { 'content-length': '+80' }, status: '400' },
  { why: 'a length that is too large', more: { 'content-length': '99999999' }, status: '413' },
])('$why is noticed on a connection that was good before', async ({ more, status }) => {
  expect(await line.ask(headOf(echo('a')), echo('a'))).toContain('Echo: a');
  const answer = await line.ask(headOf(echo('b'), more), echo('b'));
  expect(answer).not.toContain('Echo: b');
  expect(answer.slice(9, 12)).toBe(status);
});

test('[ID-3] a connection ends with its session, in the middle of a message', async () => {
  expect(await line.ask(headOf(echo('a')), echo('a'))).toContain('Echo: a');
  const closed = line.ask(headOf(echo('b')), echo('b').slice(0, -1));
  await end(await sessions());
  expect(await closed).toBe('closed');
});

test('[ID-3] a second session on a connection has its own place and its own end', async () => {
  expect(await line.ask(headOf(echo('a')), echo('a'))).toContain('Echo: a');
  const before = await sessions();
  const other = await McpTestClient.open(gateway);
  const token = { authorization: `Bearer ${other.token}` };
  const own = { ...token, 'mcp-session-id': other.session ?? '' };
  expect(await line.ask(headOf(echo('b'), token), echo('b'))).toContain(' 404 ');
  expect(await line.ask(headOf(echo('c'), own), echo('c'))).toContain('Echo: c');
  const closed = line.ask(headOf(echo('d'), own), echo('d').slice(0, -1));
  await end((await sessions()).filter((id) => !before.includes(id)));
  expect(await closed).toBe('closed');
});

test('a connection on which nothing is under way outlives its session', async () => {
  expect(await line.ask(headOf(echo('a')), echo('a'))).toContain('Echo: a');
  await end(await sessions());
  expect(await line.ask(headOf(echo('b')), echo('b'))).toContain(' 401 ');
  client = await McpTestClient.open(gateway);
  expect(await line.ask(headOf(echo('c')), echo('c'))).toContain('Echo: c');
});
