import type { KeyObject } from 'node:crypto';
import { type AuditLevel, type NewEvent, SallyportError } from '@sallyport/protocol';
import type { FileProblem } from '../shared/held-file.ts';
import { MetaRepository } from '../store/index.ts';
import type { AuditTrail, HeldNote } from './audit-trail.ts';
import { CHECKPOINT_INTERVAL_MS } from './chain/checkpoint-policy.ts';
import { EventIds } from './chain/event-ids.ts';
import type { LineHead, PendingEvent } from './chain/event-line.ts';
import { loadSigningKey } from './chain/signing-key.ts';
import { eventTail, extendTail } from './event-tail.ts';
import { Feed, type FeedLine } from './feed/feed.ts';
import { FeedReader } from './feed/feed-reader.ts';
import { HeldEvent, type HeldEventParts } from './held-event.ts';
import type { KeptEntry } from './journal/journal.ts';
import { storeLeftBehind } from './journal/journal-file.ts';
import { LazyJournal } from './journal/lazy-journal.ts';
import { Outlets, type SinkProblem } from './outlets.ts';
import type { EventPage, EventQuery, StoredEvent } from './read/event-query.ts';
import { EventReader } from './read/event-reader.ts';
import { latestCheckpoints, refuseBrokenTrail } from './read/latest-checkpoints.ts';
import type { Redactor } from './redaction/redactor.ts';
import type { SubscribeOptions, TrailHealth, TrailOptions, TrailSettings } from './trail-options.ts';
import type { ChainWriter } from './writer/chain-writer.ts';
import { DEFAULT_LIMITS, GroupCommitter } from './writer/group-committer.ts';
import { PostgresWriter } from './writer/postgres-writer.ts';
import { SqliteWriter } from './writer/sqlite-writer.ts';

const SUBSCRIBER_BATCH = 200;
const IN_ORDER = { mayYield: false };

/**
 * Opens the trail: makes the signing key at the first start, continues the chains where the database ends them.
 *
 * Throws `TrailBroken` when the database does not hold what its own last checkpoints say: to go on would
 * bury the traces.
 */
export async function openTrail(options: TrailOptions): Promise<Trail> {
  const key = loadSigningKey(options.signingKeyFile);
  const reader = new EventReader(options.store);
  const checkpoints = await latestCheckpoints(options.store);
  await refuseBrokenTrail(options.store, checkpoints);
  const writer: ChainWriter =
    options.store.engine === 'sqlite'
      ? new SqliteWriter({
          file: options.store.location,
          keyFile: options.signingKeyFile,
          problem: options.store.problem,
        })
      : new PostgresWriter(options.store, key, options.clock);
  if (options.journalFile !== undefined) {
    await storeLeftBehind(options.journalFile, writer).catch(async (error: unknown) => {
      await writer.close();
      throw error;
    });
  }
  const trail = new Trail(options, {
    writer,
    reader,
    publicKey: key.publicKey,
    heads: await reader.heads(),
    ids: new EventIds(await reader.lastId()),
  });
  await trail.start();
  return trail;
}

interface Parts {
  readonly writer: ChainWriter;
  readonly reader: EventReader;
  readonly publicKey: KeyObject;
  readonly heads: ReadonlyMap<string, number>;
  readonly ids: EventIds;
}

/** The open trail. Obtained from `openTrail`. */
export class Trail implements AuditTrail {
  readonly #options: TrailOptions;
  readonly #parts: Parts;
  readonly #feed: Feed;
  readonly #committer: GroupCommitter;
  readonly #outlets: Outlets;
  readonly #journal: LazyJournal | undefined;
  readonly #heldParts: HeldEventParts = {
    tailOf: (event, more) => eventTail(event, this.#level, this.#options.redactor, more),
    note: (event) => this.note(event),
    extend: ({ tail, revision }, { data, detail }, more) => {
      const { redactor } = this.#options;
      if (revision !== redactor.revision || detail !== undefined) return undefined;
      return extendTail(tail, data, more, redactor);
    },
  };
  #level: AuditLevel;
  #intervalMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lost: FileProblem | undefined;
  #problem: string | undefined;
  /** there may be events after the last checkpoint */
  #unsigned = true;
  #closing: Promise<void> | undefined;

