import { type Checkpoint, checkpointProblem, type TrustedKeys } from '../chain/checkpoint.ts';
import { GENESIS, lineHead, linkHash } from '../chain/event-line.ts';
import type { RowReader, StoredRow } from './row-reader.ts';
import { type BadEvent, firstOf } from './trail-report.ts';

/** A stretch of one chain. Stretches of one chain may be checked side by side: each starts from the stored hash before it. */
export interface Segment {
  readonly tenant: string;
  readonly from: number;
  readonly to: number;
}

export interface SegmentResult {
  readonly checkpoints: number;
  readonly firstBad: BadEvent | undefined;
}

/** Recomputes every hash over the stored bytes, compares every column with the event, checks every signature. */
export async function verifySegment(
  reader: RowReader,
  segment: Segment,
  keys: TrustedKeys,
): Promise<SegmentResult> {
  const { tenant, from, to } = segment;
  const checkpoints = await reader.checkpoints(tenant, from, to);
  const forged = firstOf(
    checkpoints.map((checkpoint) => {
      const problem = checkpointProblem(checkpoint, keys);
      return problem === undefined ? undefined : bad(checkpoint.seq, problem);
    }),
  );
  const prev = from === 1 ? GENESIS : await reader.hashAt(tenant, from - 1);
  const chain = new ChainCheck(reader, tenant, from, prev, checkpoints);
  for await (const rows of reader.rows(tenant, from, to)) {
    for (const row of rows) {
      const accepted = chain.accepts(row);
      // Awaiting each of a million rows would take longer than hashing them.
      if (accepted === true || (accepted !== false && (await accepted))) continue;
      break;
    }
    if (chain.firstBad !== undefined) break;
  }
  const missing = chain.firstBad === undefined && chain.next <= to ? chain.missing() : undefined;
  return { checkpoints: checkpoints.length, firstBad: firstOf([chain.firstBad, missing, forged]) };
}

class ChainCheck {
  readonly #reader: RowReader;
  readonly #tenant: string;
  readonly #signed: ReadonlyMap<number, Checkpoint>;
  #lastSigned: number;
  /** hash of the event before; undefined when that event is missing, which its own segment reports */
  #prev: string | undefined;
  next: number;
  firstBad: BadEvent | undefined;

  constructor(
    reader: RowReader,
    tenant: string,
    from: number,
    prev: string | undefined,
    checkpoints: readonly Checkpoint[],
  ) {
    this.#reader = reader;
    this.#tenant = tenant;
    this.next = from;
    this.#lastSigned = from - 1;
    this.#prev = prev;
    this.#signed = new Map(checkpoints.map((checkpoint) => [checkpoint.seq, checkpoint]));
  }

  missing(): BadEvent {
    return bad(this.next, 'the event is missing');
  }

  /** False when the row is bad, and then `firstBad` says which event is to blame. */
  accepts(row: StoredRow): boolean | Promise<boolean> {
    // By index here and below: this runs for every event, and taking the array apart costs more than hashing it.
    const seq = row[0];
    const json = row[6];
    const prev = row[7];
    if (seq !== this.next) return this.#refuse(this.missing());
    if (!hasTypes(row) || !json.startsWith(headOf(this.#tenant, row))) {
      return this.#refuse(bad(seq, 'the columns of the row differ from the event in it', row[1]));
    }
    // A byte that is no text decodes to U+FFFD: only then may the text hide a change, and the bytes decide.
    if (json.includes('\ufffd')) {
      return this.#reader.bytesAt(this.#tenant, seq).then((bytes) => this.#link(row, linkHash(prev, bytes)));
    }
    return this.#link(row, linkHash(prev, json));
  }

  #link(row: StoredRow, computed: string): boolean {
    const seq = row[0];
    const id = row[1];
    const prev = row[7];
    const hash = row[8];
    if (computed !== hash) return this.#refuse(bad(seq, 'the event was changed: its hash does not fit', id));
    if (this.#prev !== undefined && prev !== this.#prev) {
      // This event is whole, so it is the one before that is not what it was.
      return this.#refuse(
        seq === 1
          ? bad(1, 'the chain does not start here', id)
          : bad(seq - 1, 'the event was replaced: the next one names another hash'),
      );
    }
    const checkpoint = this.#signed.get(seq);
    if (checkpoint !== undefined && checkpoint.hash !== hash) {
      const range =
        this.#lastSigned + 1 === seq ? 'the event' : `one of the events ${this.#lastSigned + 1} to ${seq}`;
      return this.#refuse(bad(seq, `${range} was changed: the signed hash is another one`, id));
    }
    if (checkpoint !== undefined) this.#lastSigned = seq;
    this.#prev = hash;
    this.next = seq + 1;
    return true;
  }

  #refuse(found: BadEvent): false {
    this.firstBad = found;
    return false;
  }
}

function headOf(tenant: string, row: StoredRow): string {
  return lineHead(
    { tenant, id: row[1], at: row[2], type: row[3], actionId: row[4], approvalId: row[5] },
    row[0],
  );
}

// SQLite keeps any type in any column.
function hasTypes(row: StoredRow): boolean {
  return (
    typeof row[6] === 'string' &&
    typeof row[1] === 'string' &&
    Number.isSafeInteger(row[2]) &&
    typeof row[3] === 'string' &&
    (row[4] === null || typeof row[4] === 'string') &&
    (row[5] === null || typeof row[5] === 'string') &&
    typeof row[7] === 'string' &&
    typeof row[8] === 'string'
  );
}

function bad(seq: number, problem: string, id?: string): BadEvent {
  return { seq, where: 'database', problem, ...(typeof id === 'string' ? { id } : {}) };
}
