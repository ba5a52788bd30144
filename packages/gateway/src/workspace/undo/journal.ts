import { hash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { writeDurably } from '../store/durable-file.ts';
import type { RunFacts } from '../store/snapshot.ts';
import { entryOf, type Row, rowOf } from '../store/tree-file.ts';
import type { Bytes } from '../tree/held-folder.ts';
import type { Step, UndoPlan } from './plan.ts';

/** An undo that has begun: enough to carry it out, or to take it back, without asking anyone again. */
export interface Journal {
  /** the undo itself, as a run */
  readonly run: RunFacts;
  /** the snapshot that was taken before it */
  readonly before: string;
  readonly steps: readonly Step[];
  readonly anchors: UndoPlan['anchors'];
  readonly git: readonly Bytes[];
}

interface Written extends Pick<Journal, 'run' | 'before' | 'git'> {
  readonly steps: readonly (readonly [Bytes, Row | null, Row | null])[];
  readonly anchors: readonly (readonly [Bytes, Bytes])[];
}

const DIGEST_BYTES = 32;

function fileIn(folder: string): string {
  return join(folder, 'undo.journal');
}

/** On the disk when this returns. */
export function writeJournal(folder: string, { run, before, steps, anchors, git }: Journal): void {
  const written: Written = {
    ...{ run, before, git, anchors: [...anchors] },
    steps: steps.map(({ path, now, was }) => [
      path,
      now ? rowOf(path, now) : null,
      was ? rowOf(path, was) : null,
    ]),
  };
  const text = zstdCompressSync(Buffer.from(JSON.stringify(written)));
  writeDurably(fileIn(folder), Buffer.concat([hash('sha256', text, 'buffer'), text]));
}

/** Undefined when no undo was cut off. One that is damaged counts as none: its first step was never taken. */
export function readJournal(folder: string): Journal | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(fileIn(folder));
  } catch {
    return undefined;
  }
  const text = bytes.subarray(DIGEST_BYTES);
  if (!hash('sha256', text, 'buffer').equals(bytes.subarray(0, DIGEST_BYTES))) return undefined;
  // `writeJournal` wrote it: its digest says so.
  const { run, before, git, steps, anchors } = JSON.parse(zstdDecompressSync(text).toString()) as Written;
  return {
    ...{ run, before, git, anchors: new Map(anchors) },
    steps: steps.map(([path, now, was]) => ({
      path,
      now: now === null ? undefined : entryOf(now),
      was: was === null ? undefined : entryOf(was),
    })),
  };
}

export function removeJournal(folder: string): void {
  rmSync(fileIn(folder), { force: true });
}
