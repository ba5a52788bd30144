import { parseHost } from '../../shared/host.ts';
import { ipRange } from '../../shared/ip-range.ts';
import type { HostFiles } from './host-files.ts';

export type PackageClient = 'npm' | 'pypi' | 'cargo' | 'go' | 'maven';

/** A package registry that a client of this host is set up to use. */
export interface Registry {
  /** also the name of the classifier that knows its protocol */
  readonly client: PackageClient;
  /** canonical, IPv6 without brackets */
  readonly host: string;
  readonly port: number;
  /** file or variable that named it, for people */
  readonly source: string;
}

/** What discovery looks at. Nothing of a workspace is in here: an agent could write it. */
export interface HostFacts {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly files: HostFiles;
}

/** One client's own way of saying where its packages come from. */
export type RegistrySource = (facts: HostFacts) => readonly Registry[];

/**
 * The registry that a URL names. `undefined` for what is no web address, and for the addresses that clients
 * use to say "nowhere" (`0.0.0.0`). User names and passwords in the URL are left behind.
 */
export function registryAt(client: PackageClient, url: string, source: string): Registry | undefined {
  const text = url.trim().replace(/^sparse\+/, '');
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const parsed = new URL(text);
  const host = parseHost(parsed.hostname);
  if (host === undefined || (host.kind === 'ip' && ipRange(host.text) === 'unspecified')) return undefined;
  const port = parsed.port === '' ? (parsed.protocol === 'http:' ? 80 : 443) : Number(parsed.port);
  return { client, host: host.text, port, source };
}

/** `registryAt` for many; what names none is left out. */
export function registriesAt(
  client: PackageClient,
  urls: Iterable<string | undefined>,
  source: string,
): readonly Registry[] {
  const found: Registry[] = [];
  for (const url of urls) {
    const registry = url === undefined ? undefined : registryAt(client, url, source);
    if (registry !== undefined) found.push(registry);
  }
  return found;
}

/** Where a program on the `PATH` really is. */
export function findProgram({ env, files }: HostFacts, name: string): string | undefined {
  for (const folder of (env.PATH ?? '').split(':')) {
    if (!folder.startsWith('/')) continue;
    const real = files.real(`${folder}/${name}`);
    if (real !== undefined) return real;
  }
  return undefined;
}

/** `host:port` and the classifier of its protocol, as the HTTP classifier's `registries` takes them. */
export function registryEntry({ client, host, port }: Registry): {
  readonly host: string;
  readonly provider: PackageClient;
} {
  return { host: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`, provider: client };
}
