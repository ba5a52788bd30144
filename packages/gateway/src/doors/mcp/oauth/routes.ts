import { type JsonObject, SallyportError } from '@sallyport/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type App, boundSession, showOnce, toPublicError } from '../../../servers/index.ts';
import type { Caller, OAuthDoor } from './oauth-door.ts';
import type { OAuthAnswer } from './oauth-messages.ts';

/** What a client registers, and a form with a code, are small. */
const BODY_BYTES = 16 * 1024;
const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';
// No `sandbox`: it would stop the page from going on by itself.
const PAGE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Where a client that has no token learns how to ask for one; undefined: nowhere. */
export type TokenHint = (request: FastifyRequest) => string | undefined;

export interface OAuthRoutesParts {
  /** loaded when the first program asks for a session */
  readonly oauth: () => OAuthDoor | Promise<OAuthDoor>;
  readonly config: { readonly config: { readonly mcp: { readonly oauth: boolean } } };
  readonly tls?: object;
}

/**
 * How a client that knows the address alone asks for a session. Returns where it is told about that.
 *
 * SECURITY: every route is public, and none of them decides [ID-1, AP-2].
 */
export function oauthRoutes(root: App, { oauth, config, tls }: OAuthRoutesParts): TokenHint {
  const scheme = tls === undefined ? 'http' : 'https';
  // The Host header was checked: it names this gateway.
  const baseOf = ({ headers }: FastifyRequest): string => `${scheme}://${(headers.host ?? '').toLowerCase()}`;
  const callerOf = (request: FastifyRequest): Caller => ({
    base: baseOf(request),
    address: request.raw.socket.remoteAddress ?? 'unknown',
  });
  const isOffered = (request: FastifyRequest): boolean =>
    // A jail has the session that it was made for, and asks for no other.
    config.config.mcp.oauth && boundSession(request) === undefined;
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    if (!isOffered(request)) throw new SallyportError('NotFound');
  };
  const options = {
    ...{ onRequest, errorHandler, bodyLimit: BODY_BYTES },
    config: { public: true },
    schema: { hide: true },
  };
  for (const path of [RESOURCE, `${RESOURCE}/mcp`, `${RESOURCE}/mcp/:server`])
    root.get(path, options, async (request, reply) =>
      send(reply, { kind: 'json', status: 200, body: (await oauth()).protectedResource(callerOf(request)) }),
    );
  root.get(SERVER, options, async (request, reply) =>
    send(reply, { kind: 'json', status: 200, body: (await oauth()).authorizationServer(callerOf(request)) }),
  );
  root.post('/oauth/register', options, async (request, reply) =>
    send(reply, await (await oauth()).register(request.body, callerOf(request))),
  );
  root.get('/oauth/authorize', options, async (request, reply) =>
    send(reply, await (await oauth()).authorize(queryOf(request), callerOf(request))),
  );
  root.get('/oauth/wait', options, async (request, reply) =>
    send(reply, await (await oauth()).wait(queryOf(request))),
  );
  // A scope of its own: nowhere else on this side is a form read.
  root.register(async (app: FastifyInstance) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_BYTES },
      (_request, body, done) => done(null, body),
    );
    app.post('/oauth/token', options, async (request, reply) => {
      // SECURITY: public clients have no secret; one that comes in a header is not silently left out.
      if (request.headers.authorization !== undefined)
        throw new SallyportError('BadRequest', {
          message: 'clients have no secret here: send `client_id` alone',
        });
      return send(reply, await (await oauth()).token(request.body));
    });
  });
  return (request) => (isOffered(request) ? `${baseOf(request)}${RESOURCE}/mcp` : undefined);
}

function send(reply: FastifyReply, answer: OAuthAnswer): FastifyReply {
  switch (answer.kind) {
    case 'json':
      return sendJson(reply, answer.status, answer.body);
    case 'page':
      return reply
        .code(answer.status)
        .header('content-security-policy', PAGE_POLICY)
        .type('text/html; charset=utf-8')
        .send(answer.html);
    case 'redirect': {
      const url = new URL(answer.to);
      for (const [name, value] of Object.entries(answer.parameters)) url.searchParams.append(name, value);
      if (answer.code !== undefined) url.searchParams.append('code', showOnce(answer.code));
      return reply.code(303).header('location', url.href).send('');
    }
    case 'tokens':
      return sendJson(reply, 200, {
        access_token: showOnce(answer.access),
        token_type: 'Bearer',
        expires_in: answer.expiresInSeconds,
        refresh_token: showOnce(answer.refresh),
        scope: answer.scope,
      });
  }
}

function sendJson(reply: FastifyReply, status: number, body: JsonObject): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
}

/** What cannot be read is told as OAuth tells it; everything else as on other routes. */
function errorHandler(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, message, status } = toPublicError(error);
  if (code !== 'BadRequest' && code !== 'PayloadTooLarge' && code !== 'UnsupportedMediaType') throw error;
  return sendJson(reply, status, { error: 'invalid_request', error_description: message });
}

/** As it came: a parser of the framework would have chosen among doubled parameters. */
function queryOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? '';
  const border = url.indexOf('?');
  return border === -1 ? '' : url.slice(border + 1);
}
