import type { Duplex } from 'node:stream';
import { parseHost } from '../../shared/host.ts';

/** What the first bytes of a connection are. */
export type Hello =
  | { readonly kind: 'incomplete' }
  /** a TLS ClientHello; `name` as the client wrote it, undefined when it names no host */
  | { readonly kind: 'tls'; readonly name: string | undefined }
  | { readonly kind: 'plain' }
  /** begins like TLS and cannot be read */
  | { readonly kind: 'broken' };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const RECORD_AT_MOST = 16_384 + 256;

/** Reads the host that a ClientHello names, without opening anything. One record, as every client sends it. */
export function readHello(bytes: Buffer): Hello {
  if (bytes.length === 0) return { kind: 'incomplete' };
  if (bytes[0] !== HANDSHAKE) return { kind: 'plain' };
  if (bytes.length < 5) return { kind: 'incomplete' };
  const length = bytes.readUInt16BE(3);
  if (length > RECORD_AT_MOST) return { kind: 'broken' };
  if (bytes.length < 5 + length) return { kind: 'incomplete' };
  try {
    return { kind: 'tls', name: serverName(new Reader(bytes.subarray(5, 5 + length))) };
  } catch {
    return { kind: 'broken' };
  }
}

function serverName(record: Reader): string | undefined {
  if (record.number(1) !== CLIENT_HELLO) throw new RangeError('no ClientHello');
  // A ClientHello that goes on in another record is shorter here than it says.
  const hello = new Reader(record.bytes(record.number(3)));
  hello.bytes(2 + 32); // version and random
  hello.bytes(hello.number(1)); // session id
  hello.bytes(hello.number(2)); // cipher suites
  hello.bytes(hello.number(1)); // compression
  if (hello.isEnd) return undefined;
  const extensions = new Reader(hello.bytes(hello.number(2)));
  let found: string | undefined;
  while (!extensions.isEnd) {
    const type = extensions.number(2);
    const extension = new Reader(extensions.bytes(extensions.number(2)));
    if (type !== SERVER_NAME) continue;
    // SECURITY: of two names, which one counts?
    if (found !== undefined) throw new RangeError('two names');
    const list = new Reader(extension.bytes(extension.number(2)));
    if (list.number(1) !== 0) throw new RangeError('no host name');
    found = list.bytes(list.number(2)).toString('latin1');
    if (!list.isEnd) throw new RangeError('two names');
  }
  return found;
}

/** Reads fields one after the other; throws when there are fewer bytes than they say. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  number(size: number): number {
    const value = this.#bytes.readUIntBE(this.#at, size);
    this.#at += size;
    return value;
  }

  bytes(size: number): Buffer {
    if (this.#at + size > this.#bytes.length) throw new RangeError('too short');
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }
}

/**
 * Waits for the first bytes of a tunnel and puts them back. Whether they may go on: TLS that names `host` or nobody, or
 * no TLS at all.
 */
export async function mayPass(agent: Duplex, host: string, signal: AbortSignal): Promise<boolean> {
  let seen = Buffer.alloc(0);
  for (;;) {
    const chunk = await nextChunk(agent, signal);
    if (chunk === undefined) return false;
    seen = Buffer.concat([seen, chunk]);
    const hello = readHello(seen);
    if (hello.kind === 'incomplete') continue;
    agent.unshift(seen);
    if (hello.kind === 'plain') return true;
    return hello.kind === 'tls' && (hello.name === undefined || parseHost(hello.name)?.text === host);
  }
}

/** The next bytes; undefined when none come any more. The stream is paused after. */
export function nextChunk(stream: Duplex, signal: AbortSignal): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const settle = (chunk?: Buffer): void => {
      stream.off('data', settle);
      stream.off('end', gone);
      signal.removeEventListener('abort', gone);
      stream.pause();
      resolve(chunk);
    };
    const gone = (): void => settle();
    stream.on('data', settle);
    stream.on('end', gone);
    signal.addEventListener('abort', gone, { once: true });
    if (signal.aborted) gone();
    else stream.resume();
  });
}
