import type { TestGateway } from '@sallyport/testkit';
import type { McpTestClient } from './mcp-client.ts';
import type { WireAnswer } from './wire.ts';

/** A door that gives up soon, and reads short heads. */
export const SHORT_LIMITS = {
  headersTimeoutMs: 1_500,
  requestTimeoutMs: 2_500,
  keepAliveTimeoutMs: 1_000,
  headerBytes: 8 * 1024,
};

/** Headers of a message; undefined: without it. */
export type Lines = Readonly<Record<string, string | undefined>>;

export function rpc(method: string, params: object, id: number | string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** An id may be in use once. */
let lastId = 100;

function nextId(): number {
  lastId += 1;
  return lastId;
}

export function echo(message: string, id = nextId()): string {
  return rpc('tools/call', { name: 'fix/echo', arguments: { message } }, id);
}

/** A message as a client would send it; `lines` are put in place of its headers of the same name, or beside them. */
export function plainMessage(
  { ports }: Pick<TestGateway, 'ports'>,
  { token, session }: Pick<McpTestClient, 'token' | 'session'>,
  body: string,
  lines: Lines = {},
): string {
  const headers: Record<string, string | undefined> = {
    Host: `127.0.0.1:${ports.api}`,
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Mcp-Session-Id': session,
    'Content-Length': String(Buffer.byteLength(body)),
    ...lines,
  };
  const head = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  );
  return `POST /mcp HTTP/1.1\r\n${head.join('')}\r\n${body}`;
}

/** Node's server keeps the case of a header that the door gave it; the other writer has its own. */
export function isShortcut(answer: WireAnswer | undefined): boolean {
  return answer?.head.includes('\r\nContent-Length: ') === true;
}

export function split(text: string, at: number): [string, string] {
  return [text.slice(0, at), text.slice(at)];
}
