import { describe, expect, test } from 'vitest';
import { FRIENDLY_REQUESTS } from './cases/friendly-cases.ts';
import { borderSets, readRequests } from './cases/portions.fixture.ts';
import { CHUNK_ATTACKS, FRAMING_ATTACKS, HEAD_ATTACKS, type HostileRequest } from './cases/request-cases.ts';
import { HOST_ATTACKS, LINE_ATTACKS, SWITCH_ATTACKS } from './cases/target-cases.ts';

function expectRefused({ bytes, reason, side = 'server' }: HostileRequest): void {
  const buffer = Buffer.from(bytes, 'latin1');
  for (const borders of borderSets(buffer.length)) {
    const { refused, requests } = readRequests(buffer, side, borders);
    expect(refused).toBe(reason);
    expect(requests).toEqual([]);
  }
}

describe.each([
  ['framing', FRAMING_ATTACKS],
  ['chunks', CHUNK_ATTACKS],
  ['lines and fields', HEAD_ATTACKS],
  ['the request line', LINE_ATTACKS],
  ['the host', HOST_ATTACKS],
  ['switching', SWITCH_ATTACKS],
] as const)('[NE-5] %s: refused however the bytes are cut', (_what, attacks) => {
  test.each(attacks)('$attack: $reason', expectRefused);
});

test.each(FRIENDLY_REQUESTS)('reads $why', ({ bytes, side = 'server', read }) => {
  const buffer = Buffer.from(bytes, 'latin1');
  for (const borders of borderSets(buffer.length)) {
    const { refused, requests, isPartial } = readRequests(buffer, side, borders);
    expect(refused).toBeUndefined();
    expect(isPartial).toBe(false);
    const shown = requests.flatMap(({ head, body }) => {
      const { host, port } = head.authority;
      const where = port === undefined ? host : `${host}:${port}`;
      return [`${head.method} ${where} ${head.target} ${head.version}`, body];
    });
    expect(shown).toEqual(read);
  }
});

test('there are more ways to be refused than to be read', () => {
  const hostile = [FRAMING_ATTACKS, CHUNK_ATTACKS, HEAD_ATTACKS, LINE_ATTACKS, HOST_ATTACKS, SWITCH_ATTACKS];
  expect(hostile.flat().length).toBeGreaterThan(5 * FRIENDLY_REQUESTS.length);
});

test.each<[string, string, boolean, string]>([
  ['HTTP/1.1', '', true, 'the default of 1.1'],
  ['HTTP/1.1', 'Connection: close\r\n', false, 'close'],
  ['HTTP/1.1', 'Connection: x, CLOSE\r\n', false, 'close in a list'],
  ['HTTP/1.1', 'Connection: closed\r\n', true, 'another word'],
  ['HTTP/1.0', '', false, 'the default of 1.0'],
  ['HTTP/1.0', 'Connection: Keep-Alive\r\n', true, 'keep-alive'],
  ['HTTP/1.0', 'Connection: keep-alive\r\nConnection: close\r\n', false, 'both: close wins'],
])('%s %j keeps the connection: %s (%s)', (version, fields, keepAlive) => {
  const bytes = Buffer.from(`GET / ${version}\r\nHost: a.example\r\n${fields}\r\n`);
  expect(readRequests(bytes, 'server', []).requests[0]?.head.keepAlive).toBe(keepAlive);
});

test('stops at the end of a head and of a request, so that nothing is read before its time', () => {
  const whole = 'POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 2\r\n\r\nhiGET';
  const { requests, isPartial } = readRequests(Buffer.from(whole), 'server', []);
  expect(requests.map(({ body }) => body)).toEqual(['hi']);
  expect(isPartial).toBe(true);
});
