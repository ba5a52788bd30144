import { type Confinement, type EventActor, type JsonObject, SallyportError } from '@sallyport/protocol';
import type { AuditTrail } from '../audit/index.ts';
import type { Clock } from '../shared/clock.ts';
import { readRemotes } from '../shared/git-remotes.ts';
import { newId } from '../shared/ids.ts';
import { folderAt } from '../shared/project-folder.ts';
import type { Secret } from '../shared/secret.ts';
import type { NewSession, SessionsRepository } from '../store/index.ts';
import type { LiveSessions } from './live-sessions.ts';
import { type SessionFacts, toEventActor } from './session-facts.ts';
import { rbacOf, type TenantOf } from './tenant-directory.ts';
import { hashToken, newToken } from './tokens.ts';

/** What a new session is to be. */
export interface OpenSession {
  readonly tenant: string;
  readonly user: string;
  readonly agent: string;
  readonly confinement: Confinement;
  /** agents from the first to `agent`; just `agent` when absent */
  readonly chain?: readonly string[] | undefined;
  /** names of credentials that may be lent; none when absent */
  readonly credentials?: readonly string[] | undefined;
  /** absolute: where the agent works; what its git remotes name now is what exceptions hold for */
  readonly workspace?: string | undefined;
  /** life of the token, in `ms`; the configured one when absent */
  readonly ttlMs?: number | undefined;
  /** who opens it, for the trail */
  readonly by: EventActor;
}

/** A session with its token, which is shown this once. */
export interface OpenedSession {
  readonly token: Secret;
  readonly session: SessionFacts;
  /** life that it was given, in `ms` */
  readonly ttlMs: number;
}

/** Limits as they are configured now. */
export interface SessionLimits {
  readonly ttlMs: number;
  /** live sessions that a tenant may have at once */
  readonly maxLive: number;
}

export interface OpenerParts {
  readonly repository: SessionsRepository;
  readonly live: LiveSessions;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly tenantOf: TenantOf;
  readonly limits: () => SessionLimits;
}

/** Opens sessions: checks, stores, records, and only then hands out the token. */
export class SessionOpener {
  readonly #parts: OpenerParts;

  constructor(parts: OpenerParts) {
    this.#parts = parts;
  }

  async open(request: OpenSession): Promise<OpenedSession> {
    const { audit, clock, live, repository, limits } = this.#parts;
    const chain = request.chain ?? [request.agent];
    const ttlMs = request.ttlMs ?? limits().ttlMs;
    this.#checkForm(chain, request.agent, ttlMs);
    await this.checkRights({ ...request, chain }, request.by, 'open');

    const token = newToken('session');
    const now = clock.now();
    const { tenant, user, agent, confinement } = request;
    const session: NewSession = {
      ...{ id: newId('sess', now), tenant, user, agent, chain, confinement },
      credentials: request.credentials ?? [],
      // SECURITY: before the agent starts: later it could name any repository as a remote [GA-15].
      ...(request.workspace === undefined ? {} : placeOf(request.workspace)),
      createdAt: now,
      expiresAt: now + ttlMs,
      tokenHash: hashToken(token),
    };
    if (!(await repository.insertBelow(session, limits().maxLive))) {
      throw await this.refuse(request, request.by, 'open', new SallyportError('TooManySessions'));
    }
    try {
      await audit.append({
        tenant,
        type: 'SessionEvent::Opened',
        actor: request.by,
        data: {
          ...{ session_id: session.id, user, agent, chain: [...chain], confinement },
          credentials: [...session.credentials],
          ...(session.repositories === undefined ? {} : { repositories: [...session.repositories] }),
          ...(session.workspace === undefined ? {} : { workspace: session.workspace }),
          expires_at: new Date(session.expiresAt).toISOString(),
        },
      });
      // Read back on purpose: "end all" may have struck between storing and here.
      const facts = await live.find(session.tokenHash);
      if (facts === undefined)
        throw new SallyportError('Unavailable', { message: 'sessions are being ended' });
      return { token, session: facts, ttlMs };
    } catch (error) {
      // SECURITY: what is not in the trail must not live; its token was never shown.
      live.bury(session.id, 'opening failed');
      await repository.end(tenant, session.id, clock.now(), 'opening failed');
      live.confirm(session.id);
      throw error;
    }
  }

