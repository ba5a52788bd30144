import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { EventStream } from './event-stream.ts';

/** As much of a response as a stream of events uses. */
function responseOf(): { readonly response: ServerResponse; text(): string } {
  const sink = new PassThrough({ highWaterMark: 1 });
  let text = '';
  const response = Object.assign(sink, { writeHead: () => response });
  const write = sink.write.bind(sink);
  sink.write = ((chunk: string) => {
    text += chunk;
    return write(chunk);
  }) as typeof sink.write;
  // `as`: a stream with the one method of a response that is called.
  return { response: response as unknown as ServerResponse, text: () => text };
}

const dataOf = (text: string): readonly string[] =>
  [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data ?? '');

test('a client that comes back gets what it missed, once, and nothing that it had', async () => {
  const stream = new EventStream('s1', 60_000, () => {});
  const first = responseOf();
  stream.attach(first.response, {});
  stream.send('{"n":1}');
  first.response.destroy();
  await once(first.response, 'close');
  stream.send('{"n":2}');
  stream.send('{"n":3}');
  const second = responseOf();
  stream.attach(second.response, {}, 1);
  expect(dataOf(first.text())).toEqual(['{"n":1}']);
  expect(dataOf(second.text())).toEqual(['{"n":2}', '{"n":3}']);
  stream.end();
});

test('whoever listens anew takes the place of whoever listened before', () => {
  const stream = new EventStream('own', 60_000, () => {});
  const [first, second] = [responseOf(), responseOf()];
  stream.attach(first.response, {});
  stream.attach(second.response, {});
  stream.send('{"n":1}');
  expect(first.response.writableEnded).toBe(true);
  expect(dataOf(first.text())).toEqual([]);
  expect(dataOf(second.text())).toEqual(['{"n":1}']);
  stream.end();
});

test('[TO-9] what waits for a client that is away is bounded, and the newest is kept', () => {
  const stream = new EventStream('s1', 60_000, () => {});
  for (let n = 0; n < 5_000; n += 1) stream.send(JSON.stringify({ n, text: 'x'.repeat(1_000) }));
  const { response, text } = responseOf();
  stream.attach(response, {}, 1);
  expect(text().length).toBeLessThan(1_100_000);
  expect(dataOf(text()).at(-1)).toContain('"n":4999');
  stream.end();
});

test('[TO-9] a client that reads nothing is cut off', () => {
  const stream = new EventStream('s1', 60_000, () => {});
  const { response } = responseOf();
  stream.attach(response, {});
  for (let n = 0; n < 10 && !response.destroyed; n += 1) stream.send(`{"text":"${'x'.repeat(1024 * 1024)}"}`);
  expect(response.destroyed).toBe(true);
  stream.end();
});
