import type { TrustedKeys } from '../chain/checkpoint.ts';
import type { JsonlFile } from '../sinks/jsonl-files.ts';
import type { RowReader } from './row-reader.ts';
import { type FilesResult, verifyFiles } from './verify-files.ts';
import { type Segment, type SegmentResult, verifySegment } from './verify-segment.ts';

/** What a checking thread is started with. */
export interface VerifyThreadOptions {
  readonly file: string;
  /** SPKI, PEM */
  readonly publicKeys: readonly string[];
}

export type VerifyTask =
  | { readonly kind: 'segment'; readonly segment: Segment }
  | { readonly kind: 'files'; readonly files: readonly JsonlFile[] };

export type VerifyResult =
  | ({ readonly kind: 'segment' } & SegmentResult)
  | ({ readonly kind: 'files' } & FilesResult)
  | { readonly kind: 'failed'; readonly problem: string };

/** Does one task. A database that cannot be read is a result, not an exception: it names what could not be checked. */
export async function runVerifyTask(
  reader: RowReader,
  task: VerifyTask,
  keys: TrustedKeys,
): Promise<VerifyResult> {
  try {
    return task.kind === 'segment'
      ? { kind: 'segment', ...(await verifySegment(reader, task.segment, keys)) }
      : { kind: 'files', ...(await verifyFiles(reader, task.files)) };
  } catch (error) {
    return { kind: 'failed', problem: error instanceof Error ? error.message : String(error) };
  }
}
