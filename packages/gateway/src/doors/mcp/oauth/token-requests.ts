import { hash } from 'node:crypto';
import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { type OpenedSession, sameHash } from '../../../identity/index.ts';
import type { Secret } from '../../../shared/secret.ts';
import type { Granted } from './authorizations.ts';
import type { OAuthClient } from './client-ids.ts';
import type { Codes } from './codes.ts';
import type { Families, Family } from './families.ts';
import { type OAuthAnswer, oauthError } from './oauth-messages.ts';
import type { OAuthParts, Principal } from './oauth-parts.ts';

type Form = ReadonlyMap<string, string>;

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const BAD_GRANT = oauthError('invalid_grant', 'this is not good, or not good any more: ask for access again');
const BAD_TARGET = oauthError('invalid_target', '`resource` is not what was asked for');

/** Turns codes and refresh tokens into session tokens. Every wrong one gets the same answer. */
export class TokenRequests {
  readonly #parts: OAuthParts;
  readonly #codes: Codes;
  readonly #families: Families;

  constructor(parts: OAuthParts, codes: Codes, families: Families) {
    this.#parts = parts;
    this.#codes = codes;
    this.#families = families;
  }

  async redeemCode(form: Form, client: OAuthClient): Promise<OAuthAnswer> {
    const { sessions } = this.#parts;
    const code = form.get('code') ?? '';
    const found = this.#codes.take(code);
    if (found === undefined) {
      const family = this.#families.ofCode(code);
      if (family !== undefined) await this.#reused(family, 'code', client);
      return BAD_GRANT;
    }
    const { granted, isExpired } = found;
    const { session } = granted.opened;
    // SECURITY: a code in the wrong hands is spent: it opens nothing for anybody.
    if (isExpired || !isFor(granted, form, client) || sessions.signalOf(session.id).aborted) {
      await this.discard(granted.opened.session.id, 'the code was not redeemed');
      return BAD_GRANT;
    }
    // Nothing is waited for between the two: whoever sends the code again finds the family.
    const { family, refresh } = this.#families.begin(granted, code);
    return this.#issue(family, granted.opened, refresh, 'authorization_code', granted.approval);
  }

  async refresh(form: Form, client: OAuthClient): Promise<OAuthAnswer> {
    const found = this.#families.ofRefreshToken(form.get('refresh_token') ?? '');
    if (found === undefined) return BAD_GRANT;
    const { family, isCurrent } = found;
    // SECURITY: two hold what one was given, and nobody knows which of them is the thief.
    if (!isCurrent || family.client.id !== client.id) {
      await this.#reused(family, 'refresh_token', client);
      return BAD_GRANT;
    }
    if (form.has('resource') && form.get('resource') !== family.resource) return BAD_TARGET;
    const rotated = family.until > this.#parts.clock.now() ? this.#families.rotate(family) : undefined;
    if (rotated === undefined) {
      await this.revoke(family, 'the time that a person gave is over');
      return BAD_GRANT;
    }
    let opened: OpenedSession;
    try {
      opened = await this.#next(family);
    } catch (error) {
      rotated.undo();
      if (error instanceof SallyportError && NO_MORE.has(error.code)) return BAD_GRANT;
      throw error;
    }
    // Ended, or used twice, while we waited.
    if (family.isOver) {
      await this.discard(opened.session.id, 'access was taken back');
      return BAD_GRANT;
    }
    if (family.session !== opened.session.id) this.#families.follow(family, opened.session.id);
    return this.#issue(family, opened, rotated.refresh, 'refresh_token', undefined);
  }

  /** Ends the family and its session. */
  async revoke(family: Family, reason: string): Promise<void> {
    this.#families.forget(family);
    await this.discard(family.session, reason);
  }

  async discard(session: string, reason: string): Promise<void> {
    await this.#parts.sessions.end(session, reason, { kind: 'gateway' });
  }

  /** Another token for the session, or another session when the time of the last one is over. */
  async #next({ session, principal, client }: Family): Promise<OpenedSession> {
    const { sessions, credentialsOf, clock } = this.#parts;
    const known = sessions.peek(session);
    if (known !== undefined && known.expiresAt > clock.now()) return sessions.reissue(session);
    const { endedAt, endReason } = await sessions.get(principal.tenant, session);
    // SECURITY: another gateway of the same store may have ended it. Only time leaves a way on.
    if (endedAt !== undefined && endReason !== 'expired') throw new SallyportError('NotAuthenticated');
    return sessions.open({
      ...principal,
      confinement: 'unconfined',
      credentials: credentialsOf(principal),
      by: { kind: 'client', client: client.label },
    });
  }

  async #issue(
    family: Family,
    { token, session }: OpenedSession,
    refresh: Secret,
    grant: string,
    approval: string | undefined,
  ): Promise<OAuthAnswer> {
    const { clock } = this.#parts;
    const data: JsonObject = { grant, session_id: session.id, ...principalData(family.principal) };
    try {
      await this.#append('OAuthEvent::Issued', family, data, approval);
    } catch (error) {
      // SECURITY: what is not in the trail must not live.
      await this.revoke(family, 'it could not be recorded');
      throw error;
    }
    return {
      kind: 'tokens',
      access: token,
      refresh,
      expiresInSeconds: Math.max(0, Math.floor((session.expiresAt - clock.now()) / 1000)),
      scope: `agent:${family.principal.agent}`,
    };
  }

  async #reused(family: Family, what: string, by: OAuthClient): Promise<void> {
    await this.revoke(family, `a ${what.replace('_', ' ')} was used twice`);
    const data = { what, session_id: family.session, sent_by: by.label };
    await this.#append('OAuthEvent::ReuseDetected', family, data);
  }

  async #append(
    type: 'OAuthEvent::Issued' | 'OAuthEvent::ReuseDetected',
    { principal, client }: Family,
    data: JsonObject,
    approval?: string,
  ): Promise<void> {
    await this.#parts.trail.append({
      ...{ tenant: principal.tenant, type, actor: { kind: 'client', client: client.label }, data },
      ...(approval === undefined ? {} : { approval_id: approval }),
    });
  }
}

const NO_MORE: ReadonlySet<string> = new Set(['NotAuthenticated', 'NotPermitted', 'NotFound']);

/** Whether a code was given to this client, for this address, resource and verifier. */
function isFor({ request }: Granted, form: Form, client: OAuthClient): boolean {
  const verifier = form.get('code_verifier') ?? '';
  return (
    request.client.id === client.id &&
    request.redirectUri === form.get('redirect_uri') &&
    (form.get('resource') ?? request.resource) === request.resource &&
    VERIFIER.test(verifier) &&
    sameHash(hash('sha256', verifier, 'base64url'), request.challenge)
  );
}

function principalData({ user, agent }: Principal): JsonObject {
  return { user, agent };
}
