import {
  type Health,
  HealthSchema,
  type OwnSession,
  OwnSessionSchema,
  type RenewedSession,
  RenewedSessionSchema,
  SessionTokenSchema,
} from '@sallyport/protocol';
import { type Call, type Fetch, send } from './http.ts';

export interface ClientOptions {
  /** agent side of the gateway, `http://127.0.0.1:7180` unless told otherwise */
  readonly url?: string;
  readonly fetch?: Fetch;
}

export interface EnrollOptions extends ClientOptions {
  /** `default` unless told otherwise */
  readonly tenant?: string;
  readonly enrollmentSecret: string;
  /** the tenant's default agent unless told otherwise */
  readonly agent?: string;
}

const DEFAULT_URL = 'http://127.0.0.1:7180';

/** Opens a session with an enrollment secret. */
export async function enroll(options: EnrollOptions): Promise<Sallyport> {
  const opened = SessionTokenSchema.parse(
    await send(options.fetch ?? globalThis.fetch, options.url ?? DEFAULT_URL, {
      method: 'POST',
      path: '/session/new',
      body: {
        tenant_id: options.tenant ?? 'default',
        enrollment_secret: options.enrollmentSecret,
        ...(options.agent === undefined ? {} : { agent: options.agent }),
      },
    }),
  );
  return new Sallyport({ ...options, sessionToken: opened.session_token });
}

/** An agent's side of the gateway: what a session may do, and nothing that decides. */
export class Sallyport {
  readonly #url: string;
  readonly #token: string;
  readonly #fetch: Fetch;

  constructor(options: ClientOptions & { readonly sessionToken: string }) {
    this.#url = options.url ?? DEFAULT_URL;
    this.#token = options.sessionToken;
    this.#fetch = options.fetch ?? globalThis.fetch;
  }

  /** The token, for clients that need it themselves (`Proxy-Authorization`, the SSH password). */
  get sessionToken(): string {
    return this.#token;
  }

  async health(): Promise<Health> {
    return HealthSchema.parse(await this.#call({ method: 'GET', path: '/healthz' }));
  }

  /** Who this session is and until when. */
  async session(): Promise<OwnSession> {
    return OwnSessionSchema.parse(await this.#call({ method: 'GET', path: '/session' }));
  }

  /** Moves the expiry; the token stays the same. */
  async renew(): Promise<RenewedSession> {
    return RenewedSessionSchema.parse(await this.#call({ method: 'POST', path: '/session/renew' }));
  }

  /** Ends the session: its token is worthless from then on, and what it had pending is cancelled. */
  async end(): Promise<void> {
    await this.#call({ method: 'DELETE', path: '/session' });
  }

  #call(call: Omit<Call, 'token'>): Promise<unknown> {
    return send(this.#fetch, this.#url, { ...call, token: this.#token });
  }
}
