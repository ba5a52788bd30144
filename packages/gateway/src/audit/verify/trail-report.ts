/** The first event that is not as it was written. */
export interface BadEvent {
  readonly seq: number;
  readonly id?: string;
  /** `database`, or the name of a file or an anchor */
  readonly where: string;
  /** one line for people */
  readonly problem: string;
}

export interface TenantReport {
  readonly tenant: string;
  /** events in the database */
  readonly events: number;
  readonly checkpoints: number;
  /** what the last checkpoint covers; what came later is checked, but a cut there cannot be seen */
  readonly lastCheckpoint: number;
  /** events that the files do not have yet; undefined when there are no files */
  readonly fileLag?: number;
  readonly firstBad?: BadEvent;
}

export interface TrailReport {
  readonly ok: boolean;
  readonly tenants: readonly TenantReport[];
}

/** The one to name: the lowest number; where two places disagree, the database. */
export function firstOf(found: readonly (BadEvent | undefined)[]): BadEvent | undefined {
  return found
    .filter((bad) => bad !== undefined)
    .reduce<BadEvent | undefined>((first, bad) => {
      if (first === undefined || bad.seq < first.seq) return bad;
      return bad.seq === first.seq && bad.where === 'database' ? bad : first;
    }, undefined);
}
