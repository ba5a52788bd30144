import type { KeyObject } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../store/index.ts';
import { trustKeys } from '../chain/checkpoint.ts';
import { EventReader } from '../read/event-reader.ts';
import { latestCheckpoints } from '../read/latest-checkpoints.ts';
import { type JsonlFile, listJsonlFiles } from '../sinks/jsonl-files.ts';
import type { RowReader } from './row-reader.ts';
import { SqliteRowReader } from './sqlite-row-reader.ts';
import { runOnThreads } from './sqlite-task-pool.ts';
import { StoreRowReader } from './store-row-reader.ts';
import { type BadEvent, firstOf, type TenantReport, type TrailReport } from './trail-report.ts';
import { type AnchorRecord, verifyAnchors } from './verify-anchors.ts';
import { runVerifyTask, type VerifyResult, type VerifyTask } from './verify-task.ts';

export interface VerifyOptions {
  readonly store: Store;
  /** folder of the JSONL sink; undefined: there are no files */
  readonly folder?: string | undefined;
  readonly anchors?: readonly AnchorRecord[];
  /** keys whose checkpoints count: the gateway's own, and those it had before */
  readonly publicKeys: readonly KeyObject[];
}

const SEGMENT = 25_000;
/** A trail of so few events is checked faster than a thread starts */
const SMALL = 2_000;
/** A sink may be this much behind the database, in `ms` */
const SINK_GRACE_MS = 500;

/**
 * Checks the whole trail: the database, the files, the anchors.
 *
 * Finds any edit, deletion, insertion, reorder, forged signature, truncation before the last checkpoint, files that
 * differ, and a rollback before the last anchor. Of each tenant it names the first bad event. Changes nothing, and
 * may run while the gateway writes.
 */
export async function verifyTrail(options: VerifyOptions): Promise<TrailReport> {
  const { store, folder, anchors = [] } = options;
  // INVARIANT: checkpoints before heads before files: each was written after the one that is read later.
  const signed = new Map(
    (await latestCheckpoints(store)).map((checkpoint) => [checkpoint.tenant, checkpoint.seq]),
  );
  const heads = await new EventReader(store).heads();
  const files = folder === undefined ? new Map<string, readonly JsonlFile[]>() : await listJsonlFiles(folder);
  const anchored = anchors.flatMap((anchor) => anchor.checkpoints.map((checkpoint) => checkpoint.tenant));

  const rollbacks = await verifyAnchors(
    new StoreRowReader(store),
    anchors,
    trustKeys(options.publicKeys),
    heads,
  );
  const tenants: TenantReport[] = [];
  const names = new Set([...heads.keys(), ...signed.keys(), ...files.keys(), ...anchored]);
  for (const tenant of [...names].sort()) {
    const report = await verifyTenant(options, {
      tenant,
      head: heads.get(tenant) ?? 0,
      signed: signed.get(tenant) ?? 0,
      files: files.get(tenant) ?? [],
    });
    const firstBad = firstOf([report.firstBad, ...(rollbacks.get(tenant) ?? [])]);
    tenants.push(firstBad === undefined ? report : { ...report, firstBad });
  }
  return { ok: tenants.every((tenant) => tenant.firstBad === undefined), tenants };
}

interface TenantFacts {
  readonly tenant: string;
  readonly head: number;
  readonly signed: number;
  readonly files: readonly JsonlFile[];
}

async function verifyTenant(options: VerifyOptions, facts: TenantFacts): Promise<TenantReport> {
  const { tenant, head, signed, files } = facts;
  const tasks: VerifyTask[] = [];
  for (let from = 1; from <= head; from += SEGMENT) {
    const to = Math.min(head, from + SEGMENT - 1);
    tasks.push({ kind: 'segment', segment: { tenant, from, to } });
  }
  const results = await runTasks(options, head, tasks);
  const inFiles = await verifyTenantFiles(options, facts);
  const truncated: BadEvent | undefined =
    signed > head
      ? {
          seq: head + 1,
          where: 'database',
          problem: `the event is missing: a checkpoint covers ${signed} events`,
        }
      : undefined;
  const firstBad = firstOf([
    ...results.map((result, index) => badOf(result, tasks[index])),
    truncated,
    inFiles?.bad,
  ]);
  return {
    tenant,
    events: head,
    checkpoints: results.reduce(
      (sum, result) => sum + (result.kind === 'segment' ? result.checkpoints : 0),
      0,
    ),
    lastCheckpoint: signed,
    ...(inFiles === undefined || files.length === 0 ? {} : { fileLag: Math.max(0, head - inFiles.last) }),
    ...(firstBad === undefined ? {} : { firstBad }),
  };
}

async function verifyTenantFiles(
  options: VerifyOptions,
  { head, signed, files }: TenantFacts,
): Promise<{ readonly last: number; readonly bad: BadEvent | undefined } | undefined> {
  const newest = files.at(-1);
  if (newest === undefined) return undefined;
  for (let patient = true; ; patient = false) {
    const [result] = await runTasks(options, head, [{ kind: 'files', files }]);
    if (result?.kind !== 'files') {
      const problem = result?.kind === 'failed' ? result.problem : 'the file could not be checked';
      return { last: 0, bad: { seq: newest.firstSeq, where: newest.name, problem } };
    }
    if (result.firstBad !== undefined || result.last >= signed)
      return { last: result.last, bad: result.firstBad };
    if (!patient) {
      const problem = `the file ends before the last checkpoint, at ${signed}: lines were cut off, or the sink was down`;
      return { last: result.last, bad: { seq: result.last + 1, where: newest.name, problem } };
    }
    await delay(SINK_GRACE_MS);
  }
}

async function runTasks(
  { store, publicKeys }: VerifyOptions,
  head: number,
  tasks: readonly VerifyTask[],
): Promise<readonly VerifyResult[]> {
  if (store.engine === 'sqlite' && head > SMALL) {
    const pems = publicKeys.map((key) => key.export({ type: 'spki', format: 'pem' }).toString());
    return runOnThreads({ file: store.location, publicKeys: pems }, tasks);
  }
  const results: VerifyResult[] = [];
  using reader = openReader(store);
  for (const task of tasks) results.push(await runVerifyTask(reader, task, trustKeys(publicKeys)));
  return results;
}

function openReader(store: Store): RowReader & Disposable {
  if (store.engine === 'sqlite') return new SqliteRowReader(store.location);
  return Object.assign(new StoreRowReader(store), { [Symbol.dispose]: () => {} });
}

function badOf(result: VerifyResult, task: VerifyTask | undefined): BadEvent | undefined {
  if (result.kind !== 'failed') return result.firstBad;
  const seq = task?.kind === 'segment' ? task.segment.from : 1;
  return { seq, where: 'database', problem: `the database cannot be read here: ${result.problem}` };
}
