import { type KeyObject, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { closeServer, listenOnFreePort, readText, sendJson } from '../http-server.ts';
import { readRs256Jwt, rsaKeys } from '../rs256.ts';

/** GitHub takes no JWT that lives longer. */
const LONGEST_JWT_S = 600;
const HOUR_MS = 3_600_000;

interface App {
  readonly id: number;
  readonly key: KeyObject;
  readonly installations: Set<number>;
}

interface Token {
  readonly installation: number;
  readonly expiresAt: number;
  readonly repositories: unknown;
  readonly permissions: unknown;
}

/** GitHub's API as far as an App needs it: tokens of installations, and something to use them on. */
export class GithubAppServer implements AsyncDisposable {
  readonly url: string;
  readonly tokens = new Map<string, Token>();
  readonly calls: string[] = [];
  readonly #apps: App[] = [];
  readonly #server: Server;
  readonly #clock: { now(): number };

  private constructor(server: Server, port: number, clock: { now(): number }) {
    this.#server = server;
    this.#clock = clock;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(clock: { now(): number } = { now: () => Date.now() }): Promise<GithubAppServer> {
    const box: { server?: GithubAppServer } = {};
    const server = createServer(async (request, response) => {
      const answer = await box.server?.answer(request);
      if (answer !== undefined) sendJson(response, answer.status, answer.body);
    });
    box.server = new GithubAppServer(server, await listenOnFreePort(server), clock);
    return box.server;
  }

  /** The private key of a new app, as GitHub hands it out (PKCS #1). */
  addApp(id: number, installations: readonly number[]): string {
    const { privateKey, publicKey } = rsaKeys(this.#apps.length);
    this.#apps.push({ id, key: publicKey, installations: new Set(installations) });
    return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  }

  uninstall(installation: number): void {
    for (const app of this.#apps) app.installations.delete(installation);
  }

  async answer(request: IncomingMessage): Promise<{ readonly status: number; readonly body: unknown }> {
    const text = await readText(request);
    this.calls.push(`${request.method} ${request.url}`);
    const [, installation] = /^\/app\/installations\/(\d+)\/access_tokens$/.exec(request.url ?? '') ?? [];
    if (installation !== undefined && request.method === 'POST') {
      return this.#createToken(request, Number(installation), text === '' ? {} : JSON.parse(text));
    }
    return this.#useToken(request);
  }

  #createToken(
    request: IncomingMessage,
    installation: number,
    asked: { repositories?: unknown; permissions?: unknown },
  ): { readonly status: number; readonly body: unknown } {
    const jwt = /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const app = this.#apps.find((known) => this.#isOf(known, jwt));
    if (app === undefined) {
      return { status: 401, body: { message: `A JSON web token could not be decoded: ${jwt}` } };
    }
    if (!app.installations.has(installation)) return { status: 404, body: { message: 'Not Found' } };
    const token = `ghs_${randomBytes(18).toString('hex')}`;
    const expiresAt = Math.floor((this.#clock.now() + HOUR_MS) / 1_000) * 1_000;
    const { repositories, permissions } = asked;
    this.tokens.set(token, { installation, expiresAt, repositories, permissions });
    const expires_at = new Date(expiresAt).toISOString().replace('.000Z', 'Z');
    return { status: 201, body: { token, expires_at, permissions: {}, repository_selection: 'all' } };
  }

  #isOf(app: App, jwt: string): boolean {
    const claims = readRs256Jwt(jwt, app.key);
    if (claims === undefined) return false;
    const now = this.#clock.now() / 1_000;
    const { iss, iat, exp } = claims;
    if (typeof iat !== 'number' || typeof exp !== 'number' || String(iss) !== String(app.id)) return false;
    return iat <= now + 5 && exp > now && exp - now <= LONGEST_JWT_S;
  }

  /** The API takes a bearer token, git over HTTPS a user and a password. */
  #useToken(request: IncomingMessage): { readonly status: number; readonly body: unknown } {
    const auth = request.headers.authorization ?? '';
    const basic = /^Basic (.+)$/.exec(auth)?.[1];
    const pair = basic === undefined ? '' : Buffer.from(basic, 'base64').toString();
    const isGit = (request.url ?? '').includes('/info/refs');
    const given = isGit ? /^x-access-token:(.+)$/.exec(pair)?.[1] : /^Bearer (.+)$/.exec(auth)?.[1];
    const token = this.tokens.get(given ?? '');
    if (token === undefined || token.expiresAt <= this.#clock.now()) {
      return { status: 401, body: { message: 'Bad credentials' } };
    }
    return { status: 200, body: { installation: token.installation } };
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
