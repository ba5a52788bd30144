import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { closeServer, listenOnFreePort } from '../http-server.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Token {
  expiresAt: number;
  readonly renewable: boolean;
}

interface Version {
  readonly data: Readonly<Record<string, unknown>>;
  readonly version: number;
}

const REFUSED: Answer = { status: 403, body: { errors: ['permission denied'] } };

/**
 * Speaks as much of Vault's and OpenBao's API as a reader of secrets needs, and refuses what the real one refuses: KV
 * version 2 with check-and-set, AppRole and Kubernetes logins, tokens with a lease that can be renewed or revoked.
 */
export class VaultServer implements AsyncDisposable {
  /** `METHOD path`, in the order of the calls */
  readonly calls: string[] = [];
  readonly namespaces: (string | undefined)[] = [];
  /** life of the tokens that a login gives, in s */
  leaseSeconds = 60;
  renewable = true;
  readonly #now: () => number;
  readonly #secrets = new Map<string, Version>();
  readonly #tokens = new Map<string, Token>();
  readonly #roles = new Map<string, string>();
  readonly #pods = new Map<string, string>();
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then((answer) => {
      if (answer === 'never') return;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
    });
  });
  #port = 0;
  #next: Answer | 'never' | undefined;

  private constructor(now: () => number) {
    this.#now = now;
  }

  static async start(now: () => number): Promise<VaultServer> {
    const server = new VaultServer(now);
    server.#port = await listenOnFreePort(server.#server);
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Stores a secret under `mount/path`. */
  put(path: string, data: Readonly<Record<string, unknown>>): void {
    this.#secrets.set(path, { data, version: (this.#secrets.get(path)?.version ?? 0) + 1 });
  }

  get(path: string): Readonly<Record<string, unknown>> | undefined {
    return this.#secrets.get(path)?.data;
  }

  /** A token that never expires, as an operator would make one. */
  addToken(token: string): void {
    this.#tokens.set(token, { expiresAt: Number.POSITIVE_INFINITY, renewable: false });
  }

  addRole(roleId: string, secretId: string): void {
    this.#roles.set(roleId, secretId);
  }

  addPod(role: string, jwt: string): void {
    this.#pods.set(role, jwt);
  }

  revokeAll(): void {
    this.#tokens.clear();
  }

  /** The next call is answered with this, or not at all. */
  answerNext(answer: Answer | 'never'): void {
    this.#next = answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeServer(this.#server);
  }

  async #answer(request: IncomingMessage): Promise<Answer | 'never'> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // a stream without encoding yields buffers
    const path = decodeURIComponent((request.url ?? '').replace(/^\/v1\//, ''));
    this.calls.push(`${request.method} ${path}`);
    this.namespaces.push(request.headers['x-vault-namespace']?.toString());
    const next = this.#next;
    this.#next = undefined;
    if (next !== undefined) return next;
    const text = Buffer.concat(chunks).toString('utf8');
    const body = text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>);
    if (request.method === 'POST' && path.startsWith('auth/')) return this.#auth(path, body, request);
    if (!this.#isAlive(request)) return REFUSED;
    const [, mount, key] = /^(.+?)\/data\/(.+)$/.exec(path) ?? [];
    if (mount === undefined) return { status: 404, body: { errors: [] } };
    return request.method === 'GET' ? this.#read(`${mount}/${key}`) : this.#write(`${mount}/${key}`, body);
  }

  #auth(path: string, body: Readonly<Record<string, unknown>>, request: IncomingMessage): Answer {
    if (path === 'auth/token/renew-self') {
      const token = this.#tokens.get(String(request.headers['x-vault-token']));
      if (token === undefined || !this.#isAlive(request) || !token.renewable) return REFUSED;
      return this.#grant(String(request.headers['x-vault-token']));
    }
    const isRole =
      path.startsWith('auth/approle') && body.secret_id === this.#roles.get(String(body.role_id));
    const isPod = path.startsWith('auth/kubernetes') && body.jwt === this.#pods.get(String(body.role));
    const named = isRole ? body.secret_id : isPod ? body.jwt : undefined;
    if (named === undefined)
      return { status: 400, body: { errors: [`invalid login ${JSON.stringify(body)}`] } };
    return this.#grant(`hvs.${randomBytes(24).toString('base64url')}`);
  }

  #grant(token: string): Answer {
    const { leaseSeconds, renewable } = this;
    this.#tokens.set(token, { expiresAt: this.#now() + leaseSeconds * 1000, renewable });
    return {
      status: 200,
      body: { auth: { client_token: token, lease_duration: leaseSeconds, renewable, policies: ['default'] } },
    };
  }

  #isAlive(request: IncomingMessage): boolean {
    const token = this.#tokens.get(String(request.headers['x-vault-token']));
    return token !== undefined && this.#now() < token.expiresAt;
  }

  #read(path: string): Answer {
    const found = this.#secrets.get(path);
    if (found === undefined) return { status: 404, body: { errors: [] } };
    return {
      status: 200,
      body: {
        lease_id: '',
        lease_duration: 0,
        renewable: false,
        data: { data: found.data, metadata: { version: found.version, destroyed: false } },
      },
    };
  }

  #write(path: string, body: Readonly<Record<string, unknown>>): Answer {
    const current = this.#secrets.get(path)?.version ?? 0;
    const { cas } = (body.options ?? {}) as { cas?: number };
    if (cas !== undefined && cas !== current) {
      return { status: 400, body: { errors: ['check-and-set parameter did not match the current version'] } };
    }
    this.put(path, body.data as Readonly<Record<string, unknown>>);
    return { status: 200, body: { data: { version: current + 1 } } };
  }
}