  constructor(options: TrailOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    this.#level = options.level;
    this.#feed = new Feed(parts.heads);
    this.#outlets = new Outlets({
      feed: this.#feed,
      readBack: this.#readBack,
      meta: new MetaRepository(options.store),
      clock: options.clock,
      checkpoints: () => latestCheckpoints(options.store),
      onFailed: (sink, problem) => this.#report('AuditEvent::SinkFailed', { sink, problem }),
      onRecovered: (sink, ms) =>
        this.#report('AuditEvent::SinkRecovered', {
          sink,
          ...(ms === undefined ? {} : { failed_for_ms: ms }),
        }),
    });
    this.#committer = new GroupCommitter({
      writer: parts.writer,
      limits: options.limits ?? DEFAULT_LIMITS,
      refusal: () => this.#look()?.message,
      onCommitted: (committed) => {
        this.#unsigned = true;
        this.#feed.publish(committed);
      },
      onCheckpoints: (checkpoints) => this.#outlets.send(checkpoints),
      onHealth: (problem) => {
        this.#problem = problem;
      },
    });
    // SECURITY: a database on another machine may outlive this disk; what it does not have is not durable.
    if (options.journalFile !== undefined && options.store.engine === 'sqlite')
      this.#journal = new LazyJournal(options.journalFile, {
        isLost: () => this.#look() !== undefined,
        onBroken: (problem) => this.#report('AuditEvent::SinkFailed', { sink: 'journal', problem }),
      });
  }

  /** Called once, by `openTrail`. */
  async start(): Promise<void> {
    const [problem] = await this.apply(this.#options);
    if (problem !== undefined) throw problem.error;
  }

  /** From now on so. What is returned could not be opened, and is left out. */
  async apply(settings: TrailSettings): Promise<readonly SinkProblem[]> {
    if (this.#closing !== undefined) return [];
    this.#level = settings.level;
    const { checkpointIntervalMs: interval = CHECKPOINT_INTERVAL_MS } = settings;
    if (interval !== this.#intervalMs) {
      this.#intervalMs = interval;
      clearInterval(this.#timer);
      this.#timer = setInterval(() => this.#signIfGrown().catch(() => {}), interval).unref();
    }
    return this.#outlets.use(settings);
  }

  /** Whether what is written will be found by the next start [TR-7]. */
  #look(): FileProblem | undefined {
    const { store, alsoHeld, onLost } = this.#options;
    const found = store.problem() ?? this.#journal?.problem() ?? alsoHeld?.();
    if (found !== undefined && this.#lost === undefined) onLost?.(found);
    this.#lost = found;
    return found;
  }

  /** Checks signatures of this gateway's checkpoints. */
  get publicKey(): KeyObject {
    return this.#parts.publicKey;
  }

  get level(): AuditLevel {
    return this.#level;
  }

  /** Looks at the files now. */
  get health(): TrailHealth {
    return {
      lost: this.#look(),
      problem: this.#problem,
      queued: this.#committer.queued,
      sinks: this.#outlets.sinks,
      anchor: this.#outlets.anchor,
    };
  }

  /** Why nothing can be recorded at present; names no file. Looks now. */
  trouble(): SallyportError | undefined {
    const problem = this.#look()?.message ?? this.#problem;
    return problem === undefined ? undefined : unavailable(problem);
  }

  async append(event: NewEvent): Promise<{ readonly id: string; readonly seq: number }> {
    const pending = this.#prepare(event);
    return { id: pending.id, seq: await this.#committer.append(pending) };
  }

  note(event: NewEvent): void {
    this.#committer.note(this.#prepare(event));
  }

  hold(event: NewEvent, options: { readonly mayYield: boolean } = IN_ORDER): HeldNote {
    const held = new HeldEvent(this.#heldParts, this.#headOf(event), event, options);
    this.#committer.hold(held);
    return held;
  }

  async keep(event: NewEvent): Promise<HeldNote | undefined> {
    const { redactor } = this.#options;
    const head = this.#headOf(event);
    const { tenant, id, at, type, actionId, approvalId } = head;
    const written = { tail: eventTail(event, this.#level, redactor), revision: redactor.revision };
    const pending = { tenant, id, at, type, actionId, approvalId, tail: written.tail };
    const entry = await this.#keepInJournal(pending);
    if (entry === undefined) {
      this.#refuseLost();
      await this.#committer.append(pending);
      return undefined;
    }
    const held = new HeldEvent(this.#heldParts, head, event, { mayYield: false, kept: { written, entry } });
    this.#committer.holdKept(held);
    return held;
  }

  /** undefined where the event must go straight into the chain: no journal, no room in it, or the chain does not grow. */
  #keepInJournal(event: PendingEvent): Promise<KeptEntry | undefined> | undefined {
    if (this.#closing !== undefined || !this.#committer.isTaking) return undefined;
    return this.#journal?.keep(event);
  }

  /** Resolves when everything handed over so far is stored, or cannot be. */
  async drain(): Promise<void> {
    await this.#journal?.settled();
    await this.#committer.drain();
  }

  read(query: EventQuery): Promise<EventPage> {
    return this.#parts.reader.read(query);
  }

  get(id: string, tenant?: string): Promise<StoredEvent | undefined> {
    return this.#parts.reader.get(id, tenant);
  }

  export(query: Omit<EventQuery, 'limit' | 'cursor' | 'order'>): AsyncGenerator<string> {
    return this.#parts.reader.export(query);
  }

  /** Events as they are committed, each once, until `signal` aborts. A slow subscriber slows nobody but itself. */
  async *subscribe({ tenant, lastEventId, afterSeq, signal }: SubscribeOptions): AsyncGenerator<FeedLine> {
    const cursors =
      tenant !== undefined && afterSeq !== undefined
        ? new Map([[tenant, afterSeq]])
        : lastEventId !== undefined
          ? await this.#parts.reader.cursorsAt(lastEventId)
          : this.#feed.heads;
    const reader = new FeedReader({ feed: this.#feed, readBack: this.#readBack, cursors, tenant });
    try {
      while (!signal.aborted) yield* await reader.next(SUBSCRIBER_BATCH, signal);
    } finally {
      reader.close();
    }
  }

  /** Stores what waits, signs a last checkpoint, lets sinks and anchor finish for a few seconds. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#timer);
    await this.drain();
    await this.#outlets.closeSinks();
    await this.#committer.close();
    await this.#journal?.close();
    // Without a working disk there is nothing to sign; what is stored stays as it is.
    await this.#signIfGrown().catch(() => {});
    await this.#outlets.closeAnchor();
    await this.#parts.writer.close();
  }

  readonly #readBack = (tenant: string, afterSeq: number, limit: number) =>
    this.#parts.reader.after(tenant, afterSeq, limit);

  async #signIfGrown(): Promise<void> {
    if (!this.#unsigned) return;
    this.#unsigned = false;
    try {
      this.#outlets.send(await this.#parts.writer.checkpoint());
    } catch (error) {
      this.#unsigned = true;
      throw error;
    }
  }

  #prepare(event: NewEvent): PendingEvent {
    const { tenant, id, at, type, actionId, approvalId } = this.#headOf(event);
    const tail = eventTail(event, this.#level, this.#options.redactor);
    return { tenant, id, at, type, actionId, approvalId, tail };
  }

  #headOf(event: NewEvent): LineHead {
    const { redactor, clock } = this.#options;
    this.#refuseLost();
    const now = clock.now();
    const at = event.at === undefined ? now : Date.parse(event.at);
    if (event.tenant === '' || !Number.isSafeInteger(at)) {
      throw new SallyportError('BadRequest', { message: 'an event needs a tenant and a valid time' });
    }
    return {
      tenant: event.tenant,
      id: this.#parts.ids.next(now),
      at,
      type: event.type,
      actionId: event.action_id === undefined ? null : idText(event.action_id, redactor),
      approvalId: event.approval_id === undefined ? null : redactor.redactText(event.approval_id),
    };
  }

  #refuseLost(): void {
    if (this.#lost?.isFinal === true) throw unavailable(this.#lost.message);
  }

  /** Events about the trail itself; they must not fail anything. */
  #report(type: NewEvent['type'], data: NewEvent['data']): void {
    const tenant = this.#options.systemTenant ?? 'default';
    this.append({ tenant, type, actor: { kind: 'gateway' }, data }).catch(() => {});
  }
}

function unavailable(problem: string): SallyportError {
  return new SallyportError('AuditUnavailable', {
    hint: 'a person must look at the gateway: `sallyport status` says what happened',
    cause: new Error(problem),
  });
}

/** As this gateway makes them: nothing but time and chance. */
const OWN_ID = /^act_[0-9a-hjkmnp-tv-z]{26}$/;

function idText(id: string, redactor: Redactor): string {
  return OWN_ID.test(id) ? id : redactor.redactText(id);
}
