import { randomBytes } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import type { Clock } from '../shared/clock.ts';

const LIFE_MS = 300_000;
/** Live references at once; more is refused, not forgotten. */
const MOST = 10_000;
const REFERENCE = /sp-ref:[A-Za-z0-9][A-Za-z0-9._:-]{0,128}:[0-9a-f]{32}/g;

interface Promised {
  readonly tenant: string;
  readonly session: string;
  readonly credential: string;
  readonly host: string;
  readonly expiresAt: number;
}

export type NewReference = Omit<Promised, 'expiresAt'>;

export interface IssuedReference {
  /** `sp-ref:<credential>:<nonce>` */
  readonly reference: string;
  readonly expiresAt: number;
}

/**
 * References to credentials for the body of one request: each works once, within 300 s, on one host, in one session.
 * In memory only: a restart makes all of them worthless.
 */
export class References {
  readonly #clock: Clock;
  // process-local: the proxy looks them up without a wait; a reference is good at the gateway that gave it
  readonly #promised = new Map<string, Promised>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws `TooManyRequests` when too many are open. */
  issue(wanted: NewReference): IssuedReference {
    const now = this.#clock.now();
    for (const [reference, { expiresAt }] of this.#promised) {
      if (expiresAt > now) break; // they are in the order of their making
      this.#promised.delete(reference);
    }
    if (this.#promised.size >= MOST) throw new SallyportError('TooManyRequests');
    const reference = `sp-ref:${wanted.credential}:${randomBytes(16).toString('hex')}`;
    const expiresAt = now + LIFE_MS;
    this.#promised.set(reference, { ...wanted, expiresAt });
    return { reference, expiresAt };
  }

  /** Which credential it stands for there; undefined when it stands for nothing there. Does not use it up. */
  peek(reference: string, use: Omit<NewReference, 'credential'>): string | undefined {
    const promised = this.#promised.get(reference);
    if (promised === undefined || promised.expiresAt <= this.#clock.now()) return undefined;
    const { tenant, session, host, credential } = promised;
    const isThere = tenant === use.tenant && session === use.session && host === use.host;
    return isThere ? credential : undefined;
  }

  /** Uses it up: the credential's name, this once; undefined when it stands for nothing there, or was used before. */
  redeem(reference: string, use: Omit<NewReference, 'credential'>): string | undefined {
    const credential = this.peek(reference, use);
    if (credential !== undefined) this.#promised.delete(reference);
    return credential;
  }
}

/** Every one-time reference in a body, each once. */
export function findReferences(where: Uint8Array): readonly string[] {
  const bytes = Buffer.from(where.buffer, where.byteOffset, where.byteLength);
  return bytes.includes('sp-ref:') ? [...new Set(bytes.toString('latin1').match(REFERENCE) ?? [])] : [];
}
