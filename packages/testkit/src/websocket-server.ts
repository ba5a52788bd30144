import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const OP = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** One connection of a client, server side. Text messages only: the services that are played here use no others. */
export class ServerSocket {
  onText: (text: string) => void = () => {};
  onClose: () => void = () => {};
  readonly #stream: Duplex;
  #buffer: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #closing = false;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => {
      this.#buffer = Buffer.concat([this.#buffer, chunk]);
      this.#read();
    });
    stream.on('close', () => this.onClose());
    stream.on('error', () => {}); // a client that breaks off is not the server's problem
  }

  get isOpen(): boolean {
    return !this.#closing && this.#stream.writable;
  }

  send(message: unknown): void {
    if (this.isOpen) this.#write(OP.text, Buffer.from(JSON.stringify(message)));
  }

  close(code: number, reason = ''): void {
    if (!this.isOpen) return;
    this.#closing = true;
    const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
    payload.writeUInt16BE(code);
    payload.write(reason, 2);
    this.#write(OP.close, payload);
    this.#stream.end();
  }

  /** Without a word, as when a network fails. */
  cut(): void {
    this.#closing = true;
    this.#stream.destroy();
  }

  #read(): void {
    for (let frame = takeFrame(this.#buffer); frame !== undefined; frame = takeFrame(this.#buffer)) {
      this.#buffer = this.#buffer.subarray(frame.size);
      this.#handle(frame);
    }
  }

  #handle({ op, isLast, payload }: Frame): void {
    switch (op) {
      case OP.close:
        if (!this.#closing) this.close(payload.length >= 2 ? payload.readUInt16BE() : 1000);
        else this.#stream.end();
        return;
      case OP.ping:
        this.#write(OP.pong, payload);
        return;
      case OP.text:
      case OP.more:
        this.#parts.push(payload);
        if (!isLast) return;
        this.onText(Buffer.concat(this.#parts.splice(0)).toString('utf8'));
        return;
      // open: any opcode
      default:
        return;
    }
  }

  #write(op: number, payload: Buffer): void {
    if (!this.#stream.writable) return;
    const length = payload.length;
    const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
    head[0] = 0x80 | op;
    if (length < 126) head[1] = length;
    else if (length < 65_536) {
      head[1] = 126;
      head.writeUInt16BE(length, 2);
    } else {
      head[1] = 127;
      head.writeBigUInt64BE(BigInt(length), 2);
    }
    this.#stream.write(Buffer.concat([head, payload]));
  }
}

/** Answers an upgrade (RFC 6455). Refuses, with 400, what is no WebSocket. */
export function acceptSocket(request: IncomingMessage, stream: Duplex): ServerSocket | undefined {
  const key = request.headers['sec-websocket-key'];
  if (request.headers.upgrade?.toLowerCase() !== 'websocket' || key === undefined) {
    stream.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    return undefined;
  }
  const accept = createHash('sha1').update(`${key}${GUID}`).digest('base64');
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  return new ServerSocket(stream);
}

interface Frame {
  readonly op: number;
  readonly isLast: boolean;
  readonly payload: Buffer;
  readonly size: number;
}

/** The first frame of the bytes, if it is all there. A client's payload is masked. */
function takeFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + extended + 4) return undefined;
  const length =
    extended === 0 ? short : extended === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const start = 2 + extended + 4;
  if (bytes.length < start + length) return undefined;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, start + length));
  for (let at = 0; at < length; at += 1) payload[at] = (payload[at] ?? 0) ^ (mask[at % 4] ?? 0);
  return { op: first & 0x0f, isLast: (first & 0x80) !== 0, payload, size: start + length };
}
