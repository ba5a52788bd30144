import { createPublicKey } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { trustKeys } from '../chain/checkpoint.ts';
import { SqliteRowReader } from './sqlite-row-reader.ts';
import { runVerifyTask, type VerifyTask, type VerifyThreadOptions } from './verify-task.ts';

// Checking a SQLite file takes seconds of CPU and blocking reads: never on the thread that decides.

// `workerData` is what `SqliteTaskPool` passed, nothing else starts this file.
const options = workerData as VerifyThreadOptions;
const reader = new SqliteRowReader(options.file);
const keys = trustKeys(options.publicKeys.map((pem) => createPublicKey(pem)));

parentPort?.on('message', async (task: VerifyTask) => {
  parentPort?.postMessage(await runVerifyTask(reader, task, keys));
});
