import type { Head } from '../chain/chain-rows.ts';

/** Where a chain ends in the database, and where this gateway left it. */
export type StoredHead = readonly [tenant: string, head: Head];

/**
 * What this gateway has stored last in each chain. It must still be there when the chain is continued [TR-7]: a backup that
 * somebody put back through the database itself leaves every file in its place.
 */
export class StoredHeads {
  readonly #heads: Map<string, Head>;
  #fresh: readonly StoredHead[] = [];

  constructor(heads: readonly StoredHead[] = []) {
    this.#heads = new Map(heads);
  }

  get entries(): readonly StoredHead[] {
    return [...this.#heads];
  }

  /** What was kept last. */
  get fresh(): readonly StoredHead[] {
    return this.#fresh;
  }

  keep(heads: Iterable<StoredHead>): void {
    this.#fresh = [...heads];
    for (const [tenant, head] of this.#fresh) this.#heads.set(tenant, head);
  }

  /** The event to look for, when the chain does not end where this gateway left it: others may have continued it. */
  toLookFor(tenant: string, { seq, hash }: Head): Head | undefined {
    const last = this.#heads.get(tenant);
    return last === undefined || (last.seq === seq && last.hash === hash) ? undefined : last;
  }
}

export function refuseOtherPast(tenant: string, last: Head, hash: string | undefined): void {
  if (hash === last.hash) return;
  throw new Error(
    `event ${last.seq} of tenant \`${tenant}\`, which this gateway has stored, is not in the database any more: it was put back to an older state`,
  );
}
