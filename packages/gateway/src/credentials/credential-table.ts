import { isDeepStrictEqual } from 'node:util';
import { type Config, type CredentialConfig, findAgent, type TenantConfig } from '../config/index.ts';
import { compileDomainPatterns } from '../shared/host.ts';
import type { CredentialFacts } from './broker.ts';
import { KINDS } from './kinds/index.ts';
import type { CredentialKind, HostContext, KindPlaces } from './kinds/kind.ts';
import { CredentialSlot, type SlotParts } from './slot.ts';
import type { SourceContext } from './sources/source-context.ts';
import { TenantSources } from './sources/tenant-sources.ts';

interface TenantTable {
  readonly config: TenantConfig;
  readonly slots: ReadonlyMap<string, CredentialSlot>;
}

export interface TableParts
  extends Pick<SlotParts, 'clock' | 'recorder' | 'learn' | 'longestMs' | 'closing'> {
  readonly config: () => Config;
  readonly host: HostContext;
  /** the value of a credential that another one of the tenant, or one of its sources, names */
  readonly namedOf: (tenant: string) => SourceContext['named'];
}

/** The credentials of the config of this moment. What the config does not change keeps what was read of it. */
export class CredentialTable {
  readonly #parts: TableParts;
  #seen: Config | undefined;
  // process-local: made from the config, which every gateway reads
  #tenants: ReadonlyMap<string, TenantTable> = new Map();
  // process-local: made from the config, which every gateway reads
  #lendable = new Map<string, ReadonlySet<string>>();

  constructor(parts: TableParts) {
    this.#parts = parts;
  }

  find(tenant: string, name: string): CredentialSlot | undefined {
    this.#follow();
    return this.#tenants.get(tenant)?.slots.get(name);
  }

  /** Every credential of one tenant, or of all. */
  list(tenant?: string): readonly { readonly tenant: string; readonly slot: CredentialSlot }[] {
    this.#follow();
    return [...this.#tenants]
      .filter(([name]) => tenant === undefined || name === tenant)
      .flatMap(([name, { slots }]) => [...slots.values()].map((slot) => ({ tenant: name, slot })));
  }

  /** Whether the config lends this credential to this agent now. */
  lendsTo(tenant: string, agent: string, name: string): boolean {
    this.#follow();
    const key = `${tenant}\0${agent}`;
    let names = this.#lendable.get(key);
    if (names === undefined) {
      const config = this.#parts.config();
      names = new Set(findAgent(config, tenant, agent)?.credentials ?? []);
      this.#lendable.set(key, names);
    }
    return names.has(name);
  }

  /** Drops what the config no longer has, or has otherwise. */
  #follow(): void {
    const config = this.#parts.config();
    if (config === this.#seen) return;
    const before = this.#tenants;
    this.#tenants = new Map(
      Object.entries(config.tenants).map(([name, tenant]) => [
        name,
        this.#tenant(name, tenant, before.get(name)),
      ]),
    );
    // process-local: made from the config, which every gateway reads
    this.#lendable = new Map();
    this.#seen = config;
    const kept = new Set(this.list().map(({ slot }) => slot));
    for (const { slots } of before.values())
      for (const slot of slots.values()) if (!kept.has(slot)) slot.drop();
  }

  #tenant(name: string, config: TenantConfig, before: TenantTable | undefined): TenantTable {
    const { host, clock, learn, namedOf } = this.#parts;
    const sameSources = before !== undefined && isDeepStrictEqual(before.config.sources, config.sources);
    const sources = new TenantSources(config.sources, {
      ...{ ...host, clock, learn },
      named: namedOf(name),
      namedRevision: (credential) => this.find(name, credential)?.revision ?? 'none',
    });
    const slots = new Map<string, CredentialSlot>();
    for (const [credential, entry] of Object.entries(config.credentials)) {
      const old = sameSources ? before.slots.get(credential) : undefined;
      const isSame = old !== undefined && isDeepStrictEqual(old.config, entry);
      slots.set(credential, isSame ? old : this.#slot(name, credential, entry, sources));
    }
    return { config, slots };
  }

  #slot(tenant: string, name: string, config: CredentialConfig, sources: TenantSources): CredentialSlot {
    // The table has for each kind of config the kind of that name; the compiler sees only the union of both.
    const kind = KINDS[config.kind] as unknown as CredentialKind;
    const { clock, recorder, learn, longestMs, closing, host } = this.#parts;
    const facts = factsOf(name, kind, config);
    return new CredentialSlot({
      ...{ tenant, facts, config, kind, sources, host, clock, recorder, learn, longestMs, closing },
    });
  }
}

function factsOf(name: string, kind: CredentialKind, config: CredentialConfig): CredentialFacts {
  const own = typeof kind.hosts === 'function' ? kind.hosts(config as never) : kind.hosts;
  const hosts = ('hosts' in config ? config.hosts : undefined) ?? own;
  const matches = compileDomainPatterns(hosts);
  const { headers, query = [], namesOnly = false } = placesOf(kind, config);
  const body = 'in' in config && config.in.includes('body') ? config.body : [];
  return Object.freeze({
    name,
    kind: config.kind,
    ...(config.risk === undefined ? {} : { risk: config.risk }),
    hosts: Object.freeze([...hosts]),
    mayGoTo: (host: string) => matches(host) !== undefined,
    places: {
      headers,
      query,
      namesOnly,
      body: body.map((place) => ({ contentType: place.content_type, fields: new Set(place.fields) })),
    },
  });
}

function placesOf(kind: CredentialKind, config: CredentialConfig): KindPlaces {
  return typeof kind.places === 'function' ? kind.places(config as never) : kind.places;
}
