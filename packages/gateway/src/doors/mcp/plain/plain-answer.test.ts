import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { PlainAnswer } from './plain-answer.ts';

function begin({ keepsAlive = true } = {}): { answer: PlainAnswer; sent: () => string; end: () => void } {
  let text = '';
  const pipe = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const session = new AbortController();
  const answer = new PlainAnswer({
    // `as`: of a socket it writes, asks what was written, and destroys.
    socket: pipe as unknown as Socket,
    ended: session.signal,
    keepsAlive: () => keepsAlive,
    keepAliveSeconds: 10,
    onOver: () => {},
  });
  return {
    answer,
    /** what was sent since it was last asked for */
    sent: () => {
      const sent = text;
      text = '';
      return sent;
    },
    end: () => session.abort(),
  };
}

test('says how long it is in bytes, whatever it was told', () => {
  const { answer, sent } = begin();
  answer.writeHead(200, { 'x-a': 'b', 'content-length': 999 });
  answer.end('ü');
  expect(sent()).toMatch(
    /^HTTP\/1\.1 200 OK\r\nx-a: b\r\nDate: [^\r]+ GMT\r\nContent-Length: 2\r\nConnection: keep-alive\r\nKeep-Alive: timeout=10\r\n\r\nü$/,
  );
});

test('is the last of its connection once the gateway stops, and says so', () => {
  const { answer, sent } = begin({ keepsAlive: false });
  answer.writeHead(202, {});
  answer.end();
  expect(sent()).toMatch(/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n$/);
  expect(answer.isLast).toBe(true);
});

test('a stream goes out in chunks', () => {
  const { answer, sent } = begin();
  answer.writeHead(200, {});
  answer.write('äb');
  answer.write('');
  answer.end();
  const text = sent();
  expect(text).toContain('\r\nTransfer-Encoding: chunked\r\n');
  expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe('3\r\näb\r\n0\r\n\r\n');
});

test('nothing follows what is complete, and whoever waits for that hears of it once', () => {
  const { answer, sent } = begin();
  let closed = 0;
  answer.once('close', () => {
    closed += 1;
  });
  answer.writeHead(200, {});
  answer.end('a');
  sent();
  answer.write('b');
  answer.end('c');
  answer.close();
  expect([sent(), closed, answer.destroyed]).toEqual(['', 1, true]);
});

test('[ID-3] nothing leaves after the session has ended', () => {
  const { answer, sent, end } = begin();
  answer.writeHead(200, {});
  end();
  answer.end('a');
  expect(sent()).toBe('');
});

test('a header that would be two is not written', () => {
  const { answer } = begin();
  answer.writeHead(200, { 'x-a': 'b\r\nx-c: d' });
  expect(() => answer.end('a')).toThrow('unwritable');
});
