import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ownFile } from '../../shared/own-files.ts';
import type { VerifyResult, VerifyTask, VerifyThreadOptions } from './verify-task.ts';

const MAX_THREADS = 4;

/** Runs tasks on a few threads, each with its own read-only connection, and returns the results in order. */
export async function runOnThreads(
  options: VerifyThreadOptions,
  tasks: readonly VerifyTask[],
): Promise<readonly VerifyResult[]> {
  const results: VerifyResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    const worker = new Worker(ownFile('audit-verify.js'), {
      workerData: options,
      env: {},
      execArgv: [],
      name: 'sallyport-verify',
    });
    try {
      for (let index = next++; index < tasks.length; index = next++) {
        results[index] = await askThread(worker, tasks[index]);
      }
    } finally {
      await worker.terminate();
    }
  };
  const threads = Math.min(MAX_THREADS, availableParallelism(), tasks.length);
  await Promise.all(Array.from({ length: threads }, work));
  return results;
}

async function askThread(worker: Worker, task: VerifyTask | undefined): Promise<VerifyResult> {
  worker.postMessage(task);
  try {
    // `once` also rejects when the thread cannot open the database; the thread posts nothing but results.
    const [result] = (await once(worker, 'message')) as [VerifyResult];
    return result;
  } catch (error) {
    return { kind: 'failed', problem: error instanceof Error ? error.message : String(error) };
  }
}
