import type { JsonlFile } from '../sinks/jsonl-files.ts';
import type { FilesResult } from './verify-files.ts';
import type { Segment, SegmentResult } from './verify-segment.ts';

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
