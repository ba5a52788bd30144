import type { Checkpoint } from '../chain/checkpoint.ts';
import type { PendingEvent } from '../chain/event-line.ts';

/** What the thread is started with. */
export interface WriterThreadOptions {
  readonly file: string;
  readonly keyFile: string;
}

/** What the gateway asks of the writer thread. One at a time. */
export type WriterRequest =
  | { readonly kind: 'commit'; readonly events: readonly PendingEvent[]; readonly again: boolean }
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'close' };

/** What the thread answers. */
export type WriterReply =
  | {
      readonly kind: 'committed';
      readonly seqs: readonly number[];
      readonly checkpoints: readonly Checkpoint[];
    }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'closed' };
