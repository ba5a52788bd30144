import { type JsonObject, SallyportError } from '@sallyport/protocol';
import type { Clock } from '../../shared/clock.ts';
import type { McpPinRow, McpPinsRepository } from '../../store/index.ts';
import { type Definition, instructionsDefinition, parseDefinition, toolDefinition } from './definition.ts';
import type { AcceptedTool, AcceptedTools } from './server-reads.ts';

/** A change that waits for a person. */
export interface PendingChange {
  readonly kind: Definition['kind'];
  /** of the tool; empty for the instructions */
  readonly name: string;
  /** what the person who accepts it must have seen */
  readonly hash: string;
  readonly at: number;
  /** null: there was none */
  readonly before: JsonObject | null;
  readonly after: JsonObject;
}

/** What was seen of a server at once. */
export interface Sighting {
  readonly instructions: string | undefined;
  readonly tools: readonly unknown[];
  /** the client on whose connection it was seen; absent: the gateway's own */
  readonly peer?: string | undefined;
}

export interface CatalogueParts {
  readonly server: string;
  readonly pins: Pick<McpPinsRepository, 'ofServer' | 'put' | 'remove'>;
  readonly clock: Clock;
  /** Rejects when it cannot be recorded: then nothing is pinned. */
  readonly record: (what: 'Pinned' | 'Quarantined', definitions: readonly Definition[]) => Promise<void>;
  /** what a model may see is another */
  readonly onChange: () => void;
}

/**
 * What people have accepted of a server's definitions, and what waits for them [TO-2].
 *
 * Adding a server to the config is the acceptance of what it says the first time. Whatever it says differently later,
 * or in addition, is quarantined: neither shown nor callable until a person has accepted that very text.
 */
