import type { TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDoor } from './door-fixture.ts';
import { McpTestClient } from './mcp-client.ts';
import { Wire } from './wire.ts';

// Two readers of one protocol: whatever one byte of a head is turned into, both must give the same answer. A message that
// comes as a whole is read by ours first; one whose first byte comes alone is node's from there on.

/** How many are under way at once; the most that wait are those that say a length which never comes. */
const WIDTH = 64;
const BYTES = ['\0', '\t', '\n', '\r', ' ', ',', ':', '1', 'x', '\x7f', '\x80'];

let gateway: TestGateway;
let client: McpTestClient;
beforeAll(async () => {
  gateway = await startDoor({}, { limits: { headersTimeoutMs: 2_000, requestTimeoutMs: 2_000 } });
  client = await McpTestClient.open(gateway);
});
afterAll(() => gateway.close());

let lastId = 100_000;

/** Every id may be in use once, and all are of one length. */
function message(): string {
  lastId += 1;
  const params = { name: 'fix/echo', arguments: { message: 'a' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params });
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    `Content-Length: ${body.length}`,
    'Content-Type: application/json',
    'Connection: keep-alive',
    'Accept: */*',
    `Mcp-Session-Id: ${client.session}`,
    `Authorization: Bearer ${client.token}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

async function outcome(pieces: readonly string[]): Promise<string> {
  using wire = new Wire(gateway.ports.api);
  await wire.send(...pieces);
  const answer = await wire.answer();
  return answer === undefined ? 'closed' : `${answer.status} ${answer.body.replace(/"id":1\d{5}/, '"id":0')}`;
}

test('no byte of a head makes two messages of one', { timeout: 300_000 }, async () => {
  const length = message().indexOf('\r\n\r\n') + 4;
  const cases = Array.from({ length: length - 1 }, (_, index) => index + 1).flatMap((at) =>
    BYTES.map((byte) => ({ at, byte })),
  );
  const differences: unknown[] = [];
  const seen = new Set<string>();
  const next = async (): Promise<void> => {
    for (let one = cases.pop(); one !== undefined; one = cases.pop()) {
      const { at, byte } = one;
      const change = (text: string): string => `${text.slice(0, at)}${byte}${text.slice(at + 1)}`;
      const whole = await outcome([change(message())]);
      const text = change(message());
      const split = await outcome([text.slice(0, 1), text.slice(1)]);
      seen.add(split.slice(0, 3));
      if (whole !== split) differences.push({ at, byte, whole, split });
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, next));
  expect(differences).toEqual([]);
  // It would say nothing if all of them were refused.
  expect([...seen]).toEqual(expect.arrayContaining(['200', '400', '401', '404', '421']));
});
