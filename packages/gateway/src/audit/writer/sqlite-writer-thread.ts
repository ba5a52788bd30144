import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { assertNever } from '../../shared/assert-never.ts';
import { openSqliteConnection } from '../../shared/sqlite/sqlite-connection.ts';
import { loadSigningKey } from '../chain/signing-key.ts';
import type { CommitResult } from './chain-writer.ts';
import { SqliteChain } from './sqlite-chain.ts';
import { StoredHeads } from './stored-heads.ts';
import {
  unflatten,
  type WriterReply,
  type WriterRequest,
  type WriterThreadOptions,
} from './writer-messages.ts';

// The thread of the trail: a commit may block for milliseconds, and must not block decisions.

// `workerData` is what `SqliteWriter` passed, nothing else starts this file.
const options = workerData as WriterThreadOptions;
const stored = new StoredHeads(options.stored);
let db: DatabaseSync | undefined;
let chain: SqliteChain | undefined;

function openChain(): SqliteChain {
  if (chain !== undefined) return chain;
  db = openSqliteConnection(options.file);
  chain = new SqliteChain(db, loadSigningKey(options.keyFile), stored);
  return chain;
}

function closeChain(): void {
  chain = undefined;
  if (db?.isOpen) db.close();
  db = undefined;
}

function answer(request: WriterRequest): WriterReply {
  switch (request.kind) {
    case 'commit':
      return committed(openChain().commit(unflatten(request.fields), request.again));
    case 'checkpoint':
      return committed({ seqs: [], checkpoints: openChain().checkpoint() });
    case 'close':
      closeChain();
      return { kind: 'closed' };
    default:
      return assertNever(request);
  }
}

function committed(result: CommitResult): WriterReply {
  return { kind: 'committed', ...result, stored: stored.fresh };
}

function answerSafely(request: WriterRequest): WriterReply {
  try {
    return answer(request);
  } catch (error) {
    // A connection that failed once is not trusted again: the next request opens a new one.
    try {
      closeChain();
    } catch {
      // It is being thrown away; what matters is the first error.
    }
    return { kind: 'failed', problem: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (request: WriterRequest) => {
  const reply = answerSafely(request);
  parentPort?.postMessage(reply);
  if (reply.kind === 'closed') parentPort?.close();
});
