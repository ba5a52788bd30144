import { createSecureContext, type SecureContext } from 'node:tls';
import { caFacts } from './ca-files.ts';
import { type LeafKeys, makeLeafKeys, type NewRoot, openSigner, type Signer } from './certificates.ts';

/** A leaf is made anew this long before its end, so that a clock that runs ahead does not refuse it. */
const RENEW_BEFORE_MS = 6 * 3_600_000;

interface ReadyLeaf {
  readonly context: SecureContext;
  readonly renewAt: number;
}

interface Press {
  readonly signer: Signer;
  readonly keys: LeafKeys;
}

/** The certificates of one authority: made when they are first wanted, a bounded number kept, the last used ones. */
export class LeafShelf {
  readonly root: NewRoot;
  /** when the authority ends, ms since epoch */
  readonly end: number;
  readonly #most: number;
  #press: Promise<Press> | undefined;
  // The order of a map is the order of use here, oldest first.
  // process-local: a cache: any gateway makes the same leaf again
  readonly #ready = new Map<string, ReadyLeaf>();
  // process-local: work under way in this process
  readonly #making = new Map<string, Promise<SecureContext>>();

  constructor(root: NewRoot, most: number) {
    this.root = root;
    this.#most = most;
    this.end = Date.parse(caFacts(root.certificate, 0).not_after);
  }

  /** What is at hand for a host; undefined when it must be made. */
  find(host: string, now: number): SecureContext | undefined {
    const leaf = this.#ready.get(host);
    if (leaf === undefined || now >= leaf.renewAt) return undefined;
    this.#ready.delete(host);
    this.#ready.set(host, leaf);
    return leaf.context;
  }

  /** Makes it; who asks for the same host meanwhile gets the same. */
  make(host: string, now: number): Promise<SecureContext> {
    const present = this.#making.get(host);
    if (present !== undefined) return present;
    const making = this.#make(host, now).finally(() => this.#making.delete(host));
    this.#making.set(host, making);
    return making;
  }

  async #make(host: string, now: number): Promise<SecureContext> {
    this.#press ??= openPress(this.root).catch((error: unknown) => {
      this.#press = undefined;
      throw error;
    });
    const { signer, keys } = await this.#press;
    const { certificate, notAfter } = await signer.issue(host, now);
    const context = createSecureContext({ key: keys.privatePem, cert: certificate, minVersion: 'TLSv1.2' });
    this.#ready.delete(host);
    this.#ready.set(host, { context, renewAt: renewalOf(now, notAfter) });
    if (this.#ready.size > this.#most) this.#dropOldest();
    return context;
  }

  #dropOldest(): void {
    for (const host of this.#ready.keys()) {
      this.#ready.delete(host);
      return;
    }
  }
}

async function openPress(root: NewRoot): Promise<Press> {
  const keys = await makeLeafKeys();
  return { keys, signer: await openSigner(root, keys) };
}

/** Close to the end of the authority a leaf's own life is short: it is then used to its end. */
function renewalOf(now: number, notAfter: number): number {
  return notAfter - now > 2 * RENEW_BEFORE_MS ? notAfter - RENEW_BEFORE_MS : notAfter;
}
