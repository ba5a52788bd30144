import { SallyportError } from '@sallyport/protocol';
import type { CredentialKindName, CredentialOptions, Variables } from '../../config/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { OutgoingRequest } from '../../shared/http-message.ts';
import type { Secret } from '../../shared/secret.ts';
import type { CredentialPut, PartName } from './command-put.ts';

/**
 * How credentials of one kind are made ready and put into requests.
 *
 * Contract:
 * - `prepare` rejects with a `SallyportError` for the operator (`SecretUnreadable` for material of the wrong shape);
 *   no error holds the material or a part of it, not even as its cause. The broker tells the agent something plain.
 * - Every value that `prepare` mints, derives or finds inside the material goes to `context.learn` first.
 * - What is prepared is kept by the broker and lent many times, until it expires, the material changes, or the
 *   config does. A kind keeps nothing of its own between calls.
 * - Its options are in the config's schema: `config/sections/credentials-*.ts`.
 */
export interface CredentialKind<Kind extends CredentialKindName = CredentialKindName> {
  readonly name: Kind;
  /** hosts that values of this kind go to when the config names none; empty when the config must name them */
  readonly hosts: readonly string[] | ((options: CredentialOptions<Kind>) => readonly string[]);
  /** where a placeholder of such a credential may stand in a head */
  readonly places: KindPlaces | ((options: CredentialOptions<Kind>) => KindPlaces);
  /** reference to the material of a credential whose config has no `source`; a kind without it needs no material */
  defaultSource?(options: CredentialOptions<Kind>, context: HostContext): string;
  /** Where programs keep such credentials: what is there now. Never throws, and reads nothing but these files. */
  find?(context: PersonContext): readonly FoundCredential[];
  /** `material`: undefined only when there is neither a `source` nor a default one */
  prepare(
    material: Secret | undefined,
    options: CredentialOptions<Kind>,
    context: PrepareContext,
  ): PreparedCredential | Promise<PreparedCredential>;
}

/** A credential that a program left on this machine. */
export interface FoundCredential {
  /** a name for it in the config */
  readonly name: string;
  /** for people: where it is; never a value */
  readonly where: string;
  /** what the config says of it, but its source */
  readonly entry: Readonly<Record<string, unknown>>;
  /** what is to be kept for it; absent: it is read where it is */
  readonly material?: Secret;
}

/** The person's own machine, for `sallyport setup`. */
export interface PersonContext {
  readonly env: Variables;
  readonly userHome: string;
}

/** The header, or the parameter of the query, that a kind uses. */
export interface KindPlaces {
  /** lower case */
  readonly headers: readonly string[];
  readonly query?: readonly string[];
  /** it signs, or has several values: a placeholder names the credential and is never replaced */
  readonly namesOnly?: true;
}

/** `Authorization`, in whatever scheme a program writes it. */
export const IN_AUTHORIZATION: KindPlaces = { headers: ['authorization'] };

/** The machine that the gateway runs on, for kinds that use what its tools left there. */
export interface HostContext {
  readonly env: Variables;
  /** home of the gateway, where relative paths of the config start */
  readonly home: string;
}

export interface PrepareContext extends HostContext {
  readonly tenant: string;
  /** name of the credential */
  readonly credential: string;
  readonly clock: Clock;
  /** aborts when it takes too long, or nobody needs it any more */
  readonly signal: AbortSignal;
  /** From now on the value is kept out of everything that is written. */
  learn(secret: Secret): void;
  /**
   * Puts changed material (a rotated refresh token) where it was read from, before what was minted is used.
   * Rejects with `SecretUnreadable` when the source cannot be written to.
   */
  storeBack(material: Secret): Promise<void>;
}

/** A credential that is ready to be lent, in memory only. */
export interface PreparedCredential {
  /** moment from which it is worthless, in ms since epoch; the broker prepares anew before. Absent: with its source */
  readonly expiresAt?: number;
  /** the one text that it is, for placeholders and for routes that say how to inject; absent for kinds that sign */
  readonly value?: Secret;
  /** its pieces, for the environment of a command; absent: `value` is the one piece, `token` */
  readonly parts?: Readonly<Partial<Record<PartName, Secret>>>;
  /** how it reaches a command, where its config says so and not the program's wrapper */
  readonly ownPut?: CredentialPut;
  /** it signs: no secret of it is sent, so no piece of an answer can hold a piece of one */
  readonly isSigned?: true;
  /** what must never come back to an agent; `apply` may send more and says so */
  readonly values: readonly Secret[];
  /** Whether `apply` can only sign this request with its whole body at hand. Absent: it never needs that. */
  needsWholeBody?(request: OutgoingRequest): boolean;
  /**
   * Puts it into the request, in place. Replaces what is there of the same name.
   *
   * `sent` is told of everything derived from a secret that goes out (a signature, a user and password in base64).
   */
  apply(
    request: OutgoingRequest,
    sent: (derived: Secret) => void,
  ): BodyRewriter | undefined | Promise<BodyRewriter | undefined>;
}

/** Changes a body while it is streamed. */
export interface BodyRewriter {
  /** size of the whole result; undefined: not known, send it chunked */
  readonly bytes: number | undefined;
  push(chunk: Uint8Array): readonly Uint8Array[];
  end(): readonly Uint8Array[];
}

/** Kinds by name; the type makes a kind without an implementation an error. */
export type CredentialKinds = { readonly [Kind in CredentialKindName]: CredentialKind<Kind> };

/** For the agent: what is wrong with its request. Never holds anything of the credential. */
export function notSignable(message: string, hint?: string): SallyportError {
  return new SallyportError('RequestNotSignable', { message, ...(hint === undefined ? {} : { hint }) });
}
