import { randomBytes } from 'node:crypto';
import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { AttemptLimiter, attemptSpace } from '../../../identity/index.ts';
import { escapeHtml, visibleText } from '../../../shared/visible-text.ts';
import { Authorizations } from './authorizations.ts';
import { type AuthorizeRequest, parseAuthorize } from './authorize-request.ts';
import { ClientIds, type OAuthClient } from './client-ids.ts';
import { Codes } from './codes.ts';
import { Families } from './families.ts';
import { authorizationServer, protectedResource } from './metadata.ts';
import { type OAuthAnswer, oauthError, parseParameters } from './oauth-messages.ts';
import type { OAuthParts } from './oauth-parts.ts';
import { register } from './registration.ts';
import { TokenRequests } from './token-requests.ts';

const SWEEP_MS = 1_000;
const REGISTRATIONS_PER_MINUTE = 30;
const REFUSALS_PER_MINUTE = 30;
const ID_BYTES = 32;

/** Where a request comes from. */
export interface Caller {
  /** scheme and host that it knows us by */
  readonly base: string;
  readonly address: string;
}

/**
 * OAuth for the MCP door: a program that knows the address alone asks for a session, and a person says yes or no.
 *
 * SECURITY: nothing here decides. Agents reach this listener, so whatever a page of it could press, an agent could
 * [AP-2, AP-3]; every yes comes through the gate, from a person's channel.
 */
export class OAuthDoor {
  readonly #parts: OAuthParts;
  readonly #clients: ClientIds;
  readonly #authorizations: Authorizations;
  readonly #codes: Codes;
  readonly #families: Families;
  readonly #tokens: TokenRequests;
  /** So that a flood leaves some lines in the trail, and not a million. */
  readonly #registrations: AttemptLimiter;
  readonly #refusals: AttemptLimiter;

