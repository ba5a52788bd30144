import { type EventActor, SallyportError } from '@sallyport/protocol';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock } from '../shared/clock.ts';
import { newId } from '../shared/ids.ts';
import type { Secret } from '../shared/secret.ts';
import {
  type EnrollmentSecretRecord,
  EnrollmentSecretsRepository,
  type Page,
  type PageRequest,
  type Store,
} from '../store/index.ts';
import { hashToken, matchesToken, newToken } from './tokens.ts';

/** Whose secret: of any agent of the tenant, or of one. */
export interface EnrollmentScope {
  readonly tenant: string;
  /** undefined: opens any agent of the tenant */
  readonly agent?: string | undefined;
  readonly by: EventActor;
}

/** Enrollment secrets: one for each tenant, and one for each agent that has its own. Stored as hashes. */
export class EnrollmentSecrets {
  readonly #repository: EnrollmentSecretsRepository;
  readonly #audit: AuditTrail;
  readonly #clock: Clock;

  constructor(store: Store, audit: AuditTrail, clock: Clock) {
    this.#repository = new EnrollmentSecretsRepository(store);
    this.#audit = audit;
    this.#clock = clock;
  }

  /** A new secret, shown this once; the ones before it stop working. Also makes the first one. */
  async rotate(scope: EnrollmentScope): Promise<Secret> {
    const secret = newToken('enrollment');
    await this.#replace(scope, secret);
    return secret;
  }

  /** Makes a secret valid that exists outside the store (`enrollment.secret` in the home). Idempotent. */
  async adopt(scope: EnrollmentScope, secret: Secret): Promise<void> {
    if (!matchesToken('enrollment', secret)) {
      throw new SallyportError('BadRequest', { message: 'this is not an enrollment secret of Sallyport' });
    }
    const hash = hashToken(secret);
    const live = await this.#repository.liveHashes();
    const known = live.some(
      (it) => it.hash === hash && it.tenant === scope.tenant && it.agent === scope.agent,
    );
    if (!known) await this.#replace(scope, secret);
  }

  list(tenant: string, page?: PageRequest): Promise<Page<EnrollmentSecretRecord>> {
    return this.#repository.list(tenant, page);
  }

  async #replace({ tenant, agent, by }: EnrollmentScope, secret: Secret): Promise<void> {
    const now = this.#clock.now();
    const id = newId('enr', now);
    await this.#repository.insert({ id, tenant, agent, createdAt: now, hash: hashToken(secret) });
    try {
      const data = { secret_id: id, agent: agent ?? null };
      await this.#audit.append({ tenant, type: 'IdentityEvent::SecretRotated', actor: by, data });
    } catch (error) {
      // SECURITY: what is not in the trail must not live; the secret before stays the valid one.
      await this.#repository.revoke(tenant, id, now);
      throw error;
    }
    await this.#repository.revokeFor(tenant, agent, this.#clock.now(), id);
  }
}
