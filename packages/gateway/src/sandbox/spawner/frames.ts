/** What passes between the gateway and its spawner: one frame is kind, number of the command, and bytes. */
export interface Frame {
  readonly kind: FrameKind;
  readonly id: number;
  readonly payload: Uint8Array;
}

export const FRAME = {
  // to the spawner
  start: 1,
  stdin: 2,
  kill: 3,
  /** the payload is how many bytes of output were taken */
  taken: 4,
  // from the spawner
  started: 16,
  stdout: 17,
  stderr: 18,
  exit: 19,
  failed: 20,
} as const;

export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

const HEADER = 9;

export function encodeFrame(kind: FrameKind, id: number, payload: Uint8Array | string = ''): Buffer {
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
  const frame = Buffer.allocUnsafe(HEADER + body.length);
  frame.writeUInt8(kind, 0);
  frame.writeUInt32LE(id, 1);
  frame.writeUInt32LE(body.length, 5);
  frame.set(body, HEADER);
  return frame;
}

/** Puts frames together from pieces as they arrive. Both ends are ours, so every kind is a known one. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  *read(piece: Buffer): Generator<Frame> {
    let data = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    while (data.length >= HEADER) {
      const end = HEADER + data.readUInt32LE(5);
      if (data.length < end) break;
      // The two ends are one program: a number that is no kind would be a mistake in this file.
      const kind = data.readUInt8(0) as FrameKind;
      yield { kind, id: data.readUInt32LE(1), payload: data.subarray(HEADER, end) };
      data = data.subarray(end);
    }
    this.#rest = data;
  }
}
