import { Duplex, type Readable } from 'node:stream';
import type { ScrubStream } from '../../credentials/index.ts';

/** The same stream, with what it says scrubbed. What is written to it passes as it is. */
export function scrubDuplex(
  source: Duplex | Readable,
  scrub: ScrubStream,
  onDone: (hits: number) => void,
): Duplex {
  const target = source instanceof Duplex ? source : undefined;
  const result = new Duplex({
    allowHalfOpen: true,
    read: () => source.resume(),
    write: (chunk: Uint8Array, _encoding, done) => {
      if (target === undefined || target.write(chunk)) done();
      else target.once('drain', () => done());
    },
    final: (done) => {
      target?.end();
      done();
    },
    destroy: (error, done) => {
      source.destroy(error ?? undefined);
      onDone(scrub.hits);
      done(error);
    },
  });
  source.pause();
  source.on('data', (chunk: Uint8Array) => {
    const piece = scrub.push(chunk);
    if (piece.length > 0 && !result.push(piece)) source.pause();
  });
  source.on('end', () => {
    const rest = scrub.end();
    if (rest !== undefined) result.push(rest);
    result.push(null);
  });
  source.on('error', (error: Error) => result.destroy(error));
  source.on('close', () => {
    if (!source.readableEnded) result.destroy();
  });
  return result;
}
