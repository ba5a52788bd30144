import { SallyportError } from '@sallyport/protocol';
import type { CredentialConfig } from '../config/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { Secret } from '../shared/secret.ts';
import type { CredentialFacts } from './broker.ts';
import type { CredentialKind, HostContext, PreparedCredential } from './kinds/kind.ts';
import type { Cause, CredentialRecorder } from './recorder.ts';
import { resolveSecretReference } from './sources/resolve-secret-reference.ts';
import type { TenantSources } from './sources/tenant-sources.ts';

/** What has less than this left is prepared anew while it is still lent, in ms; a fifth of shorter lives. */
const REFRESH_MARGIN_MS = 60_000;
/** A source that has just failed is not asked again for so long, in ms: agents repeat themselves. */
const FAILED_FOR_MS = 2_000;

/** counts over all slots, so that no two values have the same number */
let revisions = 0;

export interface SlotParts {
  readonly tenant: string;
  readonly facts: CredentialFacts;
  readonly config: CredentialConfig;
  // The kind and its config belong together: `KINDS` is indexed by the kind that the config names.
  readonly kind: CredentialKind;
  readonly sources: TenantSources;
  readonly host: HostContext;
  readonly clock: Clock;
  readonly recorder: CredentialRecorder;
  readonly learn: (secret: Secret) => void;
  /** longest that one read, or one preparation, may take, in ms */
  readonly longestMs: number;
  /** aborts when the gateway stops */
  readonly closing: AbortSignal;
}

interface Material {
  readonly secret: Secret | undefined;
  readonly revision: string | undefined;
  /** moment from which it is read again */
  readonly until: number;
}

interface Held {
  readonly material: Material;
  readonly prepared: PreparedCredential;
  /** moment from which it is prepared anew, and from which it is not lent at all */
  readonly refreshAt: number;
  readonly expiresAt: number;
}

/** One credential of one tenant, as the config has it now: what was read of it, in memory only. */
export class CredentialSlot {
  readonly #parts: SlotParts;
  readonly reference: string | undefined;
  #held: Held | undefined;
  #failed: { readonly at: number; readonly error: SallyportError } | undefined;
  #flight: Promise<PreparedCredential> | undefined;
  #epoch = 0;
  #revision = 0;

  constructor(parts: SlotParts) {
    this.#parts = parts;
    const { config, kind, host } = parts;
    this.reference =
      ('source' in config ? config.source : undefined) ?? kind.defaultSource?.(config as never, host);
  }

  get facts(): CredentialFacts {
    return this.#parts.facts;
  }

  get config(): CredentialConfig {
    return this.#parts.config;
  }

  /** Changes when everything that was lent before is worthless. */
  get epoch(): number {
    return this.#epoch;
  }

  /** What went wrong last, for the operator; undefined when the last try went well. */
  get failure(): SallyportError | undefined {
    return this.#failed?.error;
  }

