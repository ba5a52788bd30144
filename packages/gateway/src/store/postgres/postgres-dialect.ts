import { setTimeout as delay } from 'node:timers/promises';
import { SallyportError } from '@sallyport/protocol';
import { CompiledQuery, PostgresDialect } from 'kysely';
import { explainPostgresError } from './postgres-errors.ts';

const CONNECT_MS = 5_000;
const INT8_OID = 20;

/** Where a Postgres URL leads, without password and options: safe to print. Throws `StoreUnusable` if it is no such URL. */
export function postgresLocation(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['postgres:', 'postgresql:'].includes(parsed.protocol)) {
    // SECURITY: the text itself is not shown: it may hold a password in a place where we do not look for one.
    throw new SallyportError('StoreUnusable', {
      message: '`store.url` is not a Postgres URL',
      hint: 'write `postgres://user:password@host:5432/database`',
    });
  }
  const host = parsed.searchParams.get('host') || parsed.host || 'localhost';
  const user = parsed.searchParams.get('user') || parsed.username;
  return `postgres://${user ? `${user}@` : ''}${host}${parsed.pathname}`;
}

export interface PostgresAccess {
  readonly dialect: PostgresDialect;
  /** resolves once nobody waits for a connection; those who have one are waited for by Kysely itself */
  drained(): Promise<void>;
}

/** A Kysely dialect over a pool of `pg` connections that commit durably and read int8 as numbers. */
export async function createPostgresAccess(url: string, location: string): Promise<PostgresAccess> {
  // Most gateways never need it, and every start would wait for it.
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'sallyport',
    types: {
      // `pg` reads int8 as text, because it may be too large for a number; ours (times, counts) never are.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8_OID && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(oid, format),
    },
  });
  // Without a listener, an idle connection that breaks would end the process; the pool replaces it by itself.
  pool.on('error', () => {});

  let connecting = 0;
  const dialect = new PostgresDialect({
    pool: {
      options: {},
      connect: async () => {
        connecting += 1;
        try {
          return await pool.connect();
        } catch (error) {
          throw explainPostgresError(error, location);
        } finally {
          connecting -= 1;
        }
      },
      end: () => pool.end(),
    },
    onCreateConnection: async (connection) => {
      // "An awaited write is durable" must hold also where the server's default is `off`.
      await connection.executeQuery(
        CompiledQuery.raw(
          "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'",
        ),
      );
    },
  });
  return {
    dialect,
    drained: async () => {
      while (connecting > 0) await delay(5);
      // The last one has its connection, but its own code goes on in a later turn.
      await delay(1);
    },
  };
}

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a number in the database is too large');
  return value;
}