export class Catalogue {
  readonly #parts: CatalogueParts;
  // process-local: a copy of rows of the store
  #pins = new Map<string, McpPinRow>();
  /** names of tools that the server has now, by who was told so: a server may have some for one client alone */
  // process-local: what the servers that this process runs offer
  readonly #present = new Map<string, ReadonlySet<string>>();
  // process-local: made from the two before it
  #tools: ReadonlyMap<string, JsonObject> = new Map();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: CatalogueParts) {
    this.#parts = parts;
  }

  /** Reads what was pinned before. Tools are known from then on, also while their server is not there. */
  async load(): Promise<void> {
    await this.#read();
    const known = [...this.#pins.values()].filter(
      ({ kind, pending_hash: hash }) => kind === 'tool' && hash === null,
    );
    this.#present.set(OWN, new Set(known.map(({ name }) => name)));
    this.#settle();
  }

  /** Another gateway on the same store may have had something accepted. */
  async #read(): Promise<void> {
    const rows = await this.#parts.pins.ofServer(this.#parts.server);
    this.#pins = new Map(rows.map((row) => [keyOf(row), row]));
  }

  /** Accepted tools that the server has, as it defined them. */
  get tools(): ReadonlyMap<string, JsonObject> {
    return this.#tools;
  }

  /** What people accepted of its tools and does not wait for them again, whether the server has it now or not. */
  accepted(): AcceptedTools {
    const tools = new Map<string, AcceptedTool>();
    for (const { kind, name, accepted, accepted_hash: hash, pending_hash: pending } of this.#pins.values())
      if (kind === 'tool' && accepted !== null && hash !== null && pending === null)
        tools.set(name, { hash, definition: parseDefinition(accepted) });
    return tools;
  }

  /** Accepted instructions; undefined when there are none, or a change of them waits. */
  get instructions(): string | undefined {
    const row = this.#pins.get('instructions:');
    if (row === undefined || row.accepted === null || row.pending_hash !== null) return undefined;
    const { instructions } = parseDefinition(row.accepted);
    return typeof instructions === 'string' && instructions !== '' ? instructions : undefined;
  }

  isQuarantined(tool: string): boolean {
    return (this.#pins.get(`tool:${tool}`)?.pending_hash ?? null) !== null;
  }

  pending(): readonly PendingChange[] {
    return [...this.#pins.values()].flatMap((row) => changeOf(row));
  }

  /** Compares with what was accepted. Rejects when that cannot be written down: then nothing new is shown. */
  observe(sighting: Sighting): Promise<void> {
    return this.#inTurn(() => this.#observe(sighting));
  }

  /** The client is gone, and with it what the server had for it alone. */
  leave(peer: string): void {
    if (this.#present.delete(`peer:${peer}`) && this.#settle()) this.#parts.onChange();
  }

  /** Accepts changes by the hashes that a person saw. Throws `Conflict` when one is not what waits now. */
  accept(
    changes: readonly { readonly kind: string; readonly name: string; readonly hash: string }[],
    by: string,
    record: (accepted: readonly PendingChange[]) => Promise<void>,
  ): Promise<readonly PendingChange[]> {
    return this.#inTurn(() => this.#accept(changes, by, record));
  }

  async #observe({ instructions, tools, peer }: Sighting): Promise<void> {
    const { server, pins, clock, record, onChange } = this.#parts;
    const seen = new Map<string, Definition>();
    for (const definition of [instructionsDefinition(instructions), ...tools.map(toolDefinition)]) {
      // The first of a name counts, whoever comes later.
      if (definition !== undefined && !seen.has(keyOf(definition))) seen.set(keyOf(definition), definition);
    }
    await this.#read();
    const isFirst = this.#pins.size === 0;
    const now = clock.now();
    const changed: Definition[] = [];
    const rows: McpPinRow[] = [];
    for (const [key, definition] of seen) {
      const row = this.#pins.get(key);
      const next = isFirst
        ? { ...emptyRow(server, definition), ...acceptedBy(definition, 'config', now) }
        : compared(row ?? emptyRow(server, definition), definition, now);
      if (next === row) continue;
      rows.push(next);
      if (next.pending_hash !== null || isFirst) changed.push(definition);
    }
    const names = [...seen.values()].filter(({ kind }) => kind === 'tool').map(({ name }) => name);
    this.#present.set(peer === undefined ? OWN : `peer:${peer}`, new Set(names));
    // What nobody accepted and nobody has any more is not worth a question.
    const gone = [...this.#pins.values()].filter(
      ({ accepted, name }) => accepted === null && !this.#isPresent(name),
    );
    // INVARIANT: recorded and written before anyone may see it.
    if (changed.length > 0) await record(isFirst ? 'Pinned' : 'Quarantined', changed);
    await pins.put(rows);
    await pins.remove(
      server,
      'tool',
      gone.map(({ name }) => name),
    );
    for (const row of rows) this.#pins.set(keyOf(row), row);
    for (const row of gone) this.#pins.delete(keyOf(row));
    if (this.#settle() || rows.length > 0) onChange();
  }

  async #accept(
    changes: readonly { readonly kind: string; readonly name: string; readonly hash: string }[],
    by: string,
    record: (accepted: readonly PendingChange[]) => Promise<void>,
  ): Promise<readonly PendingChange[]> {
    const { pins, clock, onChange } = this.#parts;
    await this.#read();
    const rows = changes.map(({ kind, name, hash }) => {
      const row = this.#pins.get(`${kind}:${name}`);
      // SECURITY: a server that changes again while a person reads must not have that accepted unread.
      if (row === undefined || row.pending === null || row.pending_hash !== hash)
        throw notWaiting(name, kind);
      return row;
    });
    const accepted = rows.flatMap((row) => changeOf(row));
    await record(accepted);
    const next = rows.map((row) => ({
      ...row,
      accepted: row.pending,
      accepted_hash: row.pending_hash,
      accepted_at: clock.now(),
      accepted_by: by,
      ...NOTHING_PENDING,
    }));
    await pins.put(next);
    for (const row of next) this.#pins.set(keyOf(row), row);
    this.#settle();
    onChange();
    return accepted;
  }

  /** Whether other tools may be seen than before. */
  #settle(): boolean {
    const before = this.#tools;
    const next = new Map<string, JsonObject>();
    for (const row of this.#pins.values()) {
      if (row.kind !== 'tool' || row.accepted === null || row.pending_hash !== null) continue;
      if (this.#isPresent(row.name)) next.set(row.name, parseDefinition(row.accepted));
    }
    this.#tools = next;
    return before.size !== next.size || [...next.keys()].some((name) => !before.has(name));
  }

  #isPresent(tool: string): boolean {
    return this.#present.values().some((names) => names.has(tool));
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(task);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

const OWN = 'own';
const NOTHING_PENDING = { pending: null, pending_hash: null, pending_at: null };

function keyOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind}:${name}`;
}

function emptyRow(server: string, { kind, name }: Definition): McpPinRow {
  const nothing = { accepted: null, accepted_hash: null, accepted_at: null, accepted_by: null };
  return { server, kind, name, ...nothing, ...NOTHING_PENDING };
}

function acceptedBy({ text, hash }: Definition, by: string, now: number): Partial<McpPinRow> {
  return { accepted: text, accepted_hash: hash, accepted_at: now, accepted_by: by };
}

/** The row after this was seen; the same object when nothing is new. */
function compared(row: McpPinRow, { text, hash }: Definition, now: number): McpPinRow {
  if (hash === row.accepted_hash) return row.pending_hash === null ? row : { ...row, ...NOTHING_PENDING };
  return hash === row.pending_hash ? row : { ...row, pending: text, pending_hash: hash, pending_at: now };
}

function changeOf(row: McpPinRow): readonly PendingChange[] {
  const { kind, name, accepted, pending, pending_hash: hash, pending_at: at } = row;
  if (pending === null || hash === null) return [];
  return [
    {
      kind: kind === 'tool' ? 'tool' : 'instructions',
      name,
      hash,
      at: at ?? 0,
      before: accepted === null ? null : parseDefinition(accepted),
      after: parseDefinition(pending),
    },
  ];
}

function notWaiting(name: string, kind: string): SallyportError {
  return new SallyportError('Conflict', {
    message: `what was shown of ${kind === 'tool' ? `\`${name}\`` : 'the instructions'} is not what waits now`,
    hint: 'look at it again with `sallyport servers diff`',
  });
}
