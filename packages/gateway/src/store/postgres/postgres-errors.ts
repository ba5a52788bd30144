import { SallyportError } from '@sallyport/protocol';

interface Explanation {
  readonly message: string;
  readonly hint: string;
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html and Node's system errors.
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  '28P01': { message: 'refuses the password', hint: 'check user and password in `store.url`' },
  '28000': {
    message: 'refuses the user',
    hint: 'check the user in `store.url` and the server’s pg_hba.conf',
  },
  '3D000': { message: 'has no such database', hint: 'create it with `createdb`, or correct `store.url`' },
  '42501': {
    message: 'does not let this user create or change tables',
    hint: 'grant the user `CREATE` and `USAGE` on the schema',
  },
  '25006': { message: 'is read-only', hint: 'name the primary server in `store.url`, not a replica' },
  '53100': { message: 'has a full disk', hint: 'free disk space on the server, then try again' },
  '53300': { message: 'has no free connection', hint: 'raise `max_connections` on the server' },
  '57P03': { message: 'is starting up or shutting down', hint: 'wait until it is ready, then try again' },
  ECONNREFUSED: { message: 'does not answer', hint: 'check that it runs and listens at this address' },
  ENOENT: { message: 'does not answer', hint: 'check that it runs and that the socket folder is right' },
  ENOTFOUND: { message: 'has an unknown host name', hint: 'check the host in `store.url`' },
  EAI_AGAIN: { message: 'has a host name that cannot be looked up now', hint: 'check DNS, then try again' },
  ETIMEDOUT: { message: 'does not answer in time', hint: 'check address and firewall' },
  ECONNRESET: { message: 'broke the connection', hint: 'look at the server’s log, then try again' },
};

const CORRUPTION = /^XX00[012]$/;

/** The `StoreUnusable` for an error while connecting or migrating. Never contains the password. */
export function explainPostgresError(error: unknown, location: string): SallyportError {
  const code = codeOf(error);
  const known = EXPLANATIONS[code] ?? (CORRUPTION.test(code) ? DAMAGED : undefined);
  const { message, hint } = known ?? unknownFailure(code);
  return new SallyportError('StoreUnusable', {
    message: `the database at \`${location}\` ${message}`,
    hint,
    cause: error,
  });
}

const DAMAGED: Explanation = { message: 'reports damaged data', hint: 'restore it from a backup' };

function unknownFailure(code: string): Explanation {
  return {
    message: `cannot be used${code === '' ? '' : ` (${code})`}`,
    hint: 'look at the server’s log, and check `store.url`',
  };
}

function codeOf(error: unknown): string {
  // A name with several addresses fails with one error for each.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  if (!(first instanceof Error)) return '';
  if ('code' in first && typeof first.code === 'string') return first.code;
  // `pg` gives no code when its own `connectionTimeoutMillis` strikes.
  return first.message.includes('timeout') ? 'ETIMEDOUT' : '';
}
