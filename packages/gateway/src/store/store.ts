import type { Kysely } from 'kysely';
import type { FileProblem } from '../shared/held-file.ts';
import type { ApprovalTables, GrantTables } from './tables/approval-tables.ts';
import type { AuditTables } from './tables/audit-tables.ts';
import type { IdentityTables } from './tables/identity-tables.ts';
import type { McpTables, SealTables } from './tables/tool-tables.ts';

/** Every table, as Kysely sees it. Column types are the same on SQLite and Postgres. */
export interface Database
  extends IdentityTables,
    AuditTables,
    GrantTables,
    ApprovalTables,
    McpTables,
    SealTables {}

/**
 * The open database. Obtained from `openStore`, which has run every migration by then.
 *
 * Contract, on both engines:
 * - a write that was awaited is durable, and in the files that the next start opens
 * - `close` waits for what is under way and is idempotent
 */
export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  readonly db: Kysely<Database>;
  /** where the data is, safe to print: a file path, or a URL without password */
  readonly location: string;
  /** Why nothing is written any more: files of the database were removed or replaced. Looks now [TR-7]. */
  problem(): FileProblem | undefined;
  close(): Promise<void>;
}
