import type { Header } from '../../http-message.ts';
import { BadMessage } from '../bad-message.ts';
import type { RequestSide } from '../request-line.ts';
import { type RequestHead, RequestParser } from '../request-parser.ts';
import { type ParsedResponseHead, ResponseParser } from '../response-parser.ts';

export interface ReadRequest {
  readonly head: RequestHead;
  body: string;
  trailers: readonly Header[];
}

/** What was read until the bytes ended or were refused. */
export interface RequestReading {
  readonly requests: readonly ReadRequest[];
  /** a last request whose body or head is not whole */
  readonly isPartial: boolean;
  readonly refused: string | undefined;
  /** where the last whole request ends */
  readonly end: number;
}

/** Reads `bytes` as a connection would bring them, in portions that end at `borders`, until one says close. */
export function readRequests(bytes: Buffer, side: RequestSide, borders: readonly number[]): RequestReading {
  const requests: ReadRequest[] = [];
  let current: ReadRequest | undefined;
  let base = 0;
  let end = 0;
  const parser = new RequestParser(
    {
      onHead: (head) => {
        current = { head, body: '', trailers: [] };
      },
      onBody: (chunk) => {
        if (current !== undefined) current.body += chunk.toString('latin1');
      },
      onEnd: (trailers) => {
        if (current !== undefined) requests.push({ ...current, trailers });
        current = undefined;
      },
    },
    side,
  );
  try {
    for (const portion of portionsOf(bytes, borders)) {
      let at = 0;
      while (at < portion.length && requests.at(-1)?.head.keepAlive !== false) {
        at += parser.push(portion, at);
        if (parser.isComplete) end = base + at;
        parser.next();
      }
      base += portion.length;
    }
  } catch (error) {
    if (!(error instanceof BadMessage)) throw error;
    return { requests, isPartial: false, refused: error.reason, end };
  }
  return { requests, isPartial: !parser.isIdle, refused: undefined, end };
}

export interface ResponseReading {
  readonly informational: readonly number[];
  readonly head: ParsedResponseHead | undefined;
  readonly body: string;
  readonly trailers: readonly Header[] | undefined;
  /** bytes that belong to no response */
  readonly left: number;
  readonly refused: string | undefined;
}

/** Reads one response; `ends`: the server closes after the bytes. */
export function readResponse(
  bytes: Buffer,
  options: { readonly method?: string; readonly maySwitch?: boolean; readonly ends?: boolean },
  borders: readonly number[],
): ResponseReading {
  const informational: number[] = [];
  const seen: { head?: ParsedResponseHead; body: string; trailers?: readonly Header[] } = { body: '' };
  const parser = new ResponseParser({
    onInformational: (status) => informational.push(status),
    onHead: (head) => {
      seen.head = head;
    },
    onBody: (chunk) => {
      seen.body += chunk.toString('latin1');
    },
    onEnd: (trailers) => {
      seen.trailers = trailers;
    },
  });
  parser.start(options.method ?? 'GET', options.maySwitch);
  let left = 0;
  let refused: string | undefined;
  try {
    for (const portion of portionsOf(bytes, borders)) left += portion.length - parser.push(portion);
    if (options.ends === true) parser.finish();
  } catch (error) {
    if (!(error instanceof BadMessage)) throw error;
    refused = error.reason;
  }
  return { informational, head: seen.head, body: seen.body, trailers: seen.trailers, left, refused };
}

function* portionsOf(bytes: Buffer, borders: readonly number[]): Generator<Buffer> {
  let from = 0;
  for (const border of [...borders, bytes.length]) {
    if (border <= from) continue;
    yield bytes.subarray(from, border);
    from = border;
  }
}

/** Whole, byte by byte, and in a few arbitrary portions that are the same each time. */
export function borderSets(length: number): readonly (readonly number[])[] {
  const sets: number[][] = [[], Array.from({ length: Math.min(length, 4_000) }, (_, at) => at + 1)];
  let state = length + 1;
  for (let round = 0; round < 8; round++) {
    const borders: number[] = [];
    let at = 0;
    while (at < length) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      at += 1 + ((state >>> 16) % Math.max(2, Math.ceil(length / 4)));
      borders.push(at);
    }
    sets.push(borders);
  }
  return sets;
}
