import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

export const ZERO = '0'.repeat(40);

export const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;

/** The packet lines of a push, up to the flush. */
export function commands(
  lines: readonly (readonly [from: string, to: string, ref: string])[],
  capabilities = 'report-status',
): string {
  const packets = lines.map(([from, to, ref], index) =>
    packet(`${from} ${to} ${ref}${index === 0 ? `\0${capabilities}` : ''}`),
  );
  return `${packets.join('')}0000`;
}

export interface Commit {
  readonly id: string;
  readonly data: Buffer;
}

/** A commit object as git stores it. */
export function commit(parents: readonly string[], message: string): Commit {
  const header = [
    `tree ${'4'.repeat(40)}`,
    ...parents.map((parent) => `parent ${parent}`),
    'author A <a@example.com> 1 +0000',
  ];
  const data = Buffer.from(`${header.join('\n')}\ncommitter A <a@example.com> 1 +0000\n\n${message}\n`);
  return { id: createHash('sha1').update(`commit ${data.length}\0`).update(data).digest('hex'), data };
}

function objectHeader(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let rest = Math.floor(size / 16);
  bytes.push((type << 4) | (size & 15) | (rest > 0 ? 0x80 : 0));
  while (rest > 0) {
    const next = Math.floor(rest / 128);
    bytes.push((rest & 0x7f) | (next > 0 ? 0x80 : 0));
    rest = next;
  }
  return Buffer.from(bytes);
}

/** A pack file of plain objects; the count can lie. */
export function pack(
  objects: readonly { readonly data: Buffer; readonly type?: number }[],
  count = objects.length,
): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK', 'latin1');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count, 8);
  const body = objects.flatMap(({ data, type = 1 }) => [objectHeader(type, data.length), deflateSync(data)]);
  return Buffer.concat([head, ...body, Buffer.alloc(20)]);
}

/** Packet lines and pack together: the body of a push. */
export const pushBody = (lines: string, file: Uint8Array = Buffer.alloc(0)): Uint8Array =>
  new Uint8Array(Buffer.concat([Buffer.from(lines, 'latin1'), file]));
