import type { GrantRow } from '../../store/index.ts';
import type { Grant, GrantCover, GrantScope } from './grant.ts';

export function toGrant(row: GrantRow): Grant {
  return {
    id: row.id,
    tenant: row.tenant,
    ...(row.agent === null ? {} : { agent: row.agent }),
    ...(row.client === null ? {} : { client: row.client }),
    // Written by `toRow` only; a row that somebody edited by hand and broke throws, and covers nothing.
    covers: JSON.parse(row.covers) as GrantCover,
    // SECURITY: a row that says anything else than yes allows nothing.
    answer: row.answer === 'yes' ? 'yes' : 'no',
    scope: row.scope as GrantScope,
    ...(row.session === null ? {} : { session: row.session }),
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    createdAt: row.created_at,
    createdBy: row.created_by,
    ...(row.approval_id === null ? {} : { approvalId: row.approval_id }),
    uses: row.uses,
    ...(row.uses_at_most === null ? {} : { usesAtMost: row.uses_at_most }),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
    ...(row.end_reason === null ? {} : { endReason: row.end_reason }),
  };
}

export function toRow(grant: Grant): GrantRow {
  return {
    id: grant.id,
    tenant: grant.tenant,
    agent: grant.agent ?? null,
    client: grant.client ?? null,
    covers: JSON.stringify(grant.covers),
    answer: grant.answer,
    scope: grant.scope,
    session: grant.session ?? null,
    expires_at: grant.expiresAt ?? null,
    created_at: grant.createdAt,
    created_by: grant.createdBy,
    approval_id: grant.approvalId ?? null,
    uses: grant.uses,
    uses_at_most: grant.usesAtMost ?? null,
    ended_at: grant.endedAt ?? null,
    end_reason: grant.endReason ?? null,
  };
}
