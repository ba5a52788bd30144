import type { Bytes, Rights } from './held-folder.ts';

/** Why something is not in a snapshot. */
export const LEFT_OUT = {
  rebuilt: 'a folder that is made anew from others',
  ignored: 'ignored by git, and larger than `workspace.snapshot.max_file`',
  large: 'larger than a snapshot may be (`workspace.snapshot.max_bytes`)',
  unreadable: 'not readable for this user',
  socket: 'a socket',
  device: 'a device',
  mounted: 'another file system is mounted there',
  deep: 'more folders within each other than are followed',
} as const;
export type LeftOutReason = keyof typeof LEFT_OUT;

/** What is known of a file without reading it, so that the next snapshot need not read it again. */
export interface FileMark {
  readonly ino: number;
  /** ms since epoch, with what is below a millisecond */
  readonly mtime: number;
  readonly ctime: number;
  /**
   * Whose word this is: `none` when the file had just been written, so that another write might show no other time;
   * `beside` when an agent was at work, which may go on writing by a mapping without any other time; else `quiet`.
   */
  readonly trust: 'none' | 'beside' | 'quiet';
}

/** What stands at one path of a snapshot. */
export type Entry =
  | (Rights & {
      readonly kind: 'file';
      readonly size: number;
      /** sha-256 of its bytes, hex */
      readonly hash: string;
      /** the first of the paths that are names of this same file; undefined: it has one name in the workspace */
      readonly group: Bytes | undefined;
      readonly mark: FileMark;
    })
  | (Rights & { readonly kind: 'folder' })
  | { readonly kind: 'link'; readonly target: Bytes }
  | (Rights & { readonly kind: 'fifo' })
  | { readonly kind: 'left-out'; readonly why: LeftOutReason };

export type FileEntry = Extract<Entry, { readonly kind: 'file' }>;

/** Paths are relative to the workspace, with `/`; the workspace itself is the empty one. */
export type Tree = ReadonlyMap<Bytes, Entry>;

/** A text that is the same for two entries exactly when putting one back gives the other. Absent has one too. */
export function keyOf(entry: Entry | undefined): string {
  if (entry === undefined) return '';
  switch (entry.kind) {
    case 'file':
      return `file ${entry.mode} ${entry.uid}:${entry.gid} ${entry.hash} ${entry.group ?? ''}`;
    case 'folder':
    case 'fifo':
      return `${entry.kind} ${entry.mode} ${entry.uid}:${entry.gid}`;
    case 'link':
      return `link ${entry.target}`;
    case 'left-out':
      return `left-out ${entry.why}`;
  }
}

export function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  return a === b || keyOf(a) === keyOf(b);
}

export function parentOf(path: Bytes): Bytes {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: Bytes): Bytes {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function isWithin(path: Bytes, folder: Bytes): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** The folders above a path, the nearest first, the workspace last; none for the workspace itself. */
export function* ancestorsOf(path: Bytes): Generator<Bytes> {
  for (let at = path; at !== ''; ) {
    at = parentOf(at);
    yield at;
  }
}
