import { type EventActor, SallyportError } from '@sallyport/protocol';
import type { AuditTrail, Logger, Redactor } from '../audit/index.ts';
import type { Config, Variables } from '../config/index.ts';
import type { SessionFacts } from '../identity/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { Secret } from '../shared/secret.ts';
import type { Broker, CredentialFacts, LendRequest, Loan } from './broker.ts';
import { type CommandLendRequest, type CommandLoan, notForCommand, putParts } from './command-loan.ts';
import { CredentialTable } from './credential-table.ts';
import type { PreparedCredential } from './kinds/kind.ts';
import { createLoan } from './loan.ts';
import { type Cause, CredentialRecorder } from './recorder.ts';
import type { IssuedReference, NewReference, References } from './references.ts';
import { type CredentialSlot, within } from './slot.ts';

const LONGEST_MS = 10_000;

export interface BrokerOptions {
  /** the config of this moment; the same object until it changes */
  readonly config: () => Config;
  /** a session that is alive now */
  readonly sessionOf: (id: string) => SessionFacts | undefined;
  readonly trail: AuditTrail;
  readonly redactor: Pick<Redactor, 'learn'>;
  readonly log: Logger;
  readonly clock: Clock;
  readonly env: Variables;
  /** home of the gateway */
  readonly home: string;
  /** longest that a source may take, in ms; 10 s when absent */
  readonly longestMs?: number;
}

/** What the operator sees of a credential. */
export interface CredentialState {
  readonly tenant: string;
  readonly facts: CredentialFacts;
  /** where it is read from; never a value */
  readonly source: string | undefined;
  readonly isCached: boolean;
  /** why it could not be had when it was last tried */
  readonly failure: SallyportError | undefined;
}

/** What was asked for on the operator side. */
export interface Selection {
  readonly tenant?: string | undefined;
  readonly name?: string | undefined;
}

/** Lends the credentials of the config, and shows the operator how they are. */
export class CredentialBroker implements Broker {
  readonly #options: BrokerOptions;
  readonly #table: CredentialTable;
  readonly #recorder: CredentialRecorder;
  readonly #closing = new AbortController();

