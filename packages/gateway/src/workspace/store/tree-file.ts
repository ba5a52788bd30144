import { hash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { SallyportError } from '@sallyport/protocol/error';
import { assertNever } from '../../shared/assert-never.ts';
import { type Entry, LEFT_OUT, type LeftOutReason, type Tree } from '../tree/entry.ts';
import type { Bytes } from '../tree/held-folder.ts';

/** An entry as it is written. */
export type Row =
  | readonly ['d' | 'p', Bytes, number, number, number]
  | readonly ['l', Bytes, Bytes]
  | readonly ['x', Bytes, string]
  | readonly [
      ...['f', Bytes, number, number, number, number, string],
      ...[number, number, number, 0 | 1 | 2, (Bytes | undefined)?],
    ];

/** A part that is empty or leads up. */
const NO_WAY = /(?:^|\/)\.{0,2}(?:\/|$)|\0/;
const TRUST = ['none', 'beside', 'quiet'] as const;
/** a million paths */
const MOST_BYTES = 400 * 1024 * 1024;

/** A tree as it is kept, with the digest that it is called by. */
export function encodeTree(tree: Tree): { readonly digest: string; readonly bytes: Buffer } {
  const paths = [...tree.keys()].sort();
  const text = Buffer.from(JSON.stringify(paths.map((path) => rowOf(path, tree.get(path) as Entry))));
  return { digest: hash('sha256', text, 'hex'), bytes: zstdCompressSync(text) };
}

/** Throws `Unprocessable` for bytes that are not the tree of that digest. */
export function decodeTree(bytes: Buffer, digest: string): Tree {
  let text: Buffer;
  try {
    text = zstdDecompressSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch (cause) {
    throw damaged(digest, cause);
  }
  if (hash('sha256', text, 'hex') !== digest) throw damaged(digest);
  // `encodeTree` wrote it: its digest says so.
  const rows = JSON.parse(text.toString()) as readonly Row[];
  // SECURITY: whoever wrote another list with its right digest still names no place but below the workspace.
  if (rows.some(([, path]) => path !== '' && NO_WAY.test(path))) throw damaged(digest);
  return new Map(rows.map((row) => [row[1], entryOf(row)]));
}

export function rowOf(path: Bytes, entry: Entry): Row {
  switch (entry.kind) {
    case 'file': {
      const { mode, uid, gid, size, hash: content, mark, group } = entry;
      const trust = TRUST.indexOf(mark.trust) as 0 | 1 | 2;
      const row = [
        'f',
        path,
        mode,
        uid,
        gid,
        size,
        content,
        mark.ino,
        mark.mtime,
        mark.ctime,
        trust,
      ] as const;
      return group === undefined ? row : [...row, group];
    }
    case 'folder':
      return ['d', path, entry.mode, entry.uid, entry.gid];
    case 'fifo':
      return ['p', path, entry.mode, entry.uid, entry.gid];
    case 'link':
      return ['l', path, entry.target];
    case 'left-out':
      return ['x', path, entry.why];
    default:
      return assertNever(entry);
  }
}

export function entryOf(row: Row): Entry {
  switch (row[0]) {
    case 'f': {
      const [, , mode, uid, gid, size, content, ino, mtime, ctime, trust, group] = row;
      const mark = { ino, mtime, ctime, trust: TRUST[trust] };
      return { kind: 'file', mode, uid, gid, size, hash: content, group, mark };
    }
    case 'd':
      return { kind: 'folder', mode: row[2], uid: row[3], gid: row[4] };
    case 'p':
      return { kind: 'fifo', mode: row[2], uid: row[3], gid: row[4] };
    case 'l':
      return { kind: 'link', target: row[2] };
    case 'x':
      return { kind: 'left-out', why: Object.hasOwn(LEFT_OUT, row[2]) ? (row[2] as LeftOutReason) : 'large' };
    default:
      return assertNever(row);
  }
}

function damaged(digest: string, cause?: unknown): SallyportError {
  return new SallyportError('Unprocessable', {
    message: `the store of snapshots was damaged: the list ${digest.slice(0, 12)} was changed or cut off`,
    hint: 'choose another snapshot with `--to`',
    cause,
  });
}
