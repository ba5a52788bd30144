import { SallyportError } from '@sallyport/protocol';
import type { Store } from '../../store/index.ts';
import type { Checkpoint } from '../chain/checkpoint.ts';

/** The last checkpoint of each tenant, as stored. */
export async function latestCheckpoints(store: Store): Promise<readonly Checkpoint[]> {
  const rows = await store.db
    .selectFrom('checkpoints')
    .innerJoin(
      store.db
        .selectFrom('checkpoints')
        .select(['tenant', (eb) => eb.fn.max('seq').as('last')])
        .groupBy('tenant')
        .as('latest'),
      (join) =>
        join.onRef('latest.tenant', '=', 'checkpoints.tenant').onRef('latest.last', '=', 'checkpoints.seq'),
    )
    .selectAll('checkpoints')
    .execute();
  return rows.map((row) => ({ ...row, seq: Number(row.seq), at: Number(row.at) }));
}

/** Throws `TrailBroken` when the event under a checkpoint is gone or another one. A quick look, not `verifyTrail`. */
export async function refuseBrokenTrail(store: Store, checkpoints: readonly Checkpoint[]): Promise<void> {
  for (const { tenant, seq, hash } of checkpoints) {
    const event = await store.db
      .selectFrom('events')
      .select('hash')
      .where('tenant', '=', tenant)
      .where('seq', '=', seq)
      .executeTakeFirst();
    if (event?.hash === hash) continue;
    throw new SallyportError('TrailBroken', {
      message: `event ${seq} of tenant \`${tenant}\` is not the one that was signed`,
      hint: 'run `sallyport audit verify`, then restore the database from a backup or move it away',
    });
  }
}
