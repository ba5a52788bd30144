import type { ApprovalTables } from './tables/approval-tables.ts';
import type { AuditTables } from './tables/audit-tables.ts';
import type { GrantTables } from './tables/grant-tables.ts';
import type { IdentityTables } from './tables/identity-tables.ts';
import type { McpTables } from './tables/mcp-tables.ts';
import type { SealTables } from './tables/seal-tables.ts';

/** Every table, as Kysely sees it. Column types are the same on SQLite and Postgres. */
export interface Database
  extends IdentityTables,
    AuditTables,
    GrantTables,
    ApprovalTables,
    McpTables,
    SealTables {}
