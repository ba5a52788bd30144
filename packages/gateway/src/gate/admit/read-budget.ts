import type { Action, Json } from '@sallyport/protocol';
import { lineOf, requestOf } from '../../targets/index.ts';
import type { Carried } from '../policy/snapshot.ts';

/** Sessions and hosts that are remembered; the pair that was used longest ago is forgotten first. */
const PAIRS_AT_MOST = 4_000;
/** Headers and addresses of a pair that are remembered, to count them once. */
const KEPT_AT_MOST = 64;

/** Requests to package registries name packages: their paths are not a session's own words. */
const PACKAGES: ReadonlySet<string | undefined> = new Set(['npm', 'pypi', 'cargo', 'go', 'maven', 'oci']);

/** What one session told one host by reading, since people last said yes to more. */
interface Told {
  bytes: number;
  readonly headers: Map<string, string>;
  readonly addresses: Set<string>;
}

/** What a read sends: all of it, and what of it the session has not sent there before. */
interface Sent {
  readonly all: number;
  readonly fresh: number;
}

/**
 * Counts what reads carry out [NE-10]: addresses, queries and headers, by session and host. What is sent again counts
 * once, so that a client's own headers and a page that is looked at each minute use nothing up.
 */
export class ReadBudget {
  // process-local: it bounds what leaks, and gives no right; two gateways make it twice as much
  readonly #told = new Map<string, Told>();

  /** Counts the action, and says what it carries and what was carried before it; undefined for what reads nothing elsewhere. */
  count(action: Action): Carried | undefined {
    const host = hostOf(action);
    const { session } = action.actor;
    if (host === undefined || session === undefined) return undefined;
    const told = this.#of(`${session} ${host}`);
    const before = told.bytes;
    const { all, fresh } = requestOf(action.target) === undefined ? sentByLine(action) : sentBy(action, told);
    told.bytes += fresh;
    return { host, request: all, fresh, before };
  }

  /** A person said yes to this: the session may tell the host as much again. */
  beginAgain(action: Action): void {
    const host = hostOf(action);
    const { session } = action.actor;
    if (host === undefined || session === undefined) return;
    const told = this.#told.get(`${session} ${host}`);
    if (told !== undefined) told.bytes = 0;
  }

  #of(key: string): Told {
    let told = this.#told.get(key);
    if (told === undefined) {
      told = { bytes: 0, headers: new Map(), addresses: new Set() };
      const oldest = this.#told.keys().next();
      if (this.#told.size >= PAIRS_AT_MOST && !oldest.done) this.#told.delete(oldest.value);
    } else {
      this.#told.delete(key);
    }
    this.#told.set(key, told);
    return told;
  }
}

/** The host that a read goes to. Inference says what it says in its body, and is judged by that. */
function hostOf({ target, effect, type }: Action): string | undefined {
  if (effect !== 'read' || type === 'custom:inference') return undefined;
  const request = requestOf(target);
  if (request !== undefined) return request.host;
  const reading = lineOf(target)?.commands.find(
    ({ reach, hosts }) => reach === 'remote' && hosts !== undefined,
  );
  return reading?.hosts?.[0]?.host;
}

function sentBy({ target, input }: Action, told: Told): Sent {
  const { url, headers } = input;
  const address = typeof url === 'string' ? url : '';
  let all = address.length;
  let fresh = 0;
  if (!told.addresses.has(address)) {
    fresh = PACKAGES.has(requestOf(target)?.provider) ? queryOf(address).length : address.length;
    if (told.addresses.size >= KEPT_AT_MOST) told.addresses.clear();
    told.addresses.add(address);
  }
  for (const header of Array.isArray(headers) ? headers : []) {
    const [name, value] = pairOf(header);
    all += name.length + value.length;
    if (told.headers.get(name) === value) continue;
    fresh += name.length + value.length;
    if (told.headers.size < KEPT_AT_MOST || told.headers.has(name)) told.headers.set(name, value);
  }
  return { all, fresh };
}

/** A command is read by its words: what stands in them may stand in its requests. */
function sentByLine({ target }: Action): Sent {
  let all = 0;
  for (const { reach, hosts, text } of lineOf(target)?.commands ?? [])
    if (reach === 'remote' && hosts !== undefined) all += text.length;
  return { all, fresh: all };
}

function queryOf(address: string): string {
  const border = address.indexOf('?');
  return border === -1 ? '' : address.slice(border);
}

function pairOf(header: Json): readonly [string, string] {
  const [name, value] = Array.isArray(header) ? header : [];
  return [String(name), String(value)];
}
