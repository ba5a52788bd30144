import { createHash } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { type OpenAddress, parseOpenAddress } from '../shared/open-address.ts';
import { readCaFile, trustIn } from './trust.ts';

/** The part of `network` that concerns the way out. */
export interface NetworkSettings {
  readonly allow_private: readonly string[];
  readonly ca_files: readonly string[];
}

/** The part of the config that is read here. The same object means that nothing changed. */
export interface NetworkConfig {
  readonly network?: NetworkSettings | undefined;
  readonly tenants: Readonly<Record<string, { readonly network?: NetworkSettings | undefined }>>;
}

/** What holds for the connections of one tenant. */
export interface TenantNetwork {
  readonly open: readonly OpenAddress[];
  trust(): SecureContext;
  /** PEM of what the config trusts beside the system */
  readonly certificates: readonly string[];
}

export interface NetworksOptions {
  readonly config: () => NetworkConfig;
  /** where relative `ca_files` start */
  readonly folder: string;
  /** what holds has changed: connections that were made under the old settings are not used again */
  readonly onChange: () => void;
  /** a file that could be read before cannot be read now; its certificates are no longer trusted */
  readonly onProblem: (error: Error) => void;
}

/**
 * The network settings as they hold now. What the top level opens or trusts holds for every tenant, what a
 * tenant opens or trusts for that tenant alone: both are things that a person said, and neither takes from
 * the other.
 */
export class Networks {
  readonly #options: NetworksOptions;
  readonly #contexts = new Map<string, SecureContext>();
  readonly #tenants = new Map<string, TenantNetwork>();
  #config: NetworkConfig;
  #digest: string;

  /** Throws `ConfigInvalid` for a CA file that cannot be used. */
  constructor(options: NetworksOptions) {
    this.#options = options;
    this.#config = options.config();
    this.#digest = this.#read(this.#config, (error) => {
      throw error;
    });
  }

  /** Looks whether the config was replaced. Cheap when it was not. */
  refresh(): void {
    const config = this.#options.config();
    if (config === this.#config) return;
    this.#config = config;
    const digest = this.#read(config, this.#options.onProblem);
    if (digest === this.#digest) return;
    this.#digest = digest;
    this.#options.onChange();
  }

  of(tenant: string): TenantNetwork {
    return this.#tenants.get(tenant) ?? this.#network([], []);
  }

  #read(config: NetworkConfig, onProblem: (error: Error) => void): string {
    this.#tenants.clear();
    this.#contexts.clear();
    const top = config.network;
    const everything: unknown[] = [];
    for (const [name, tenant] of Object.entries(config.tenants)) {
      const entries = [...(top?.allow_private ?? []), ...(tenant.network?.allow_private ?? [])];
      const certificates = [...(top?.ca_files ?? []), ...(tenant.network?.ca_files ?? [])].flatMap((file) => {
        try {
          return readCaFile(file, this.#options.folder);
        } catch (error) {
          onProblem(error as Error); // `readCaFile` throws nothing but SallyportError
          return [];
        }
      });
      everything.push([name, entries, certificates]);
      this.#tenants.set(name, this.#network(entries, certificates));
    }
    return createHash('sha256').update(JSON.stringify(everything)).digest('hex');
  }

  #network(entries: readonly string[], certificates: readonly string[]): TenantNetwork {
    // The schema refuses what does not parse; here it opens nothing.
    const open = entries.map(parseOpenAddress).filter((entry) => entry !== undefined);
    return { open, certificates, trust: () => this.#trust(certificates) };
  }

  #trust(certificates: readonly string[]): SecureContext {
    const key = certificates.join('\n');
    const present = this.#contexts.get(key);
    if (present !== undefined) return present;
    const made = trustIn(certificates);
    this.#contexts.set(key, made);
    return made;
  }
}
