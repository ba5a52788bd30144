/** One command for the spawner. */
export interface SpawnRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** the descriptors of a `JailLaunch`: contents in base64, or a file of the host */
  readonly files: readonly ({ readonly content: string } | { readonly path: string })[];
  readonly lifeline: boolean;
  /** a variable of `env`: processes that carry it are killed when the command has ended */
  readonly marker?: string;
}

/** As it travels, in JSON. */
export interface SpawnOrder extends SpawnRequest {
  /** a frame with its input follows; without, it reads from /dev/null */
  readonly hasInput: boolean;
}

export interface SpawnExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

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
