import type { EventType } from '@sallyport/protocol';

/** Which events a list shows. Without a tenant: all tenants', so only for operators. */
export interface EventQuery {
  readonly tenant?: string | undefined;
  readonly type?: EventType | undefined;
  readonly actionId?: string | undefined;
  /** words that all stand in the event, in any order; small and large letters are the same */
  readonly text?: string | undefined;
  /** ms since epoch, inclusive */
  readonly since?: number | undefined;
  /** ms since epoch, exclusive */
  readonly until?: number | undefined;
  /** at most this many, 1 to 1,000 */
  readonly limit: number;
  /** `asc`: oldest first */
  readonly order?: 'asc' | 'desc' | undefined;
  /** `nextCursor` of the page before */
  readonly cursor?: string | undefined;
}

/** A stored event: where it stands, and its exact bytes. */
export interface StoredEvent {
  readonly tenant: string;
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  /** ms since epoch */
  readonly at: number;
  readonly json: string;
  readonly hash: string;
}

export interface EventPage {
  readonly items: readonly StoredEvent[];
  readonly nextCursor: string | null;
}