  /** Throws unless tenant and agents exist and the user may use every agent of the chain. */
  async checkRights(
    who: Pick<SessionFacts, 'tenant' | 'user' | 'agent' | 'chain'>,
    by: EventActor,
    attempt: 'open' | 'renew',
  ): Promise<void> {
    const policy = this.#parts.tenantOf(who.tenant);
    if (policy === undefined) {
      throw new SallyportError('NotFound', { message: `there is no tenant \`${who.tenant}\`` });
    }
    const missing = who.chain.find((agent) => !policy.agents.has(agent));
    if (missing !== undefined) {
      const error = new SallyportError('NotFound', { message: `there is no agent \`${missing}\`` });
      throw await this.refuse(who, by, attempt, error);
    }
    const rights = rbacOf(policy).rightsOf({ user: who.user, chain: who.chain });
    // No chain is without its own last agent, so rights that cover it are rights along the whole chain.
    if (rights.mayUseAgent(who.agent)) return;
    const error = new SallyportError('NotPermitted', {
      message: `the roles of \`${who.user}\` do not reach every agent of \`${who.chain.join(' → ')}\``,
      hint: 'give the user a role that allows `agent:<name>` for each of them',
    });
    throw await this.refuse(who, by, attempt, error);
  }

  /** Records the refusal and returns the error to throw. */
  async refuse(
    who: { readonly tenant: string; readonly user: string; readonly agent: string },
    by: EventActor,
    attempt: string,
    error: SallyportError,
  ): Promise<SallyportError> {
    const data: JsonObject = { attempt, code: error.code, user: who.user, agent: who.agent };
    await this.#parts.audit.append({ tenant: who.tenant, type: 'SessionEvent::Refused', actor: by, data });
    return error;
  }

  /** Renews after the same checks as opening: rights may have been taken away since. */
  async renew(facts: SessionFacts, ttlMs: number): Promise<SessionFacts> {
    const { audit, clock, live, repository } = this.#parts;
    this.#checkForm(facts.chain, facts.agent, ttlMs);
    const actor = toEventActor(facts);
    await this.checkRights(facts, actor, 'renew');
    const now = clock.now();
    // INVARIANT: an expiry only moves forward.
    const expiresAt = Math.max(facts.expiresAt, now + ttlMs);
    const data: JsonObject = { session_id: facts.id, expires_at: new Date(expiresAt).toISOString() };
    await audit.append({ tenant: facts.tenant, type: 'SessionEvent::Renewed', actor, data });
    if (!(await repository.extend(facts.tenant, facts.id, now, expiresAt))) {
      throw await this.refuse(facts, actor, 'renew', new SallyportError('NotAuthenticated'));
    }
    live.extend(facts.id, expiresAt);
    return Object.freeze({ ...facts, expiresAt });
  }

  /** As `renew`, with a new token in the place of the old one. */
  async reissue(facts: SessionFacts, ttlMs: number): Promise<OpenedSession> {
    const { audit, clock, live, repository } = this.#parts;
    const actor = toEventActor(facts);
    await this.checkRights(facts, actor, 'renew');
    const now = clock.now();
    const expiresAt = Math.max(facts.expiresAt, now + ttlMs);
    const expiry = new Date(expiresAt).toISOString();
    const data: JsonObject = { session_id: facts.id, expires_at: expiry, new_token: true };
    await audit.append({ tenant: facts.tenant, type: 'SessionEvent::Renewed', actor, data });
    const token = newToken('session');
    const tokenHash = hashToken(token);
    if (!(await repository.replaceToken(facts.tenant, facts.id, now, { tokenHash, expiresAt }))) {
      throw await this.refuse(facts, actor, 'renew', new SallyportError('NotAuthenticated'));
    }
    live.rekey(facts.id, tokenHash, expiresAt);
    const session = await live.find(tokenHash);
    if (session === undefined) throw new SallyportError('NotAuthenticated');
    return { token, session, ttlMs: expiresAt - now };
  }

  #checkForm(chain: readonly string[], agent: string, ttlMs: number): void {
    if (chain.at(-1) !== agent) {
      throw new SallyportError('BadRequest', { message: 'the chain must end with the agent of the session' });
    }
    if (!Number.isSafeInteger(ttlMs) || ttlMs <= 0) {
      throw new SallyportError('BadRequest', { message: 'the life of a session is a positive number of ms' });
    }
  }
}

/** What its remotes name, and where it is, unless there is no such folder. */
function placeOf(folder: string): Pick<NewSession, 'repositories' | 'workspace'> {
  const workspace = folderAt(folder);
  return { repositories: readRemotes(folder), ...(workspace === undefined ? {} : { workspace }) };
}
