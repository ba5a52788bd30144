import type { Header } from '../../../shared/http-message.ts';
import { type RequestHead, RequestParser } from '../../../shared/http1/index.ts';
import type { PlainEntrance } from './plain-entrance.ts';
import { isPlainLength, type PlainMessage } from './plain-message.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
/** fields of one head, at most: whoever sends more is not plain */
const FIELDS_AT_MOST = 100;
const LENGTH = /\r\ncontent-length: *(\d+) *\r\n/i;

/** A plain message of which all of the head is here. */
export interface PlainHead {
  readonly message: PlainMessage;
  /** where its body begins, and where that ends, in bytes from the beginning of the head */
  readonly start: number;
  readonly end: number;
}

/** A head that was found plain, in the two pieces around its length. */
interface Said {
  readonly before: string;
  readonly after: string;
  readonly hosts: readonly string[];
  readonly message: PlainMessage;
}

/**
 * Reads the messages of one connection. A client says the same with each of them, but for its length: what it said
 * before is compared, not read again.
 *
 * SECURITY: whatever is not one plain message to the strict parser is none to this; it is for others to read.
 */
export class PlainReader {
  readonly #entrance: PlainEntrance;
  readonly #headBytes: number;
  #said: Said | undefined;

  constructor(entrance: PlainEntrance, headBytes: number) {
    this.#entrance = entrance;
    this.#headBytes = headBytes;
  }

  /** Undefined: not plain, or more than one message. */
  read(bytes: Buffer): PlainHead | undefined {
    const border = bytes.indexOf(HEAD_END);
    if (border === -1 || border > this.#headBytes) return undefined;
    const start = border + HEAD_END.length;
    const text = bytes.toString('latin1', 0, start);
    const hosts = this.#entrance.hosts;
    const said = this.#said;
    // SECURITY: word for word, so that what was found plain is.
    const isKnown =
      said !== undefined &&
      said.hosts === hosts &&
      text.length > said.before.length + said.after.length &&
      text.startsWith(said.before) &&
      text.endsWith(said.after);
    const known = isKnown ? said : this.#readAnew(text, bytes, hosts);
    if (known === undefined) return undefined;
    const length = text.slice(known.before.length, text.length - known.after.length);
    const end = start + Number(length);
    if (!isPlainLength(length) || bytes.length > end) return undefined;
    this.#said = known;
    return { message: known.message, start, end };
  }

  #readAnew(text: string, bytes: Buffer, hosts: readonly string[]): Said | undefined {
    const head = readHead(bytes, text.length, this.#headBytes);
    if (head === undefined || head.method !== 'POST' || head.version !== 11 || !head.keepAlive)
      return undefined;
    if (head.body.kind !== 'length' || head.scheme !== undefined) return undefined;
    const message = this.#entrance.read(head.target, head.headers, hosts);
    const found = LENGTH.exec(text);
    const length = found?.[1];
    if (message === undefined || found === null || length === undefined) return undefined;
    const at = found.index + found[0].indexOf(length, found[0].indexOf(':'));
    return { before: text.slice(0, at), after: text.slice(at + length.length), hosts, message };
  }
}

/** The head by the strict parser, if there is only one way to read it and it ends where it seems to. */
function readHead(bytes: Buffer, end: number, headBytes: number): RequestHead | undefined {
  let head: RequestHead | undefined;
  const handler = {
    onHead: (read: RequestHead) => {
      head = read;
    },
    onBody: () => {},
    onEnd: (_trailers: readonly Header[]) => {},
  };
  const parser = new RequestParser(handler, 'server', { headBytes, fields: FIELDS_AT_MOST });
  try {
    return parser.push(bytes) === end ? head : undefined;
  } catch {
    return undefined;
  }
}
