import {
  type ApiKey,
  type EventActor,
  type OwnSession,
  type RenewedSession,
  SallyportError,
  type Session,
  type SessionToken,
} from '@sallyport/protocol';
import type { FastifyRequest } from 'fastify';
import type { Config, TenantConfig } from '../config/index.ts';
import type { OpenedSession, SessionFacts } from '../identity/index.ts';
import type { ApiKeyRecord, SessionRecord } from '../store/index.ts';
import { showOnce } from './shown-once.ts';

export function toSessionToken({ token, session, ttlMs }: OpenedSession): SessionToken {
  const { id, expiresAt } = session;
  return {
    session_token: showOnce(token),
    session_id: id,
    // What was asked for, not what is left of it once it was stored.
    ttl_seconds: Math.ceil(ttlMs / 1000),
    expires_at: timestamp(expiresAt),
  };
}

export function toRenewed(session: SessionFacts, now: number): RenewedSession {
  return {
    session_id: session.id,
    ttl_seconds: Math.max(0, Math.ceil((session.expiresAt - now) / 1000)),
    expires_at: timestamp(session.expiresAt),
  };
}

export function toOwnSession(session: SessionFacts, now: number): OwnSession {
  return {
    ...toRenewed(session, now),
    tenant_id: session.tenant,
    user: session.user,
    agent: session.agent,
    chain: [...session.chain],
    confinement: session.confinement,
    credentials: [...session.credentials],
  };
}

export function toSession(record: SessionRecord): Session {
  return {
    id: record.id,
    tenant: record.tenant,
    user: record.user,
    agent: record.agent,
    chain: [...record.chain],
    confinement: record.confinement,
    credentials: [...record.credentials],
    repositories: [...(record.repositories ?? [])],
    workspace: record.workspace ?? null,
    created_at: timestamp(record.createdAt),
    expires_at: timestamp(record.expiresAt),
    ended_at: record.endedAt === undefined ? null : timestamp(record.endedAt),
    end_reason: record.endReason ?? null,
  };
}

export function toApiKey(record: ApiKeyRecord): ApiKey {
  return {
    id: record.id,
    tenant: record.tenant,
    client_id: record.clientId,
    name: record.name,
    created_at: timestamp(record.createdAt),
    revoked_at: record.revokedAt === undefined ? null : timestamp(record.revokedAt),
  };
}

/** The operator as the cause of an event, with the way they came. */
export function operatorOf(request: FastifyRequest): EventActor {
  // A unix socket has no remote address.
  return { kind: 'operator', via: request.raw.socket.remoteAddress === undefined ? 'socket' : 'api' };
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** The tenant's config. Throws `NotFound` for a name that the config does not have. */
export function knownTenant(config: Config, name: string): TenantConfig {
  const tenant = Object.hasOwn(config.tenants, name) ? config.tenants[name] : undefined;
  if (tenant !== undefined) return tenant;
  throw new SallyportError('NotFound', {
    message: `there is no tenant \`${name}\``,
    hint: 'tenants are listed under `tenants` in the config',
  });
}
