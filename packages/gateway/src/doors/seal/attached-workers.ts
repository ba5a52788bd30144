import type { KeyObject } from 'node:crypto';
import type { Actor } from '@sallyport/protocol';
import type { WorkloadRecord } from '../../store/index.ts';
import type { SecurityToken } from './security-tokens.ts';

/** A worker that has attested to this process. */
export interface AttachedWorker {
  readonly workload: WorkloadRecord;
  readonly key: KeyObject;
  readonly token: SecurityToken;
  readonly actor: Actor;
}

/**
 * Workers by workload, and by token: that a token was verified is remembered by the token itself.
 *
 * SECURITY: in memory only. A restart forgets every token, so an envelope of before is worth nothing afterwards,
 * whatever the clock says.
 */
export class AttachedWorkers {
  // process-local: a worker attests to one process, with a key that only it has, and attests again elsewhere
  readonly #byWorkload = new Map<string, AttachedWorker>();
  // process-local: an index of the field before it
  readonly #byToken = new Map<string, AttachedWorker>();

  /** A workload has one worker: the one before it is detached. */
  attach(worker: AttachedWorker): void {
    this.detach(worker.workload.id);
    this.#byWorkload.set(worker.workload.id, worker);
    this.#byToken.set(worker.token.text, worker);
  }

  detach(workload: string): void {
    const worker = this.#byWorkload.get(workload);
    if (worker === undefined) return;
    this.#byWorkload.delete(workload);
    this.#byToken.delete(worker.token.text);
  }

  of(workload: string): AttachedWorker | undefined {
    return this.#byWorkload.get(workload);
  }

  withToken(token: string): AttachedWorker | undefined {
    return this.#byToken.get(token);
  }
}
