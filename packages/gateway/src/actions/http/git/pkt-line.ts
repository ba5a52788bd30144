/** One packet of the git wire protocol, or `flush`. */
export type Packet = { readonly kind: 'data'; readonly text: string } | { readonly kind: 'flush' };

export interface PacketRun {
  readonly packets: readonly Packet[];
  /** offset after the last packet that was read */
  readonly end: number;
  /** `flush`: ended as it should; `cut`: the bytes ended first; `broken`: not the wire protocol */
  readonly ended: 'flush' | 'cut' | 'broken';
}

// Byte for character: `TextDecoder` would read `latin1` as Windows-1252.
const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** Reads packets from `start` up to and including the first flush packet. */
export function readPackets(bytes: Uint8Array, start = 0): PacketRun {
  const packets: Packet[] = [];
  let at = start;
  while (at + 4 <= bytes.length) {
    const digits = latin1(bytes.subarray(at, at + 4));
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) return { packets, end: at, ended: 'broken' };
    const length = Number.parseInt(digits, 16);
    if (length === 0) return { packets: [...packets, { kind: 'flush' }], end: at + 4, ended: 'flush' };
    // 0001 to 0003 are separators of protocol v2, which a push does not speak.
    if (length < 4) return { packets, end: at, ended: 'broken' };
    if (at + length > bytes.length) break;
    packets.push({ kind: 'data', text: latin1(bytes.subarray(at + 4, at + length)) });
    at += length;
  }
  return { packets, end: at, ended: 'cut' };
}
