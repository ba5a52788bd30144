import type { TrustedKeys } from '../chain/checkpoint.ts';
import type { RowReader } from './row-reader.ts';
import { verifyFiles } from './verify-files.ts';
import type { VerifyResult, VerifyTask } from './verify-messages.ts';
import { verifySegment } from './verify-segment.ts';

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
