import { CONFINEMENTS, type Confinement, SallyportError } from '@sallyport/protocol';
import type { Selectable } from 'kysely';
import type { SessionsTable } from './tables/identity-tables.ts';

/** A session as it may be shown: never the token, never its hash. Times are ms since epoch. */
export interface SessionRecord {
  readonly id: string;
  readonly tenant: string;
  readonly user: string;
  readonly agent: string;
  /** agents from the first to this one */
  readonly chain: readonly string[];
  readonly confinement: Confinement;
  /** names of credentials, never values */
  readonly credentials: readonly string[];
  /** `host/owner/name` of each remote of the workspace, as it was when the session began; undefined: no workspace was named */
  readonly repositories?: readonly string[];
  /** canonical: the folder that the agent works in */
  readonly workspace?: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | undefined;
  readonly endReason: string | undefined;
}

export type NewSession = Omit<SessionRecord, 'endedAt' | 'endReason'> & { readonly tokenHash: string };

/** The row that `insertBelow` stores. */
export function toRow(session: NewSession): SessionsTable {
  return {
    id: session.id,
    tenant: session.tenant,
    user_name: session.user,
    agent: session.agent,
    chain: JSON.stringify(session.chain),
    confinement: session.confinement,
    token_hash: session.tokenHash,
    credentials: JSON.stringify(session.credentials),
    repositories: session.repositories === undefined ? null : JSON.stringify(session.repositories),
    workspace: session.workspace ?? null,
    created_at: session.createdAt,
    expires_at: session.expiresAt,
    ended_at: null,
    end_reason: null,
  };
}

/** Throws `StoreUnusable` for a row that we did not write. */
export function toRecord(row: Selectable<SessionsTable>): SessionRecord {
  return {
    id: row.id,
    tenant: row.tenant,
    user: row.user_name,
    agent: row.agent,
    chain: readNames(row.chain),
    confinement: readConfinement(row.confinement),
    credentials: readNames(row.credentials),
    ...(row.repositories === null ? {} : { repositories: readNames(row.repositories) }),
    ...(row.workspace === null ? {} : { workspace: row.workspace }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at ?? undefined,
    endReason: row.end_reason ?? undefined,
  };
}

function readNames(text: string): readonly string[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) throw damaged();
  return value;
}

// SECURITY: a value that we did not write must not be taken for `jailed`.
function readConfinement(text: string): Confinement {
  const known = CONFINEMENTS.find((confinement) => confinement === text);
  if (known === undefined) throw damaged();
  return known;
}

function damaged(): SallyportError {
  return new SallyportError('StoreUnusable', {
    message: 'a session in the store has a value that Sallyport does not write',
    hint: 'restore the store from a backup',
  });
}
