import type { Socket } from 'node:net';
import { nativeCalls } from '../../shared/native-calls.ts';

/** What the kernel knows of one end of a TCP connection. */
export interface TcpEntry {
  readonly uid: number;
  /** 0: its process has closed it */
  readonly inode: number;
}

// linux/netlink.h, linux/sock_diag.h, linux/inet_diag.h
const HEADER_BYTES = 16;
const QUESTION_BYTES = HEADER_BYTES + 56;
const ANSWER_BYTES = HEADER_BYTES + 72;
const SOCK_DIAG_BY_FAMILY = 20;
const NLM_F_REQUEST = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const IPPROTO_TCP = 6;
const ALL_STATES = 0xffff_ffff;
const NO_COOKIE = 0xffff_ffff;
/** Both ports and both addresses: the first 36 bytes of a struct inet_diag_sockid. */
const PLACES_BYTES = 36;

/**
 * The other end of a connection within this machine, asked for by its addresses: the tables under `/proc/net` take
 * milliseconds to read, however short they are, and hooks ask on the way of a tool call. Undefined when the kernel does
 * not say: then the tables do.
 */
export function askTcpEnd({
  remoteAddress,
  remotePort,
  localAddress,
  localPort,
}: Socket): TcpEntry | undefined {
  if (remoteAddress === undefined || localAddress === undefined) return undefined;
  const [theirs, ours] = [addressBytes(remoteAddress), addressBytes(localAddress)];
  if (theirs === undefined || theirs.length !== ours?.length) return undefined;
  const question = Buffer.alloc(QUESTION_BYTES);
  question.writeUInt32LE(QUESTION_BYTES, 0);
  question.writeUInt16LE(SOCK_DIAG_BY_FAMILY, 4);
  question.writeUInt16LE(NLM_F_REQUEST, 6);
  question.writeUInt8(theirs.length === 4 ? AF_INET : AF_INET6, HEADER_BYTES);
  question.writeUInt8(IPPROTO_TCP, HEADER_BYTES + 1);
  question.writeUInt32LE(ALL_STATES, HEADER_BYTES + 4);
  const places = HEADER_BYTES + 8;
  question.writeUInt16BE(remotePort ?? 0, places);
  question.writeUInt16BE(localPort ?? 0, places + 2);
  question.set(theirs, places + 4);
  question.set(ours, places + 20);
  question.writeUInt32LE(NO_COOKIE, places + 40);
  question.writeUInt32LE(NO_COOKIE, places + 44);
  const answer = nativeCalls()?.askSockets(question);
  if (answer === undefined || answer.length < ANSWER_BYTES) return undefined;
  if (answer.readUInt16LE(4) !== SOCK_DIAG_BY_FAMILY) return undefined;
  // SECURITY: where there is no such connection, the kernel may name whoever listens on that port.
  const found = answer.subarray(HEADER_BYTES + 4, HEADER_BYTES + 4 + PLACES_BYTES);
  if (!found.equals(question.subarray(places, places + PLACES_BYTES))) return undefined;
  return { uid: answer.readUInt32LE(HEADER_BYTES + 64), inode: answer.readUInt32LE(HEADER_BYTES + 68) };
}

/** IPv4, also where Node writes it as IPv6, and `::1`: by no other address is this machine reached without leaving it. */
function addressBytes(address: string): Uint8Array | undefined {
  const v4 = /^(?:::ffff:)?(\d+)\.(\d+)\.(\d+)\.(\d+)$/i.exec(address);
  if (v4 !== null) return Uint8Array.from(v4.slice(1), Number);
  return address === '::1' ? Uint8Array.from({ length: 16 }, (_, at) => (at === 15 ? 1 : 0)) : undefined;
}
