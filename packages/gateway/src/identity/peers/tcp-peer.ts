import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { ipRange } from '../../shared/ip-range.ts';
import { holdsSocket, processNumbers } from './process-table.ts';
import { askTcpEnd } from './tcp-diag.ts';

/**
 * The other end of a TCP connection: `elsewhere` when it is on another machine or belongs to another user, `gone` when
 * whoever had it has closed it and nobody can be asked any more.
 */
export type TcpEnd =
  | { readonly kind: 'open'; readonly inode: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'elsewhere' };

export function tcpEnd(socket: Socket): TcpEnd {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remoteAddress === undefined || localAddress === undefined) return { kind: 'gone' };
  const asked = askTcpEnd(socket);
  if (asked !== undefined) return endOf(String(asked.uid), String(asked.inode));
  const [theirs, ours] = [place(remoteAddress, remotePort), place(localAddress, localPort)];
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readLines(table)) {
      // Number, own end, other end, state, queues, timer, retransmits, user, timeout, inode
      const [, local = '', remote = '', , , , , uid, , inode] = line.trim().split(/\s+/);
      if (shortened(local) !== theirs || shortened(remote) !== ours) continue;
      return endOf(uid, inode);
    }
  }
  // Both ends of a connection within this machine are in the table while they are open.
  const isHere = remoteAddress === localAddress || ipRange(remoteAddress) === 'loopback';
  return { kind: isHere ? 'gone' : 'elsewhere' };
}

function endOf(uid: string | undefined, inode: string | undefined): TcpEnd {
  // SECURITY: a socket that its process closed has neither inode nor user: who wrote and left is not let in for that.
  if (inode === undefined || inode === '0') return { kind: 'gone' };
  // Another user's: nothing of it can be seen, and no agent of this user is behind it.
  return uid === String(process.getuid?.()) ? { kind: 'open', inode } : { kind: 'elsewhere' };
}

/** Who holds it, looking at the newest first. */
export function holderOf(inode: string): number | undefined {
  return processNumbers().find((pid) => holdsSocket(pid, inode) === true);
}

/** An address as the kernel writes it: bytes in the order of the machine, the port after a colon. */
function place(address: string, port: number | undefined): string {
  const v4 = /^(?:::ffff:)?(\d+)\.(\d+)\.(\d+)\.(\d+)$/i.exec(address);
  const hex = (value: number, digits: number): string =>
    value.toString(16).toUpperCase().padStart(digits, '0');
  const host =
    v4 === null
      ? V6_LOOPBACK
      : v4
          .slice(1)
          .reverse()
          .map((part) => hex(Number(part), 2))
          .join('');
  return `${host}:${hex(port ?? 0, 4)}`;
}

/** `::1`, the only other address by which this machine is reached without leaving it. */
const V6_LOOPBACK = '00000000000000000000000001000000';
/** An IPv4 address in the table of IPv6. */
const MAPPED = '0000000000000000FFFF0000';

function shortened(entry: string): string {
  return entry.startsWith(MAPPED) ? entry.slice(MAPPED.length) : entry;
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'latin1').split('\n').slice(1);
  } catch {
    return [];
  }
}
