import { SallyportError } from '@sallyport/protocol';
import type { ChainWriter } from '../writer/chain-writer.ts';
import { readJournal, wipeJournal } from './journal-file.ts';

/**
 * Puts into the chain what a gateway that was killed had on disk and not in there yet [TR-1].
 *
 * Throws when that cannot be done: a gateway that went on without it would have a trail with a hole.
 */
export async function storeLeftBehind(journalFile: string, writer: ChainWriter): Promise<void> {
  const left = await readJournal(journalFile);
  if (left.length === 0) return;
  try {
    // INVARIANT: those that are there already are not stored again [TR-4].
    await writer.commit(left, true);
  } catch (error) {
    throw new SallyportError('AuditUnavailable', { cause: error });
  }
  await wipeJournal(journalFile);
}
