import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { closeServer, listenOnFreePort, readText, sendJson } from '../http-server.ts';

interface OauthClient {
  readonly id: string;
  readonly secret: string;
}

export interface OauthServerOptions {
  /** whether each use replaces the refresh token; the old one is dead from then on */
  readonly rotates?: boolean;
  /** life of an access token */
  readonly expiresInS?: number;
}

/** An OAuth token endpoint for the refresh token grant, with rotation as RFC 9700 advises. */
export class OauthServer implements AsyncDisposable {
  readonly tokenUrl: string;
  readonly client: OauthClient = { id: 'client:1', secret: 'p%ss:w+rd' };
  readonly accessTokens: string[] = [];
  /** status of each answer */
  readonly answers: number[] = [];
  /** how clients sent their secret */
  readonly clientAuth: ('basic' | 'body' | 'none')[] = [];
  readonly #options: OauthServerOptions;
  readonly #server: Server;
  readonly #refreshTokens = new Set<string>();

  private constructor(server: Server, port: number, options: OauthServerOptions) {
    this.#server = server;
    this.#options = options;
    this.tokenUrl = `http://127.0.0.1:${port}/token`;
  }

  static async start(options: OauthServerOptions = {}): Promise<OauthServer> {
    const box: { server?: OauthServer } = {};
    const server = createServer(async (request, response) => {
      const answer = await box.server?.answer(request);
      if (answer !== undefined) sendJson(response, answer.status, answer.body);
    });
    box.server = new OauthServer(server, await listenOnFreePort(server), options);
    return box.server;
  }

  /** A refresh token that is good. */
  issue(): string {
    const token = `rt-${randomBytes(24).toString('base64url')}`;
    this.#refreshTokens.add(token);
    return token;
  }

  isGood(refreshToken: string): boolean {
    return this.#refreshTokens.has(refreshToken);
  }

  revokeAll(): void {
    this.#refreshTokens.clear();
  }

  async answer(request: IncomingMessage): Promise<{ readonly status: number; readonly body: unknown }> {
    const answer = this.#refresh(request, new URLSearchParams(await readText(request)));
    this.answers.push(answer.status);
    return answer;
  }

  #refresh(
    request: IncomingMessage,
    form: URLSearchParams,
  ): { readonly status: number; readonly body: unknown } {
    if (!this.#isClient(request.headers.authorization, form)) {
      return { status: 401, body: { error: 'invalid_client' } };
    }
    if (form.get('grant_type') !== 'refresh_token') {
      return { status: 400, body: { error: 'unsupported_grant_type' } };
    }
    const given = form.get('refresh_token') ?? '';
    if (!this.#refreshTokens.has(given)) {
      const error_description = `refresh token ${given} is not valid`;
      return { status: 400, body: { error: 'invalid_grant', error_description } };
    }
    const token = `at-${randomBytes(24).toString('base64url')}`;
    this.accessTokens.push(token);
    const answer = {
      access_token: token,
      token_type: 'Bearer',
      expires_in: this.#options.expiresInS ?? 3_600,
    };
    if (this.#options.rotates === false) return { status: 200, body: answer };
    this.#refreshTokens.delete(given);
    return { status: 200, body: { ...answer, refresh_token: this.issue() } };
  }

  #isClient(authorization: string | undefined, form: URLSearchParams): boolean {
    const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1];
    if (basic !== undefined) {
      this.clientAuth.push('basic');
      const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
      return this.#matches(decode(id), decode(secret));
    }
    const secret = form.get('client_secret');
    this.clientAuth.push(secret === null ? 'none' : 'body');
    return form.get('client_id') === this.client.id && (secret === null || secret === this.client.secret);
  }

  #matches(id: string, secret: string): boolean {
    return id === this.client.id && secret === this.client.secret;
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
