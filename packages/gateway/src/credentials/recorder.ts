import type { EventActor, EventType, JsonObject, SallyportError } from '@sallyport/protocol';
import type { AuditTrail, Logger } from '../audit/index.ts';
import type { CredentialFacts } from './broker.ts';

/** Why a credential is read. */
export interface Cause {
  readonly actor: EventActor;
  /** the host that it is for; absent when the operator looks, or the gateway itself uses it */
  readonly host?: string;
  readonly actionId?: string;
}

interface Which {
  readonly tenant: string;
  readonly facts: CredentialFacts;
}

/** Writes down what happens to credentials: names, places, actors and hosts, never a value. */
export class CredentialRecorder {
  readonly #trail: AuditTrail;
  readonly #log: Logger;

  constructor(trail: AuditTrail, log: Logger) {
    this.#trail = trail;
    this.#log = log;
  }

  /** Durable before the value is used. Rejects with `AuditUnavailable`. */
  async read(which: Which, source: string, cause: Cause): Promise<void> {
    await this.#append('CredentialEvent::Read', which, cause, { source });
  }

  async refreshed(which: Which, source: string | undefined, cause: Cause, expiresAt: number): Promise<void> {
    await this.#append('CredentialEvent::Refreshed', which, cause, {
      source: source ?? null,
      expires_at: new Date(expiresAt).toISOString(),
    });
  }

  /** A one-time reference is about to be given out. */
  async referenced(which: Which, cause: Cause, session: string): Promise<void> {
    await this.#append('CredentialEvent::Referenced', which, cause, { session });
  }

  /** Never rejects: whoever asked gets the failure itself. */
  async failed(which: Which, source: string | undefined, cause: Cause, error: SallyportError): Promise<void> {
    const { code, message, hint } = error;
    const data = { source: source ?? null, code, message, hint: hint ?? null };
    this.#log.warn(
      { tenant: which.tenant, credential: which.facts.name, ...data },
      'a credential cannot be had',
    );
    await this.#append('CredentialEvent::Failed', which, cause, data).catch((failure: unknown) =>
      this.#log.error({ err: failure }, 'a failed read of a credential could not be recorded'),
    );
  }

  async #append(type: EventType, { tenant, facts }: Which, cause: Cause, data: JsonObject): Promise<void> {
    const { actor, host, actionId } = cause;
    await this.#trail.append({
      tenant,
      type,
      actor,
      ...(actionId === undefined ? {} : { action_id: actionId }),
      data: { credential: facts.name, kind: facts.kind, host: host ?? null, ...data },
    });
  }
}
