import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a handle is good for: one execution, one volume, one opened place, one way of using it. */
export interface HandleFacts {
  /** digest of tenant and execution, see `executionKey` */
  readonly execution: Buffer;
  /** digest of the volume, see `volumeKey` */
  readonly volume: Buffer;
  readonly access: 'read' | 'write';
  /** which of the opened places */
  readonly place: Buffer;
}

const VERSION = 1;
const KEY_BYTES = 16;
const PLACE_BYTES = 8;
const MAC_BYTES = 16;
const SIGNED_BYTES = 2 + 2 * KEY_BYTES + PLACE_BYTES;
/** Every handle has this length; 64 is what NFS leaves for one. */
export const HANDLE_BYTES = SIGNED_BYTES + MAC_BYTES;

/** Makes handles, and knows its own. The key never leaves it and ends with the process, as every open place does. */
export class HandleSeal {
  readonly #key = randomBytes(32);

  seal({ execution, volume, access, place }: HandleFacts): Uint8Array {
    const signed = Buffer.concat([
      Buffer.from([VERSION, access === 'read' ? 0 : 1]),
      execution,
      volume,
      place,
    ]);
    return Buffer.concat([signed, this.#mac(signed)]);
  }

  /** Undefined: these bytes are not a handle that was made here. */
  open(handle: Uint8Array): HandleFacts | undefined {
    if (handle.length !== HANDLE_BYTES) return undefined;
    const signed = Buffer.from(handle.subarray(0, SIGNED_BYTES));
    // SECURITY: without this whoever knows the ids could write a handle for them [TO-3].
    if (!timingSafeEqual(this.#mac(signed), handle.subarray(SIGNED_BYTES))) return undefined;
    return {
      access: signed[1] === 0 ? 'read' : 'write',
      execution: signed.subarray(2, 2 + KEY_BYTES),
      volume: signed.subarray(2 + KEY_BYTES, 2 + 2 * KEY_BYTES),
      place: signed.subarray(2 + 2 * KEY_BYTES),
    };
  }

  newPlace(): Buffer {
    return randomBytes(PLACE_BYTES);
  }

  #mac(signed: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(signed).digest().subarray(0, MAC_BYTES);
  }
}

/** The same digest for the same parts, in the same order, and for no others. */
export function digestOf(...parts: readonly string[]): Buffer {
  return hash('sha256', JSON.stringify(parts), 'buffer').subarray(0, KEY_BYTES);
}
