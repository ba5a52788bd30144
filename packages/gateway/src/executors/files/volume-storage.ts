import type { EntryKind } from './held-folder.ts';

/**
 * Where the files of one volume are kept. A local folder now; whatever else comes passes the same contract suite.
 *
 * Contract:
 * 1. Nothing outside the volume is ever read, written, made or removed, whatever happens at the same time.
 * 2. `.`, `..`, empty names and names with a slash or NUL are refused with `PathTraversalAttempt`.
 * 3. No link is followed: one on the way, or at the end, is `PathOutsideBoundary`. So is what is no plain file.
 * 4. Every failure is a `SallyportError`, and no message names a path of the machine.
 */
export interface VolumeStorage extends Disposable {
  /** Finds a place that may or may not hold something yet, and holds the folder that it is in until disposed. */
  open(parts: readonly string[]): StoragePlace;
  /** What stands at a place, for judging where a path leads: no part of it but the last is allowed to be a link. */
  linkAt(parts: readonly string[]): LinkFact;
  /** What the volume holds now, whoever wrote it. */
  measure(): Promise<Usage>;
}

/** As `actions/paths` wants it. */
export type LinkFact =
  | { readonly kind: 'plain' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'unreadable' };

export interface Usage {
  readonly bytes: number;
  /** files and folders */
  readonly entries: number;
}

/**
 * Told of every change in the same step in which it happens, before anything grows: when it throws, nothing changes.
 * What then failed all the same is told once more, the other way round.
 */
export type Commit = (change: Usage) => void;

export interface WriteOptions {
  /** refuse with `Conflict` when something has the name */
  readonly mustBeNew: boolean;
  readonly commit: Commit;
  readonly signal: AbortSignal;
}

export interface FileRange {
  readonly bytes: Buffer;
  /** bytes of the whole file */
  readonly size: number;
}

export interface ListedEntry {
  readonly name: string;
  readonly kind: EntryKind;
  readonly size: number;
}

export interface EntryPage {
  /** sorted by name */
  readonly entries: readonly ListedEntry[];
  readonly more: boolean;
}

/** One place of a volume. */
export interface StoragePlace extends Disposable {
  /** Bytes of the file that stands here; undefined when nothing does. */
  size(): number | undefined;
  read(offset: number, length: number): Promise<FileRange>;
  /** The whole file at once: whoever reads sees the old one or the new one, never a part. */
  write(bytes: Uint8Array, options: WriteOptions): Promise<void>;
  makeFolder(commit: Commit): Promise<void>;
  /** A file, or an empty folder. */
  remove(commit: Commit): void;
  /** Entries of the folder that stands here with names after `after`, `limit` at most. */
  list(after: string, limit: number): Promise<EntryPage>;
}
