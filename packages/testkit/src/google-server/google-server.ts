import { type KeyObject, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { closeServer, listenOnFreePort, readText, sendJson } from '../http-server.ts';
import { readRs256Jwt, rsaKeys } from '../rs256.ts';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const JWT_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const HOUR_S = 3_600;
/** how far a caller's clock may be off */
const SKEW_S = 300;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Google's token endpoint, the IAM credentials API, and an API that wants one of their tokens. */
export class GoogleServer implements AsyncDisposable {
  readonly url: string;
  readonly tokenUrl: string;
  /** tokens that were minted, and for whom */
  readonly tokens = new Map<string, string>();
  /** `source account → target account` that may be impersonated */
  readonly impersonations = new Set<string>();
  readonly calls: string[] = [];
  readonly #accounts = new Map<string, KeyObject>();
  readonly #refreshTokens = new Set<string>();
  readonly #server: Server;
  readonly #clock: { now(): number };

  private constructor(server: Server, port: number, clock: { now(): number }) {
    this.#server = server;
    this.#clock = clock;
    this.url = `http://127.0.0.1:${port}`;
    this.tokenUrl = `${this.url}/token`;
  }

  static async start(clock: { now(): number } = { now: () => Date.now() }): Promise<GoogleServer> {
    const box: { server?: GoogleServer } = {};
    const server = createServer(async (request, response) => {
      const answer = await box.server?.answer(request);
      if (answer !== undefined) sendJson(response, answer.status, answer.body);
    });
    box.server = new GoogleServer(server, await listenOnFreePort(server), clock);
    return box.server;
  }

  /** The JSON key of a new service account. */
  addServiceAccount(email: string): string {
    const { privateKey, publicKey } = rsaKeys(this.#accounts.size);
    this.#accounts.set(email, publicKey);
    return JSON.stringify({
      type: 'service_account',
      project_id: 'test',
      private_key_id: 'key-1',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: email,
      token_uri: TOKEN_URL,
    });
  }

  /** What `gcloud auth application-default login` leaves. */
  addUser(): string {
    const token = `1//${randomBytes(24).toString('base64url')}`;
    this.#refreshTokens.add(token);
    return JSON.stringify({
      type: 'authorized_user',
      client_id: 'client.apps.example.com',
      client_secret: 'not-a-secret',
      refresh_token: token,
    });
  }

  revoke(email: string): void {
    this.#accounts.delete(email);
  }

  async answer(request: IncomingMessage): Promise<Answer> {
    const text = await readText(request);
    const path = request.url ?? '';
    this.calls.push(path);
    return path === '/token' ? this.#token(new URLSearchParams(text)) : this.#api(path, request, text);
  }

  #token(form: URLSearchParams): Answer {
    if (form.get('grant_type') === 'refresh_token') {
      const known = this.#refreshTokens.has(form.get('refresh_token') ?? '');
      return known ? this.#mint('user') : refuse(400, 'invalid_grant');
    }
    if (form.get('grant_type') !== JWT_GRANT) return refuse(400, 'unsupported_grant_type');
    const assertion = form.get('assertion') ?? '';
    for (const [email, key] of this.#accounts) {
      const claims = readRs256Jwt(assertion, key);
      if (claims === undefined) continue;
      // Google's library reckons with the machine's clock, so that is what its claims are held against.
      const now = Date.now() / 1_000;
      const { iss, aud, scope, iat, exp } = claims;
      const inTime =
        typeof iat === 'number' && typeof exp === 'number' && iat <= now + SKEW_S && exp > now - SKEW_S;
      if (iss === email && aud === TOKEN_URL && typeof scope === 'string' && scope !== '' && inTime) {
        return exp - iat <= HOUR_S ? this.#mint(email) : refuse(400, 'invalid_grant');
      }
    }
    return refuse(400, 'invalid_grant');
  }

  #mint(whom: string): Answer {
    const token = `ya29.${randomBytes(32).toString('base64url')}`;
    this.tokens.set(token, whom);
    return { status: 200, body: { access_token: token, expires_in: HOUR_S - 1, token_type: 'Bearer' } };
  }

  #api(path: string, request: IncomingMessage, text: string): Answer {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const whom = this.tokens.get(token);
    if (whom === undefined) return refuse(401, `invalid token ${token}`);
    const [, target] = /^\/v1\/projects\/-\/serviceAccounts\/([^:/]+):generateAccessToken$/.exec(path) ?? [];
    if (target === undefined) return { status: 200, body: { who: whom } };
    // `as`: the shape that the API documents; each field is looked at.
    const asked = JSON.parse(text) as { scope?: unknown; lifetime?: unknown };
    const [, seconds] = /^(\d+)s$/.exec(String(asked.lifetime)) ?? [];
    if (!Array.isArray(asked.scope) || asked.scope.length === 0 || seconds === undefined) {
      return refuse(400, 'INVALID_ARGUMENT');
    }
    const account = decodeURIComponent(target);
    if (!this.impersonations.has(`${whom} → ${account}`)) {
      return refuse(403, `PERMISSION_DENIED for ${token}`);
    }
    const minted = `ya29.${randomBytes(32).toString('base64url')}`;
    this.tokens.set(minted, account);
    const expireTime = new Date(this.#clock.now() + Number(seconds) * 1_000).toISOString();
    return { status: 200, body: { accessToken: minted, expireTime } };
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function refuse(status: number, error: string): Answer {
  return { status, body: { error } };
}
