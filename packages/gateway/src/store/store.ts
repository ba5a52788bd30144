import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/**
 * The open database. Obtained from `openStore`, which has run every migration by then.
 *
 * Contract, on both engines:
 * - a write that was awaited is durable
 * - `close` waits for what is under way and is idempotent
 */
export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  readonly db: Kysely<Database>;
  /** where the data is, safe to print: a file path, or a URL without password */
  readonly location: string;
  close(): Promise<void>;
}
