import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Checkpoint, checkpointProblem, type TrustedKeys } from '../chain/checkpoint.ts';
import type { RowReader } from './row-reader.ts';
import type { BadEvent } from './trail-report.ts';

/** What an anchor remembers: every checkpoint that it was sent. */
export interface AnchorRecord {
  /** shown in reports: a file name, a URL */
  readonly name: string;
  readonly checkpoints: readonly Checkpoint[];
}

const CheckpointLine = z.strictObject({
  tenant: z.string(),
  seq: z.int().positive(),
  hash: z.string(),
  at: z.int(),
  key_id: z.string(),
  signature: z.string(),
});

/** Reads a file that `FileAnchor` wrote. Throws on a line that is no checkpoint; an unfinished last line is left out. */
export async function readAnchorFile(path: string): Promise<AnchorRecord> {
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  const checkpoints = lines.map((line, index) => {
    try {
      return CheckpointLine.parse(JSON.parse(line));
    } catch (error) {
      throw new Error(`line ${index + 1} of the anchor \`${path}\` is not a checkpoint`, { cause: error });
    }
  });
  return { name: path, checkpoints };
}

/** Finds a database that is older than an anchor, or that has another past. */
export async function verifyAnchors(
  reader: RowReader,
  anchors: readonly AnchorRecord[],
  keys: TrustedKeys,
  heads: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, readonly BadEvent[]>> {
  const found = new Map<string, BadEvent[]>();
  for (const { name, checkpoints } of anchors) {
    for (const checkpoint of checkpoints) {
      const bad = await verifyAnchored(reader, checkpoint, name, keys, heads.get(checkpoint.tenant) ?? 0);
      if (bad !== undefined) found.set(checkpoint.tenant, [...(found.get(checkpoint.tenant) ?? []), bad]);
    }
  }
  return found;
}

async function verifyAnchored(
  reader: RowReader,
  checkpoint: Checkpoint,
  anchor: string,
  keys: TrustedKeys,
  head: number,
): Promise<BadEvent | undefined> {
  const { tenant, seq, hash } = checkpoint;
  const forged = checkpointProblem(checkpoint, keys);
  if (forged !== undefined) return { seq, where: anchor, problem: forged };
  const stored = await reader.hashAt(tenant, seq);
  if (stored === hash) return undefined;
  if (stored === undefined && seq > head) {
    return {
      seq: head + 1,
      where: 'database',
      problem: `the database was rolled back: the anchor has seen ${seq} events, the database ends at ${head}`,
    };
  }
  return {
    seq,
    where: 'database',
    problem: 'the database was rolled back: the anchor has seen another event here',
  };
}