  constructor(parts: OAuthParts) {
    const { clock, stopping } = parts;
    this.#parts = parts;
    this.#clients = new ClientIds(parts.key);
    this.#authorizations = new Authorizations(parts);
    this.#codes = new Codes(clock);
    this.#families = new Families(parts.sessions, clock);
    this.#tokens = new TokenRequests(parts, this.#codes, this.#families);
    const perMinute = (name: string, failures: number): AttemptLimiter => {
      const limit = { failures, windowMs: 60_000, maxKeys: 10 };
      return new AttemptLimiter(limit, clock, parts.coordination.counters(attemptSpace(name, limit)));
    };
    this.#registrations = perMinute('oauth.registrations', REGISTRATIONS_PER_MINUTE);
    this.#refusals = perMinute('oauth.refusals', REFUSALS_PER_MINUTE);
    const timer = setInterval(() => void this.sweep().catch(parts.onProblem), SWEEP_MS).unref();
    stopping.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  protectedResource({ base }: Caller): JsonObject {
    return protectedResource(base);
  }

  authorizationServer({ base }: Caller): JsonObject {
    return authorizationServer(base);
  }

  async register(metadata: unknown, { address }: Caller): Promise<OAuthAnswer> {
    if (!(await this.#registrations.fail('all')))
      throw new SallyportError('TooManyRequests', { message: 'too many programs register' });
    const result = register(metadata, this.#clients);
    if (result.kind === 'refused') {
      await this.#refused('register', result.error, undefined);
      return oauthError(result.error, result.description);
    }
    const { client, answer } = result;
    await this.#parts.trail.append({
      tenant: this.#parts.tenant,
      type: 'OAuthEvent::ClientRegistered',
      actor: { kind: 'client', client: client.label },
      data: { name: client.name, redirect_uris: [...client.redirectUris], remote_address: address },
    });
    return { kind: 'json', status: 201, body: answer };
  }

  async authorize(query: string, { base, address }: Caller): Promise<OAuthAnswer> {
    const parsed = parseAuthorize(query, base, this.#clients);
    if (parsed.kind === 'untold') {
      await this.#refused('authorize', 'invalid_request', undefined);
      return { kind: 'page', status: 400, html: problemPage(parsed.problem) };
    }
    if (parsed.kind === 'told') {
      const { to, state, error, description } = parsed;
      await this.#refused('authorize', error, parsed.client.label);
      return { kind: 'redirect', to, parameters: answerOf({ state, issuer: base }, error, description) };
    }
    const { request } = parsed;
    const principal = this.#parts.principalOf(request.agent);
    if (principal === undefined) {
      await this.#refused('authorize', 'invalid_scope', request.client.label);
      const parameters = answerOf(request, 'invalid_scope', 'there is no such agent, or nobody to act for');
      return { kind: 'redirect', to: request.redirectUri, parameters };
    }
    const id = randomBytes(ID_BYTES).toString('base64url');
    await this.#authorizations.begin(request, principal, { id, from: address });
    // Another address: who loads the page again must not ask people again.
    return { kind: 'redirect', to: `${base}/oauth/wait`, parameters: { id } };
  }

  /** The page while people are asked; the way back to the program, once, when they have answered. */
  async wait(query: string): Promise<OAuthAnswer> {
    const id = parseParameters(query)?.get('id') ?? '';
    const pending = this.#authorizations.find(id);
    if (pending === undefined)
      return {
        kind: 'page',
        status: 404,
        html: problemPage('This request is over. Begin again in the program.'),
      };
    const { request, shortCode, state } = pending;
    if (state.kind === 'waiting') {
      const html = waitingPage(shortCode, request.client.name, `/oauth/wait?id=${id}`);
      return { kind: 'page', status: 200, html };
    }
    this.#authorizations.take(id);
    const to = request.redirectUri;
    if (state.kind === 'granted') {
      const code = this.#codes.issue(state.granted);
      if (code !== undefined) return { kind: 'redirect', to, parameters: answerOf(request), code };
      await this.#tokens.discard(state.granted.opened.session.id, 'too many codes');
    }
    const error = state.kind === 'refused' ? state.error : 'temporarily_unavailable';
    await this.#refused('authorize', error, request.client.label);
    return { kind: 'redirect', to, parameters: answerOf(request, error, 'access was not given') };
  }

  async token(body: unknown): Promise<OAuthAnswer> {
    const form = typeof body === 'string' ? parseParameters(body) : undefined;
    if (form === undefined)
      return oauthError('invalid_request', 'send a form, in which each parameter comes once');
    const client = this.#clients.read(form.get('client_id') ?? '');
    if (client === undefined || form.has('client_secret')) {
      await this.#refused('token', 'invalid_client', undefined);
      return oauthError('invalid_client', 'this program is not registered here', 401);
    }
    const answer = await this.#exchange(form, client);
    if (answer.kind === 'json') await this.#refused('token', String(answer.body.error), client.label);
    return answer;
  }

  /** Ends what nobody came for, and what is over. Runs every second by itself. */
  async sweep(): Promise<void> {
    const lost = [...this.#authorizations.sweep(), ...this.#codes.sweep()];
    const over = this.#families.sweep();
    const endings = [
      ...lost.map(({ opened }) => this.#tokens.discard(opened.session.id, 'nobody came for its token')),
      ...over.map((family) => this.#tokens.revoke(family, 'the time that a person gave is over')),
    ];
    for (const result of await Promise.allSettled(endings))
      if (result.status === 'rejected') throw result.reason;
  }

  async #exchange(form: ReadonlyMap<string, string>, client: OAuthClient): Promise<OAuthAnswer> {
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return this.#tokens.redeemCode(form, client);
      case 'refresh_token':
        return this.#tokens.refresh(form, client);
      // open: what a client sent
      default:
        return oauthError('unsupported_grant_type', '`authorization_code` or `refresh_token`');
    }
  }

  async #refused(attempt: string, error: string, client: string | undefined): Promise<void> {
    if (!(await this.#refusals.fail(attempt))) return;
    await this.#parts.trail.append({
      tenant: this.#parts.tenant,
      type: 'OAuthEvent::Refused',
      actor: client === undefined ? { kind: 'agent' } : { kind: 'client', client },
      data: { attempt, error },
    });
  }
}

/** What goes back to the program beside the code. `iss` tells it whose answer it is (RFC 9207). */
function answerOf(
  { state, issuer }: Pick<AuthorizeRequest, 'state' | 'issuer'>,
  error?: string,
  description?: string,
): Readonly<Record<string, string>> {
  return {
    ...(error === undefined ? {} : { error }),
    ...(description === undefined ? {} : { error_description: description }),
    ...(state === undefined ? {} : { state }),
    iss: issuer,
  };
}

const REFRESH_SECONDS = 2;

/** Shown while people are asked: no script, no form, nothing to press. SECURITY: an agent can open it, too. */
function waitingPage(shortCode: string, clientName: string, next: string): string {
  return page(
    `<meta http-equiv="refresh" content="${REFRESH_SECONDS};url=${escapeHtml(next)}">`,
    `<h1>Waiting for a person</h1>
<p>The program <b>${escapeHtml(visibleText(clientName))}</b> wants to work through Sallyport.</p>
<p>The question carries this code: <b>${escapeHtml(shortCode)}</b></p>
<p>Answer it on your channel, or run <code>sallyport watch</code>. Say no to any other code.
This page goes on by itself.</p>`,
  );
}

/** The end of a request that has nowhere to go on. */
function problemPage(problem: string): string {
  return page('', `<h1>This does not go on</h1>\n<p>${escapeHtml(problem)}</p>`);
}

function page(head: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sallyport</title>${head}</head>
<body>
${body}
</body></html>
`;
}
