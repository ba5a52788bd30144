import type { Feed, FeedLine, Follower } from './feed.ts';

/** Reads what a listener missed: events of one tenant after a number, oldest first. */
export type ReadBack = (tenant: string, afterSeq: number, limit: number) => Promise<readonly FeedLine[]>;

export interface FeedReaderOptions {
  readonly feed: Feed;
  readonly readBack: ReadBack;
  /** number of the last event that this listener has, by tenant; a tenant that is not in here starts at its first */
  readonly cursors: ReadonlyMap<string, number>;
  /** only this tenant's events */
  readonly tenant?: string | undefined;
}

/**
 * One listener's place in the trail.
 *
 * Promises each event once, and those of a tenant in order. While it keeps up it reads from memory; when it
 * fell behind, or starts in the past, it reads the database until it has caught up. `close` it when it reads no more.
 */
export class FeedReader implements Follower {
  readonly #feed: Feed;
  readonly #readBack: ReadBack;
  readonly #tenant: string | undefined;
  readonly #cursors: Map<string, number>;
  /** place in the feed; undefined while reading from the database */
  #position: number | undefined;

  constructor({ feed, readBack, cursors, tenant }: FeedReaderOptions) {
    this.#feed = feed;
    this.#readBack = readBack;
    this.#tenant = tenant;
    this.#cursors = new Map(cursors);
    feed.follow(this);
  }

  get position(): number | undefined {
    return this.#position;
  }

  /** Nothing is kept for it any more. */
  close(): void {
    this.#feed.unfollow(this);
  }

  /** Number of the last event handed out, by tenant. */
  get cursors(): ReadonlyMap<string, number> {
    return this.#cursors;
  }

  /** How many events are waiting for this listener. */
  get lag(): number {
    let lag = 0;
    for (const [tenant, head] of this.#feed.heads)
      if (this.#wants(tenant)) lag += Math.max(0, head - this.#cursor(tenant));
    return lag;
  }

  /** Waits for events and returns at most `limit` of them. Once `signal` aborts it waits no more: none means the end. */
  async next(limit: number, signal: AbortSignal): Promise<readonly FeedLine[]> {
    for (;;) {
      const lines = await this.#take(limit);
      if (lines.length > 0) return lines;
      if (!this.#isUpToDate()) continue;
      if (signal.aborted) return [];
      await this.#published(signal);
    }
  }

  async #take(limit: number): Promise<readonly FeedLine[]> {
    if (this.#isUpToDate()) this.#position = this.#feed.end;
    else if (this.#position === undefined || this.#position < this.#feed.start) return this.#catchUp(limit);

    const lines: FeedLine[] = [];
    for (let position = this.#position ?? 0; lines.length < limit; position += 1) {
      const line = this.#feed.at(position);
      if (line === undefined) break;
      this.#position = position + 1;
      const cursor = this.#cursor(line.tenant);
      if (!this.#wants(line.tenant) || line.seq <= cursor) continue;
      if (line.seq !== cursor + 1) {
        // Another gateway on the same database wrote in between.
        this.#position = undefined;
        break;
      }
      this.#cursors.set(line.tenant, line.seq);
      lines.push(line);
    }
    return lines;
  }

  /** Pages of all tenants, merged by id as far as every page reaches, so that the last id says what was seen. */
  async #catchUp(limit: number): Promise<readonly FeedLine[]> {
    this.#position = undefined;
    const pages: (readonly FeedLine[])[] = [];
    let horizon: string | undefined;
    for (const [tenant, head] of this.#feed.heads) {
      if (!this.#wants(tenant) || head <= this.#cursor(tenant)) continue;
      const cursor = this.#cursor(tenant);
      // Whatever a damaged database answers, the cursor only goes forward: this loop must come to an end.
      const page = (await this.#readBack(tenant, cursor, limit)).filter((line) => line.seq > cursor);
      // Events that are gone cannot be delivered; `verify` is who complains about them.
      if (page.length === 0) this.#cursors.set(tenant, head);
      const reach = page.reduce((max, line) => (line.id > max ? line.id : max), '');
      if (page.length >= limit && (horizon === undefined || reach < horizon)) horizon = reach;
      pages.push(page);
    }
    const lines = mergePages(pages, horizon);
    for (const line of lines) this.#cursors.set(line.tenant, line.seq);
    return lines;
  }

  #published(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        forget();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const forget = this.#feed.onNext(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #isUpToDate(): boolean {
    for (const [tenant, head] of this.#feed.heads) {
      if (this.#wants(tenant) && head > this.#cursor(tenant)) return false;
    }
    return true;
  }

  #wants(tenant: string): boolean {
    return this.#tenant === undefined || this.#tenant === tenant;
  }

  #cursor(tenant: string): number {
    return this.#cursors.get(tenant) ?? 0;
  }
}

/** By id, but within a tenant by number: ids of two gateways on one database may disagree with the numbers. */
function mergePages(pages: readonly (readonly FeedLine[])[], horizon: string | undefined): FeedLine[] {
  const parts = pages.map((page) => {
    const end = horizon === undefined ? -1 : page.findIndex((line) => line.id > horizon);
    return end === -1 ? [...page] : page.slice(0, end);
  });
  const byId = parts.flat().sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const queues = new Map(parts.map((part) => [part[0]?.tenant, part]));
  return byId.flatMap((line) => queues.get(line.tenant)?.shift() ?? []);
}
