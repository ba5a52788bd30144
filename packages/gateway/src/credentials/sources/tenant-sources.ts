import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import type { SourceConfig, Variables, VaultConfig } from '../../config/index.ts';
import { createCloudSource } from './cloud-sources.ts';
import { createCommandSource } from './command-source.ts';
import { createEnvSource } from './env-source.ts';
import { createFileSource } from './file-source.ts';
import { createNamedSource } from './named-source.ts';
import { resolveSecretReference } from './resolve-secret-reference.ts';
import type { SecretSource } from './secret-source.ts';
import type { SourceContext } from './source-context.ts';
import { createVaultSource } from './vault-source.ts';

const CACHE_TTL_MS = 300_000;
/** What the 1Password CLI logs in with. */
const OP = {
  read: 'op read op://{key}',
  env: ['OP_SERVICE_ACCOUNT_TOKEN', 'OP_CONNECT_HOST', 'OP_CONNECT_TOKEN', 'OP_ACCOUNT', 'OP_CONFIG_DIR'],
};

interface OpenSource {
  readonly source: SecretSource;
  readonly cacheTtlMs: number;
}

/** Every place that a tenant's credentials are read from. A source is made when it is first used, and kept. */
export class TenantSources {
  readonly #config: Readonly<Record<string, SourceConfig>>;
  readonly #context: SourceContext;
  readonly #open = new Map<string, OpenSource>();

  constructor(config: Readonly<Record<string, SourceConfig>>, context: SourceContext) {
    this.#config = config;
    this.#context = context;
  }

  /** Throws `SecretUnreadable` for a scheme that the tenant does not have. */
  of(reference: string): OpenSource & { readonly key: string } {
    const colon = reference.indexOf(':');
    const scheme = reference.slice(0, Math.max(0, colon));
    const key = reference.slice(colon + 1);
    const known = this.#open.get(scheme);
    if (known !== undefined) return { ...known, key };
    const config = Object.hasOwn(this.#config, scheme) ? this.#config[scheme] : undefined;
    const source = this.#make(scheme, config);
    const opened = {
      source,
      cacheTtlMs: config === undefined ? CACHE_TTL_MS : config.cache_ttl * 1000,
    };
    this.#open.set(scheme, opened);
    return { ...opened, key };
  }

  #make(scheme: string, config: SourceConfig | undefined): SecretSource {
    const { home, env, named, namedRevision } = this.#context;
    if (config?.read !== undefined) return createCommandSource({ scheme, config, home, env });
    if (config?.vault !== undefined) return this.#vault(scheme, config.vault);
    const ofCloud = createCloudSource(scheme, config, this.#context);
    if (ofCloud !== undefined) return ofCloud;
    switch (scheme) {
      case 'env':
        return createEnvSource(env);
      case 'file':
        return createFileSource(home);
      case 'secret':
        return createNamedSource(named, namedRevision);
      case 'op':
        return createCommandSource({ scheme, config: OP, home, env });
      case 'vault':
        return this.#vault(scheme, vaultOfEnvironment(env));
      default:
        throw new SallyportError('SecretUnreadable', {
          message: 'this names no place that a secret can be read from',
          hint: 'name it under `sources` of the tenant',
        });
    }
  }

  #vault(scheme: string, config: VaultConfig): SecretSource {
    const { home, env, clock, learn, named } = this.#context;
    // The key to a store of secrets comes from a plainer place, never from the store itself.
    const sources = [createEnvSource(env), createFileSource(home), createNamedSource(named)];
    return createVaultSource(scheme, {
      config,
      clock,
      learn,
      ca: config.ca === undefined ? undefined : readAuthority(resolve(home, config.ca)),
      async readSecret(reference, signal) {
        const secret = await resolveSecretReference(reference, sources, signal);
        learn(secret);
        return secret;
      },
    });
  }
}

/** `VAULT_ADDR` and `VAULT_TOKEN`, as the `vault` command has them. */
function vaultOfEnvironment(env: Variables): VaultConfig {
  const { VAULT_ADDR: address, VAULT_NAMESPACE: namespace, VAULT_CACERT: ca } = env;
  if (address === undefined || URL.parse(address) === null) {
    throw new SallyportError('SecretUnreadable', {
      message: 'nothing says where Vault is',
      hint: 'name it under `sources.vault` of the tenant, or set VAULT_ADDR and VAULT_TOKEN',
    });
  }
  return {
    address,
    auth: { token: 'env:VAULT_TOKEN' },
    ...(namespace === undefined ? {} : { namespace }),
    ...(ca === undefined ? {} : { ca }),
  };
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new SallyportError('SecretUnreadable', {
      message: `the certificate file \`${file}\` cannot be read`,
    });
  }
}
