import { createHmac, hkdfSync } from 'node:crypto';
import type { SessionFacts } from '../identity/index.ts';
import type { Secret } from '../shared/secret.ts';

/** What every placeholder begins with: agents, logs and scanners know it by that. */
export const PLACEHOLDER_PREFIX = 'sp-placeholder-';
const DIGITS = 40;
const NONE: readonly string[] = [];
const PLACEHOLDER = /sp-placeholder-[0-9a-f]{40}/g;

type Holder = Pick<SessionFacts, 'id' | 'tenant' | 'credentials'>;

/**
 * Texts that stand for credentials in an agent's environment, so that programs which want a key start.
 *
 * One for each session and credential, made from a key of this home: nothing is stored, and nobody can make one.
 * Another session's placeholder means nothing.
 */
export class Placeholders {
  readonly #key: Uint8Array;

  /** The key is derived from the operator token: a new token makes every older placeholder worthless. */
  constructor(operatorToken: Secret) {
    this.#key = new Uint8Array(
      hkdfSync('sha256', operatorToken.reveal(), '', 'sallyport placeholders v1', 32),
    );
  }

  placeholderOf(session: Pick<SessionFacts, 'id' | 'tenant'>, credential: string): string {
    const mac = createHmac('sha256', this.#key).update(
      JSON.stringify([session.tenant, session.id, credential]),
    );
    return `${PLACEHOLDER_PREFIX}${mac.digest('hex').slice(0, DIGITS)}`;
  }

  /** The credential of this session that a placeholder stands for; undefined when it stands for nothing here. */
  resolve(session: Holder, placeholder: string): string | undefined {
    // A placeholder is no secret: it is worthless without the session. Comparing it needs no constant time.
    return session.credentials.find((name) => this.placeholderOf(session, name) === placeholder);
  }
}

/** Every placeholder in a text or in bytes, each once. Costs one search when there is none. */
export function findPlaceholders(where: string | Uint8Array): readonly string[] {
  if (typeof where === 'string') {
    return where.includes(PLACEHOLDER_PREFIX) ? [...new Set(where.match(PLACEHOLDER) ?? [])] : NONE;
  }
  const bytes = Buffer.from(where.buffer, where.byteOffset, where.byteLength);
  if (!bytes.includes(PLACEHOLDER_PREFIX)) return NONE;
  // `latin1` keeps one character for each byte: nothing is lost or joined.
  return [...new Set(bytes.toString('latin1').match(PLACEHOLDER) ?? [])];
}
