import { LONGEST_PACKET } from './packet-reader.ts';

export const FLUSH = Buffer.from('0000');

/** One packet around a text or bytes, which fit into one. */
export function packetOf(content: string | Uint8Array): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const length = bytes.length + 4;
  if (length > LONGEST_PACKET) throw new RangeError('too much for one packet of git');
  return Buffer.concat([Buffer.from(length.toString(16).padStart(4, '0')), bytes]);
}

/** The three channels of a side-band: data, progress for people, and the error that ends all. */
export type Band = 1 | 2 | 3;

/** Bytes on one channel, in as many packets as they need. `small`: `side-band` in place of `side-band-64k`. */
export function onBand(band: Band, content: string | Uint8Array, small = false): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const most = (small ? 1_000 : LONGEST_PACKET) - 5;
  const packets: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += most)
    packets.push(packetOf(Buffer.concat([Buffer.from([band]), bytes.subarray(at, at + most)])));
  return Buffer.concat(packets);
}

/** The channel and the content of one packet of a side-band; undefined for what is none. */
export function bandOf(packet: Uint8Array): { readonly band: Band; readonly bytes: Uint8Array } | undefined {
  const [band] = packet;
  if (band !== 1 && band !== 2 && band !== 3) return undefined;
  return { band, bytes: packet.subarray(1) };
}
