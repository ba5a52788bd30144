import { SallyportError } from '@sallyport/protocol';
import type { ProviderName } from '../../../config/index.ts';
import { parseDomainPattern } from '../../../shared/host.ts';
import { PROVIDERS } from '../providers/index.ts';

/** Gives a host another provider's classifier: `{host: 'ghe.corp.example', provider: 'github'}`. */
export interface ProviderEntry {
  /** `host`, `host:port`, `*.host`, `*.host:port`; IPv6 in brackets where a port follows */
  readonly host: string;
  readonly provider: string;
}

/** A provider, and whether the host is one that nobody else has a name below: not `*.openai.azure.com`. */
export interface ProviderMatch {
  readonly name: ProviderName;
  readonly isFixed: boolean;
}

/** Finds the provider of a canonical host and port. */
export type ProviderLookup = (host: string, port: number) => ProviderMatch | undefined;

interface Tables {
  /** `host` or `host:port` */
  readonly exact: Map<string, ProviderMatch>;
  readonly below: Map<string, ProviderMatch>;
}

/**
 * Compiles the built-in hosts, the configured ones, which go first, and the discovered registries, which go last:
 * a registry whose index is a repository on a source host leaves that host its own classifier. Throws
 * `ConfigInvalid` for a host that is none and for a provider that nobody knows.
 */
export function compileProviderHosts(
  entries: readonly ProviderEntry[] = [],
  registries: readonly ProviderEntry[] = [],
): ProviderLookup {
  const configured = newTables();
  for (const { host, provider } of entries) add(configured, host, requireProvider(provider));
  const builtIn = newTables();
  for (const name of Object.keys(PROVIDERS).filter(isProvider))
    for (const host of PROVIDERS[name].hosts) add(builtIn, host, name);
  const discovered = newTables();
  for (const { host, provider } of registries) add(discovered, host, requireProvider(provider));
  const order = [configured, builtIn, discovered].filter(({ exact, below }) => exact.size + below.size > 0);
  return (host, port) => {
    for (const tables of order) {
      const provider = find(tables, host, port);
      if (provider !== undefined) return provider;
    }
    return undefined;
  };
}

const newTables = (): Tables => ({ exact: new Map(), below: new Map() });

function find({ exact, below }: Tables, host: string, port: number): ProviderMatch | undefined {
  const found = exact.get(host) ?? exact.get(`${host}:${port}`);
  if (found !== undefined || below.size === 0) return found;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    const parent = host.slice(dot + 1);
    const provider = below.get(parent) ?? below.get(`${parent}:${port}`);
    if (provider !== undefined) return provider;
  }
  return undefined;
}

function add(tables: Tables, text: string, provider: ProviderName): void {
  const [, rawHost = text, port] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(text) ?? [];
  const pattern = parseDomainPattern(rawHost);
  if (pattern === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) {
    throw new SallyportError('ConfigInvalid', {
      message: `\`${text}\` is not a host for \`providers\``,
      hint: 'write `ghe.corp.example`, `127.0.0.1:11434` or `*.corp.example`',
    });
  }
  const key = port === undefined ? pattern.host : `${pattern.host}:${Number(port)}`;
  const isFixed = !pattern.wildcard;
  (isFixed ? tables.exact : tables.below).set(key, { name: provider, isFixed });
}

function requireProvider(name: string): ProviderName {
  if (isProvider(name)) return name;
  throw new SallyportError('ConfigInvalid', {
    message: `no provider is called \`${name}\``,
    hint: `use one of ${Object.keys(PROVIDERS).join(', ')}`,
  });
}

const isProvider = (name: string): name is ProviderName => Object.hasOwn(PROVIDERS, name);
