import type { SallyportError } from '@sallyport/protocol';
import { expect, test } from 'vitest';
import type { OutgoingExchange, ResponseSink } from '../../shared/http-message.ts';
import { BodyRoom, BufferedExchange } from './buffered-exchange.ts';

function sinkOf(errors: string[]): ResponseSink {
  return {
    onInformational() {},
    onHead() {},
    onBody: () => true,
    onEnd() {},
    onError: (error) => void errors.push((error as SallyportError).code),
    onDrain() {},
  };
}

const idle: OutgoingExchange = { write: () => true, end() {}, resume() {}, abort() {} };

test('[NE-8] bodies that are held in memory have one room together, and give it back however they end', async () => {
  const room = new BodyRoom({ each: 10, all: 15 });
  const errors: string[] = [];
  const open = (): BufferedExchange => new BufferedExchange(sinkOf(errors), async () => idle, room);
  const [one, two, three] = [open(), open(), open()];
  one.write(Buffer.alloc(10));
  two.write(Buffer.alloc(5));
  expect(errors).toEqual([]);
  three.write(Buffer.alloc(1));
  expect(errors).toEqual(['Unavailable']);
  one.abort();
  one.abort();
  const four = open();
  four.write(Buffer.alloc(10));
  expect(errors).toEqual(['Unavailable']);
  four.end();
  await Promise.resolve();
  const five = open();
  five.write(Buffer.alloc(10));
  five.write(Buffer.alloc(1));
  expect(errors).toEqual(['Unavailable', 'PayloadTooLarge']);
});
