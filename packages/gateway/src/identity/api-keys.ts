import { type EventActor, SallyportError } from '@sallyport/protocol';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock } from '../shared/clock.ts';
import { newId } from '../shared/ids.ts';
import type { Secret } from '../shared/secret.ts';
import {
  type ApiKeyRecord,
  ApiKeysRepository,
  type Page,
  type PageRequest,
  type Store,
} from '../store/index.ts';
import { clientIdOf, hashToken, matchesToken, newToken } from './tokens.ts';

/** Who presented an API key. */
export interface ApiClient {
  readonly client_id: string;
  readonly tenant: string;
  readonly name: string;
}

export interface NewApiKey {
  readonly tenant: string;
  readonly name: string;
  readonly by: EventActor;
}

/** API keys: shown once, stored as hashes, revoked at once (each use is looked up in the store). */
export class ApiKeys {
  readonly #repository: ApiKeysRepository;
  readonly #audit: AuditTrail;
  readonly #clock: Clock;

  constructor(store: Store, audit: AuditTrail, clock: Clock) {
    this.#repository = new ApiKeysRepository(store);
    this.#audit = audit;
    this.#clock = clock;
  }

  /** The caller has checked that the tenant exists. */
  async create(request: NewApiKey): Promise<{ readonly key: Secret; readonly record: ApiKeyRecord }> {
    const key = newToken('apiKey');
    return { key, record: await this.#add(request, key) };
  }

  /** Makes a key valid that exists outside the store (`api.key` in the home). Does nothing when it is valid already. */
  async adopt(request: NewApiKey, key: Secret): Promise<void> {
    if (!matchesToken('apiKey', key)) {
      throw new SallyportError('BadRequest', { message: 'this is not an API key of Sallyport' });
    }
    const known = await this.#repository.findLive(hashToken(key));
    if (known?.tenant !== request.tenant) await this.#add(request, key);
  }

  /** Throws `NotAuthenticated` for anything but a live key. */
  async authenticate(key: string): Promise<ApiClient> {
    const record = matchesToken('apiKey', key) ? await this.#repository.findLive(hashToken(key)) : undefined;
    if (record === undefined) {
      throw new SallyportError('NotAuthenticated', {
        message: 'the API key is wrong or revoked',
        hint: 'make a new one with `sallyport keys create`',
      });
    }
    return { client_id: record.clientId, tenant: record.tenant, name: record.name };
  }

  list(tenant: string, page?: PageRequest): Promise<Page<ApiKeyRecord>> {
    return this.#repository.list(tenant, page);
  }

  /** `NotFound` for a key that the tenant does not have, or that is revoked already. */
  async revoke(tenant: string, id: string, by: EventActor): Promise<ApiKeyRecord> {
    const record = await this.#repository.revoke(tenant, id, this.#clock.now());
    if (record === undefined) {
      throw new SallyportError('NotFound', { message: 'there is no such API key' });
    }
    await this.#audit.append({
      tenant,
      type: 'IdentityEvent::KeyRevoked',
      actor: by,
      data: { key_id: id, client_id: record.clientId, name: record.name },
    });
    return record;
  }

  async #add({ tenant, name, by }: NewApiKey, key: Secret): Promise<ApiKeyRecord> {
    const now = this.#clock.now();
    const clientId = clientIdOf(key);
    const id = newId('key', now);
    const hash = hashToken(key);
    const record = await this.#repository.insert({ id, tenant, clientId, name, createdAt: now, hash });
    try {
      const data = { key_id: id, client_id: clientId, name };
      await this.#audit.append({ tenant, type: 'IdentityEvent::KeyCreated', actor: by, data });
    } catch (error) {
      // SECURITY: what is not in the trail must not live.
      await this.#repository.revoke(tenant, id, now);
      throw error;
    }
    return record;
  }
}
