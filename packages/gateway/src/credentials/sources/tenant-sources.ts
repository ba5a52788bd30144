import { SallyportError } from '@sallyport/protocol';
import type { BuiltInScheme, SourceConfig } from '../../config/index.ts';
import type { SecretSource } from './secret-source.ts';
import type { SourceContext } from './source-context.ts';
import { openWay, SCHEMES } from './sources.ts';

const CACHE_TTL_MS = 300_000;

interface OpenSource {
  readonly source: SecretSource;
  readonly cacheTtlMs: number;
}

/** Every place that a tenant's credentials are read from. A source is made when it is first used, and kept. */
export class TenantSources {
  readonly #config: Readonly<Record<string, SourceConfig>>;
  readonly #context: SourceContext;
  // process-local: connections of this process to where secrets are read
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
    const configured = config === undefined ? undefined : openWay(scheme, config, this.#context);
    if (configured !== undefined) return configured;
    if (isBuiltIn(scheme)) return SCHEMES[scheme].open(this.#context);
    throw new SallyportError('SecretUnreadable', {
      message: 'this names no place that a secret can be read from',
      hint: 'name it under `sources` of the tenant',
    });
  }
}

function isBuiltIn(scheme: string): scheme is BuiltInScheme {
  return Object.hasOwn(SCHEMES, scheme);
}
