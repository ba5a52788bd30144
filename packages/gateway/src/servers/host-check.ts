import { isIPv6 } from 'node:net';

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What the Host and Origin headers of one request may say. */
export interface HostPolicy {
  /** `name` or `name:port` besides the loopback names: the bind address and `api.allowed_hosts` */
  readonly allowedHosts: readonly string[];
  readonly scheme: 'http' | 'https';
}

/** The headers that the check reads; each as often as it was sent. */
export interface HostFacts {
  readonly host: readonly string[];
  readonly origin: readonly string[];
  readonly fetchSite: string | undefined;
}

/**
 * Why a request must not be answered, or undefined when it may.
 *
 * A page that a browser loaded from elsewhere cannot read our answers, but after DNS rebinding its own name
 * leads here: so only names that are ours are served, whatever address the connection reached, and a
 * browser's request from any other origin is refused even when it carries a valid credential.
 */
export function explainForeignRequest(facts: HostFacts, policy: HostPolicy): string | undefined {
  const [host, ...moreHosts] = facts.host;
  if (host === undefined || moreHosts.length > 0) return 'exactly one Host header is needed';
  const name = hostName(host);
  if (name === undefined) return 'the Host header is not a host name';
  if (!isOwnName(name, host.toLowerCase(), policy.allowedHosts)) return `the Host header names \`${name}\``;

  const [origin, ...moreOrigins] = facts.origin;
  if (moreOrigins.length > 0) return 'more than one Origin header was sent';
  if (origin !== undefined && origin.toLowerCase() !== `${policy.scheme}://${host.toLowerCase()}`) {
    return 'the request comes from a page of another origin';
  }
  // SECURITY: a no-cors GET (an image, a form) carries no Origin; browsers say where it came from here.
  if (facts.fetchSite === 'cross-site' || facts.fetchSite === 'same-site') {
    return 'the request comes from a page of another origin';
  }
  return undefined;
}

function isOwnName(name: string, nameAndPort: string, allowed: readonly string[]): boolean {
  if (LOOPBACK_NAMES.has(name)) return true;
  return allowed.some((entry) => {
    const own = bracketed(entry.toLowerCase());
    return own === name || own === nameAndPort;
  });
}

function bracketed(name: string): string {
  return isIPv6(name) ? `[${name}]` : name;
}

// A name and an optional port, nothing else: no user info, no path, no list.
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/;

function hostName(header: string): string | undefined {
  return HOST.exec(header.toLowerCase())?.[1];
}