  /** Changes when there is another value, also in a slot that took this one's place. */
  get revision(): string {
    return String(this.ready() === undefined ? ++revisions : this.#revision);
  }

  get isCached(): boolean {
    return this.ready() !== undefined;
  }

  /** What may be lent at this moment without waiting. */
  ready(): PreparedCredential | undefined {
    const held = this.#held;
    if (held === undefined) return undefined;
    const now = this.#parts.clock.now();
    return now < held.expiresAt && this.#isFresh(held.material, now) ? held.prepared : undefined;
  }

  /** Whether it should be prepared anew while the one at hand still holds. */
  get isAging(): boolean {
    return (
      this.#held !== undefined &&
      this.#flight === undefined &&
      this.#parts.clock.now() >= this.#held.refreshAt
    );
  }

  /** Forgets everything; whatever was lent and is not sent yet stays unsent. */
  drop(): void {
    this.#epoch += 1;
    this.#held = undefined;
    this.#failed = undefined;
    this.#flight = undefined;
  }

  /** Reads and prepares, once for all who wait. Rejects with `CredentialUnavailable`, in words for the agent. */
  load(cause: Cause, how: 'if needed' | 'again' = 'if needed'): Promise<PreparedCredential> {
    const failed = this.#failed;
    if (how === 'if needed' && failed !== undefined && this.#parts.clock.now() - failed.at < FAILED_FOR_MS) {
      return Promise.reject(unavailable(this.facts.name));
    }
    if (this.#flight !== undefined) return this.#flight;
    const flight = this.#load(cause, how === 'again').finally(() => {
      if (this.#flight === flight) this.#flight = undefined;
    });
    this.#flight = flight;
    return flight;
  }

  async #load(cause: Cause, again: boolean): Promise<PreparedCredential> {
    const { clock, recorder } = this.#parts;
    const epoch = this.#epoch;
    try {
      const before = again ? undefined : this.#held;
      const now = clock.now();
      const kept = before !== undefined && this.#isFresh(before.material, now) ? before.material : undefined;
      const material = kept ?? (await this.#read(cause));
      const same =
        before !== undefined && now < before.refreshAt && isSame(before.material.secret, material.secret);
      const held = same ? { ...before, material } : await this.#prepare(material, cause);
      // SECURITY: what was dropped while it was read was revoked or changed: it must not come back.
      if (epoch !== this.#epoch)
        throw new SallyportError('SecretUnreadable', { message: 'it was changed meanwhile' });
      if (held.prepared !== before?.prepared) this.#revision = ++revisions;
      this.#held = held;
      this.#failed = undefined;
      return held.prepared;
    } catch (error) {
      const known = forOperator(error);
      if (known.code === 'AuditUnavailable') throw known;
      if (epoch === this.#epoch) {
        this.#failed = { at: clock.now(), error: known };
        if (this.ready() === undefined || again) this.#held = undefined;
      }
      await recorder.failed(this.#parts, this.reference, cause, known);
      throw unavailable(this.facts.name);
    }
  }

  async #read(cause: Cause): Promise<Material> {
    const { sources, learn, clock, recorder, longestMs, closing } = this.#parts;
    if (this.reference === undefined) {
      return { secret: undefined, revision: undefined, until: Number.POSITIVE_INFINITY };
    }
    const { source, key, cacheTtlMs } = sources.of(this.reference);
    let secret: Secret;
    let revision: string | undefined;
    let attempts = 0;
    do {
      // A value that changed while it was read is read again, a few times.
      revision = source.revision?.(key);
      secret = await resolveSecretReference(this.reference, [source], closing, longestMs);
    } while (revision !== source.revision?.(key) && ++attempts < 3);
    learn(secret);
    await recorder.read(this.#parts, this.reference, cause);
    return { secret, revision, until: clock.now() + cacheTtlMs };
  }

  async #prepare(material: Material, cause: Cause): Promise<Held> {
    const { kind, config, host, tenant, clock, learn, recorder, longestMs, closing } = this.#parts;
    let current = material;
    const signal = AbortSignal.any([closing, AbortSignal.timeout(longestMs)]);
    const context = {
      ...host,
      tenant,
      credential: this.facts.name,
      clock,
      signal,
      learn,
      storeBack: async (changed: Secret): Promise<void> => {
        learn(changed);
        current = await this.#storeBack(changed, material, signal);
      },
    };
    // `kind` was found by the kind of `config`; the compiler cannot follow that through the table of kinds.
    const preparing = kind.prepare(material.secret, config as never, context);
    const prepared = preparing instanceof Promise ? await within(preparing, signal) : preparing;
    for (const value of prepared.values) learn(value);
    if (prepared.expiresAt === undefined) {
      return {
        material: current,
        prepared,
        refreshAt: Number.POSITIVE_INFINITY,
        expiresAt: Number.POSITIVE_INFINITY,
      };
    }
    await recorder.refreshed(this.#parts, this.reference, cause, prepared.expiresAt);
    const life = prepared.expiresAt - clock.now();
    const refreshAt = prepared.expiresAt - Math.min(REFRESH_MARGIN_MS, life / 5);
    return { material: current, prepared, refreshAt, expiresAt: prepared.expiresAt };
  }

  async #storeBack(changed: Secret, material: Material, signal: AbortSignal): Promise<Material> {
    const { source, key } = this.#parts.sources.of(this.reference ?? '');
    if (source.write === undefined) {
      throw new SallyportError('SecretUnreadable', {
        message: `\`${source.scheme}:\` cannot store the refresh token that was given in place of the old one`,
        hint: 'keep it in a file or in Vault, or give the source a `write` command',
      });
    }
    await within(source.write(key, changed, signal), signal);
    return { ...material, secret: changed, revision: source.revision?.(key) };
  }

  #isFresh(material: Material, now: number): boolean {
    if (now >= material.until) return false;
    if (material.revision === undefined || this.reference === undefined) return true;
    const { source, key } = this.#parts.sources.of(this.reference);
    return source.revision?.(key) === material.revision;
  }
}

function isSame(before: Secret | undefined, now: Secret | undefined): boolean {
  return before?.reveal() === now?.reveal();
}

/** The error as the operator may see it. SECURITY: a foreign one may quote what it read, so its words are dropped. */
function forOperator(error: unknown): SallyportError {
  if (error instanceof SallyportError) return error;
  return new SallyportError('SecretUnreadable', { message: 'reading or preparing it failed' });
}

function unavailable(name: string): SallyportError {
  return new SallyportError('CredentialUnavailable', {
    message: `the credential \`${name}\` cannot be had now`,
  });
}

/** What a promise gives, unless the signal aborts first: then `SecretUnreadable`. */
export async function within<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const onAbort = (): void =>
    late.reject(new SallyportError('SecretUnreadable', { message: 'it did not answer in time' }));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
