import type { EventActor } from '@sallyport/protocol';
import type { OutgoingRequest } from '../shared/http-message.ts';
import type { Secret } from '../shared/secret.ts';
import type { BodyRewriter } from './kinds/kind.ts';
import type { Places } from './placeholder-places.ts';

/**
 * Lends credentials: reads them from where they are kept, makes them ready, and puts them into a request after the
 * agent's last touch.
 *
 * Contract:
 * - A value goes only to the hosts of its credential, for a session of the same tenant that may use it. Whoever
 *   asks for anything else gets a `SallyportError`, whatever was checked before.
 * - A credential that was rotated, revoked or changed in the config is not lent any more as soon as that is known.
 * - What the agent may be told is in the error; why it failed is in the trail and the log.
 */
export interface Broker {
  /** What everyone may know; undefined when the tenant has none of that name. Cheap: for every request. */
  facts(tenant: string, name: string): CredentialFacts | undefined;
  /** At once when the value is at hand. Throws or rejects `CredentialUnavailable` or `CredentialNotAllowed`. */
  lend(ask: LendRequest): Loan | Promise<Loan>;
}

export interface CredentialFacts {
  readonly name: string;
  readonly kind: string;
  readonly risk?: 'low' | 'medium' | 'high' | 'critical';
  /** patterns of hosts that it may ever be sent to */
  readonly hosts: readonly string[];
  /** whether it may ever be sent there */
  mayGoTo(host: string): boolean;
  /** where its placeholder is replaced */
  readonly places: Places;
}

export interface LendRequest {
  readonly tenant: string;
  /** name of the credential */
  readonly name: string;
  /** canonical, as `parseHost` gives it */
  readonly host: string;
  /** id of the live session that it is lent to */
  readonly session: string;
  readonly actor: EventActor;
  readonly actionId: string;
  readonly signal: AbortSignal;
  /** how a route wants the value of a single-value kind put in; the kind's own way when absent */
  readonly inject?: Injection | undefined;
}

/** A header, and what it says around `{value}`. */
export interface Injection {
  readonly header: string;
  readonly format: string;
}

/** One credential for one request. */
export interface Loan {
  /** name of the credential */
  readonly credential: string;
  /** whether a signature is all that is sent of it */
  readonly isSigned: boolean;
  /** what must not come back to the agent: the value, and everything derived from it that was sent */
  values(): readonly Secret[];
  /** Whether the body must be read before `apply`, because what is sent is signed as a whole. Cheap. */
  needsWholeBody(request: OutgoingRequest): boolean;
  /**
   * Puts it into the request, in place, after the agent's last touch. A streamed body that must be changed on its
   * way goes through what is returned. Throws `CredentialNotAllowed` for a request to another host than was asked for.
   */
  apply(request: OutgoingRequest): BodyRewriter | undefined | Promise<BodyRewriter | undefined>;
  /** What stands in this request for the placeholder, checked as `apply` checks it; absent for kinds that sign. */
  placeholderValue?(request: OutgoingRequest): Secret;
}