  constructor(options: BrokerOptions) {
    this.#options = options;
    const { config, clock, redactor, trail, log, env, home } = options;
    this.#recorder = new CredentialRecorder(trail, log);
    this.#table = new CredentialTable({
      config,
      clock,
      host: { env, home },
      recorder: this.#recorder,
      learn: (secret) => redactor.learn(secret),
      longestMs: options.longestMs ?? LONGEST_MS,
      closing: this.#closing.signal,
      namedOf: (tenant) => (name, signal) => this.secretOf(tenant, name, signal),
    });
  }

  facts(tenant: string, name: string): CredentialFacts | undefined {
    return this.#table.find(tenant, name)?.facts;
  }

  lend(ask: LendRequest): Loan | Promise<Loan> {
    const slot = this.#admit(ask);
    const prepared = slot.ready();
    const cause = { actor: ask.actor, host: ask.host, actionId: ask.actionId };
    if (prepared === undefined) return this.#lendLater(slot, ask, cause);
    // What is about to expire is made anew beside; a failure of that is recorded, and counts when it has expired.
    if (slot.isAging) slot.load(cause).catch(() => {});
    return this.#loan(slot, prepared, ask);
  }

  /**
   * For one command of the SSH door, which has it in its own environment or files. The same checks as for a request, and:
   * the command takes the kind, the credential names the command where its kind wants that, and every host that the words
   * name is one of its own. Rejects `CredentialUnavailable` or `CredentialNotAllowed`.
   */
  async lendToCommand(ask: CommandLendRequest): Promise<CommandLoan> {
    const slot = this.#admitCommand(ask);
    const cause = { actor: ask.actor, host: ask.hosts[0] ?? ask.command, actionId: ask.actionId };
    const prepared =
      slot.ready() ??
      (await within(slot.load(cause), ask.signal).catch((error: unknown) => {
        if (error instanceof SallyportError && error.code !== 'SecretUnreadable') throw error;
        throw new SallyportError('CredentialUnavailable', {
          message: `the credential \`${ask.name}\` cannot be had now`,
        });
      }));
    // The session may have ended, and the config have changed, while the source was asked.
    if (this.#admitCommand(ask) !== slot) throw notAllowed(ask.name);
    const put = ask.puts[slot.facts.kind];
    const filled = put === undefined ? undefined : putParts(prepared, put);
    if (filled === undefined) throw notForCommand(ask.name, ask.command, slot.facts.kind);
    return { credential: ask.name, ...filled, values: prepared.values, hosts: slot.facts.hosts };
  }

  /** SECURITY: as `#admit`, with the command in the place of the host. */
  #admitCommand(ask: CommandLendRequest): CredentialSlot {
    const slot = this.#admitSession(ask);
    const { config, facts } = slot;
    if (
      ask.puts[facts.kind] === undefined ||
      ('commands' in config && !config.commands.includes(ask.command))
    )
      throw notForCommand(ask.name, ask.command, facts.kind);
    const other = facts.hosts.length === 0 ? undefined : ask.hosts.find((host) => !facts.mayGoTo(host));
    if (other !== undefined) throw notForHost(slot, other);
    return slot;
  }

  /** The value of a credential for the gateway's own use: `secret:NAME`. Rejects when it is no single value. */
  async secretOf(tenant: string, name: string, signal: AbortSignal): Promise<Secret> {
    const slot = this.#table.find(tenant, name);
    if (slot === undefined) {
      throw new SallyportError('SecretUnreadable', { message: `there is no credential \`${name}\`` });
    }
    const loading = slot.ready() ?? within(slot.load({ actor: { kind: 'gateway' } }), signal);
    const prepared = await Promise.resolve(loading).catch((error: unknown) => {
      // Whoever asks here is the operator's own config: it is told why.
      throw slot.failure ?? error;
    });
    if (prepared.value !== undefined) return prepared.value;
    throw new SallyportError('SecretUnreadable', {
      message: `the credential \`${name}\` is of kind \`${slot.facts.kind}\`, which is no single value`,
    });
  }

  /**
   * Gives out a one-time reference for a session that may use the credential, on a host that it is for, in the fields of
   * bodies that the credential names. Throws `CredentialNotAllowed`.
   */
  async refer(references: References, wanted: NewReference, by: EventActor): Promise<IssuedReference> {
    const { tenant, credential: name, host, session } = wanted;
    const slot = this.#admit({ tenant, name, host, session });
    // SECURITY: no value enters a body where its credential does not say so [CR-8].
    if (slot.facts.places.body.length === 0) throw notInBodies(name);
    await this.#recorder.referenced({ tenant, facts: slot.facts }, { actor: by, host }, session);
    return references.issue(wanted);
  }

  list(which: Selection = {}): readonly CredentialState[] {
    return this.#select(which).map(({ tenant, slot }) => stateOf(tenant, slot));
  }

  /** Reads each anew, whatever is in memory, and says how that went. What cannot be had is not lent any more. */
  check(which: Selection, by: EventActor): Promise<readonly CredentialState[]> {
    return this.#try(which, by);
  }

  /** Forgets each first: what was lent and not sent yet stays unsent. */
  refresh(which: Selection, by: EventActor): Promise<readonly CredentialState[]> {
    const selected = this.#select(which);
    for (const { slot } of selected) slot.drop();
    return this.#try(which, by);
  }

  async #try(which: Selection, by: EventActor): Promise<readonly CredentialState[]> {
    return Promise.all(
      this.#select(which).map(async ({ tenant, slot }) => {
        await slot.load({ actor: by }, 'again').catch((error: unknown) => {
          // Why it failed is what the slot says; only a trail that cannot be written stops the look.
          if (!(error instanceof SallyportError) || error.code !== 'CredentialUnavailable') throw error;
        });
        return stateOf(tenant, slot);
      }),
    );
  }

  #select({ tenant, name }: Selection): ReturnType<CredentialTable['list']> {
    const found = this.#table
      .list(tenant)
      .filter(({ slot }) => name === undefined || slot.facts.name === name);
    if (name === undefined || found.length > 0) return found;
    throw new SallyportError('NotFound', {
      message: `there is no credential \`${name}\``,
      hint: 'credentials are listed under `tenants.<name>.credentials` in the config',
    });
  }

  /** Ends reads that are under way, and the programs that they run. */
  async close(): Promise<void> {
    this.#closing.abort();
  }

  #loan(slot: CredentialSlot, prepared: PreparedCredential, ask: LendRequest): Loan {
    return createLoan(slot, prepared, ask, () => {
      try {
        return this.#admit(ask) === slot;
      } catch {
        return false;
      }
    });
  }

  async #lendLater(slot: CredentialSlot, ask: LendRequest, cause: Cause): Promise<Loan> {
    const prepared = await within(slot.load(cause), ask.signal).catch((error: unknown) => {
      if (error instanceof SallyportError && error.code !== 'SecretUnreadable') throw error;
      throw new SallyportError('CredentialUnavailable', {
        message: `the credential \`${ask.name}\` cannot be had now`,
      });
    });
    // The session may have ended, and the config have changed, while the source was asked.
    if (this.#admit(ask) !== slot) throw notAllowed(ask.name);
    return this.#loan(slot, prepared, ask);
  }

  /**
   * SECURITY: the last check before a value moves, whatever the door looked at before: the session is alive, of this
   * tenant, was given this credential, its agent still has it, and the host is one of the credential's own.
   */
  #admit(ask: Pick<LendRequest, 'tenant' | 'name' | 'host' | 'session'>): CredentialSlot {
    const slot = this.#admitSession(ask);
    if (slot.facts.mayGoTo(ask.host)) return slot;
    throw notForHost(slot, ask.host);
  }

  #admitSession(ask: Pick<LendRequest, 'tenant' | 'name' | 'session'>): CredentialSlot {
    const session = this.#options.sessionOf(ask.session);
    if (
      session === undefined ||
      session.tenant !== ask.tenant ||
      session.expiresAt <= this.#options.clock.now() ||
      !session.credentials.includes(ask.name)
    ) {
      throw notAllowed(ask.name);
    }
    const slot = this.#table.find(ask.tenant, ask.name);
    if (slot === undefined || !this.#table.lendsTo(ask.tenant, session.agent, ask.name)) {
      throw notAllowed(ask.name);
    }
    return slot;
  }
}

function notForHost({ facts }: CredentialSlot, host: string): SallyportError {
  return new SallyportError('CredentialNotAllowed', {
    message: `the credential \`${facts.name}\` is not for the host \`${host}\``,
    hint: `it is for ${facts.hosts.map((each) => `\`${each}\``).join(', ')}`,
  });
}

/** The same words whether there is none of that name or it belongs to another: names of others are not told. */
function notAllowed(name: string): SallyportError {
  return new SallyportError('CredentialNotAllowed', {
    message: `this session may not use the credential \`${name}\``,
    hint: 'the operator lists the credentials of an agent under `agents.<name>.credentials`',
  });
}

function notInBodies(name: string): SallyportError {
  return new SallyportError('CredentialNotAllowed', {
    message: `the credential \`${name}\` is not put into bodies, and that is what a reference is for`,
    hint: 'say in which: `in: [body]` and `body: [{ content_type, fields }]` of the credential',
  });
}

function stateOf(tenant: string, slot: CredentialSlot): CredentialState {
  const { facts, reference, isCached, failure } = slot;
  return { tenant, facts, source: reference, isCached, failure };
}
