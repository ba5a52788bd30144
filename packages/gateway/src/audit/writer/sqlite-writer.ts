import { Worker } from 'node:worker_threads';
import type { FileProblem } from '../../shared/held-file.ts';
import { ownFile } from '../../shared/own-files.ts';
import type { Checkpoint } from '../chain/checkpoint.ts';
import type { PendingEvent } from '../chain/event-line.ts';
import type { ChainWriter, CommitResult } from './chain-writer.ts';
import { StoredHeads } from './stored-heads.ts';
import {
  flatten,
  type WriterReply,
  type WriterRequest,
  type WriterThreadOptions,
} from './writer-messages.ts';

/** Longer than SQLite waits for a lock; a thread that is silent for so long is given up. In `ms` */
const REPLY_TIMEOUT_MS = 15_000;

export interface SqliteWriterOptions {
  readonly file: string;
  readonly keyFile: string;
  /** why the file must not be written to */
  problem(): FileProblem | undefined;
  /** another program for the thread; tests use one that dies */
  readonly thread?: URL | string;
}

/** The writer for SQLite: its own connection on its own thread, which is started again when it died. */
export class SqliteWriter implements ChainWriter {
  readonly #options: SqliteWriterOptions;
  readonly #stored = new StoredHeads();
  #worker: Worker | undefined;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(options: SqliteWriterOptions) {
    this.#options = options;
  }

  commit(events: readonly PendingEvent[], again: boolean): Promise<CommitResult> {
    return this.#ask({ kind: 'commit', fields: flatten(events), again });
  }

  async checkpoint(): Promise<readonly Checkpoint[]> {
    return (await this.#ask({ kind: 'checkpoint' })).checkpoints;
  }

  async close(): Promise<void> {
    await this.#last;
    const worker = this.#worker;
    if (worker === undefined) return;
    await this.#exchange(worker, { kind: 'close' }).catch(() => {});
    this.#worker = undefined;
    await worker.terminate();
  }

  /** Requests go one after the other: a reply needs no number to find its request. */
  #ask(request: WriterRequest): Promise<CommitResult> {
    const now = (): Promise<CommitResult> => this.#askNow(request);
    // At once when nothing is under way: a detour through a promise would keep the thread idle under load.
    const turn = this.#waiting === 0 ? now() : this.#last.then(now, now);
    this.#waiting += 1;
    const done = (): void => {
      this.#waiting -= 1;
    };
    this.#last = turn.then(done, done);
    return turn;
  }

  async #askNow(request: WriterRequest): Promise<CommitResult> {
    // SECURITY: a file that was put in the place of ours gets nothing of it, and one that was overwritten no more harm [TR-7].
    const problem = this.#options.problem();
    if (problem !== undefined) throw new Error(problem.message);
    this.#worker ??= this.#start();
    const reply = await this.#exchange(this.#worker, request);
    switch (reply.kind) {
      case 'committed':
        this.#stored.keep(reply.stored);
        return reply;
      case 'failed':
        throw new Error(reply.problem);
      case 'closed':
        throw new Error('the writer thread has ended');
    }
  }

  #start(): Worker {
    const { file, keyFile, thread = ownFile('audit-writer.js') } = this.#options;
    const workerData: WriterThreadOptions = { file, keyFile, stored: this.#stored.entries };
    const worker = new Worker(thread, {
      workerData,
      // SECURITY: the thread needs no setting from outside, and inherits none.
      env: {},
      execArgv: [],
      name: 'sallyport-audit',
    });
    // Without this an idle gateway could not end; requests under way keep the process alive (below).
    worker.unref();
    // Keeps an error between two requests from ending the process; `exit` follows and is handled.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  #exchange(worker: Worker, request: WriterRequest): Promise<WriterReply> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        worker.off('message', onMessage);
        worker.off('exit', onExit);
        worker.unref();
        finish();
      };
      const onMessage = (reply: WriterReply): void => settle(() => resolve(reply));
      const onExit = (): void => settle(() => reject(new Error('the writer thread died')));
      const timer = setTimeout(() => {
        this.#worker = undefined;
        settle(() => reject(new Error('the writer thread does not answer')));
        worker.terminate().catch(() => {});
      }, REPLY_TIMEOUT_MS);
      worker.ref();
      worker.on('message', onMessage);
      worker.on('exit', onExit);
      worker.postMessage(request);
    });
  }
}
