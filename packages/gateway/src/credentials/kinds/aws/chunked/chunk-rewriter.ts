import { type BodyRewriter, notSignable } from '../../kind.ts';
import { ChunkReader } from './chunk-reader.ts';
import type { ChunkSigner } from './chunk-signer.ts';
import { resignTrailer } from './trailer.ts';

/** A chunk's signature stands before its data, so that a chunk is held until it is whole. */
export const LARGEST_CHUNK = 8 * 1024 * 1024;

export interface ChunkRewriterOptions {
  readonly signer: ChunkSigner;
  /** `x-amz-decoded-content-length` */
  readonly decodedBytes: number;
  /** size of the body as the agent sends it, when it is known */
  readonly encodedBytes: number | undefined;
  /** names of the fields that follow the data; undefined: none may */
  readonly trailers: readonly string[] | undefined;
}

/**
 * Signs an `aws-chunked` body anew while it passes: same chunks, same data, same size, other signatures.
 *
 * Refuses a body whose data is not as long as its head says: nothing of a doubtful chunk is given out.
 */
export class ChunkRewriter implements BodyRewriter {
  readonly bytes: number | undefined;
  readonly #options: ChunkRewriterOptions;
  readonly #reader: ChunkReader;
  #digits = '';
  #data = Buffer.alloc(0);
  #filled = 0;
  #seen = 0;
  #ready: Uint8Array[] = [];

  constructor(options: ChunkRewriterOptions) {
    this.#options = options;
    this.bytes = options.encodedBytes;
    this.#reader = new ChunkReader({
      signatureLength: options.signer.length,
      largestChunk: LARGEST_CHUNK,
      visitor: {
        onChunk: (size, digits) => this.#begin(size, digits),
        onData: (data) => {
          this.#data.set(data, this.#filled);
          this.#filled += data.length;
        },
        onChunkEnd: () => this.#finish(),
      },
    });
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#reader.push(chunk);
    return this.#take();
  }

  end(): readonly Uint8Array[] {
    const rest = this.#reader.end();
    if (this.#seen !== this.#options.decodedBytes) throw wrongLength();
    this.#ready.push(resignTrailer(rest, this.#options.trailers, this.#options.signer));
    return this.#take();
  }

  #begin(size: number, digits: string): void {
    this.#seen += size;
    if (this.#seen > this.#options.decodedBytes) throw wrongLength();
    this.#digits = digits;
    // One buffer, written once: the system backs it only as far as it is filled.
    this.#data = Buffer.allocUnsafeSlow(size);
    this.#filled = 0;
  }

  #finish(): void {
    const signature = this.#options.signer.chunk(this.#data);
    this.#ready.push(Buffer.from(`${this.#digits};chunk-signature=${signature}\r\n`));
    if (this.#data.length > 0) this.#ready.push(this.#data, Buffer.from('\r\n'));
  }

  #take(): readonly Uint8Array[] {
    const taken = this.#ready;
    this.#ready = [];
    return taken;
  }
}

function wrongLength(): Error {
  return notSignable('the body is not as long as its `x-amz-decoded-content-length` says');
}
