import swagger from '@fastify/swagger';
import { SallyportError } from '@sallyport/protocol';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import type { ZodType } from 'zod';
import { AllowedMethods } from './allowed-methods.ts';
import { toPublicError } from './error-answer.ts';
import { explainForeignRequest } from './host-check.ts';
import {
  createHttpServer,
  DEFAULT_LIMITS,
  type HttpLimits,
  SECURITY_HEADERS,
  type TlsMaterial,
} from './http-server.ts';
import { parseJsonBody } from './json-parser.ts';

/** A Fastify instance whose schemas are zod. Every route file takes one. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** answered without a credential; a wrong one is still refused on the operator side */
    readonly public?: boolean;
    /** for the documentation of a route whose door reads the body itself: told, not checked here */
    readonly described?: { readonly body?: ZodType; readonly response?: Readonly<Record<number, ZodType>> };
  }
}

export interface BaseAppOptions {
  readonly side: 'agent' | 'operator';
  readonly version: string;
  /** names besides the loopback ones that the Host header may carry; read anew for each request */
  readonly allowedHosts: () => readonly string[];
  /** the cause of an `Internal` answer goes here, and nowhere else */
  readonly onInternalError: (error: unknown, request: { method: string; route: string }) => void;
  readonly onAnswered: (labels: { method: string; route: string; status: number }, seconds: number) => void;
  readonly limits?: Partial<HttpLimits>;
  readonly tls?: TlsMaterial;
}

/** The part that both sides share: limits, checks, errors, headers, documentation. No routes. */
export async function createBaseApp(options: BaseAppOptions): Promise<App> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const app: App = Fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 256 },
    serverFactory: (handler) => createHttpServer(handler, limits, options.tls),
    frameworkErrors: (error, _request, reply) => sendError(reply, toPublicError(error)),
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseJsonBody(body),
  );

  const methods = new AllowedMethods();
  methods.watch(app);
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.of(pathOf(request));
    if (allowed.length === 0) throw new SallyportError('NotFound');
    reply.header('allow', allowed.join(', '));
    throw new SallyportError('MethodNotAllowed', { details: { allowed } });
  });

  app.setErrorHandler((error, request, reply) => {
    const answer = toPublicError(error);
    if (answer.code === 'Internal') {
      options.onInternalError(error, { method: request.method, route: request.routeOptions.url ?? '' });
      // SECURITY: not even our own `Internal` tells more than the catalogue does.
      return sendError(reply, new SallyportError('Internal'));
    }
    return sendError(reply, answer);
  });

  const scheme = options.tls === undefined ? 'http' : 'https';
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    if (options.tls !== undefined) reply.header('strict-transport-security', 'max-age=31536000');
    refuseAmbiguous(request);
    const problem = explainForeignRequest(
      {
        host: sent(request, 'host'),
        origin: sent(request, 'origin'),
        fetchSite: sent(request, 'sec-fetch-site')[0],
      },
      { allowedHosts: options.allowedHosts(), scheme },
    );
    if (problem !== undefined) throw new SallyportError('HostNotAllowed', { message: problem });
  });

  app.addHook('onResponse', async (request, reply) => {
    // SECURITY: labels are ours, never the caller's: a made-up method or path must not grow the registry.
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const method = request.is404 ? 'any' : request.method;
    options.onAnswered({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `Sallyport, ${options.side} side`,
        description: 'Errors are `{"error":{"code","message","hint"?,"details"?}}` on every route.',
        version: options.version,
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }],
    },
    transform: (given) => {
      const { described } = given.route.config ?? {};
      return jsonSchemaTransform(
        described === undefined ? given : { ...given, schema: { ...given.schema, ...described } },
      );
    },
  });
  return app;
}

/** Answers with the one error shape. */
function sendError(reply: FastifyReply, error: SallyportError): FastifyReply {
  // A route may have said more about how to authenticate.
  if (error.code === 'NotAuthenticated' && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer realm="sallyport"');
  if (error.status === 429) reply.header('retry-after', String(error.details?.retry_after_seconds ?? 1));
  return reply
    .headers(SECURITY_HEADERS)
    .code(error.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(error.toBody());
}

/** A message that two readers could read differently is not read at all. */
function refuseAmbiguous(request: FastifyRequest): void {
  // SECURITY: the router would strip `http://name` and serve the path, past the Host check.
  if (!request.raw.url?.startsWith('/')) {
    throw new SallyportError('BadRequest', { message: 'the request target must be a path' });
  }
  for (const name of ['authorization', 'content-type', 'content-length']) {
    if (sent(request, name).length > 1) {
      throw new SallyportError('BadRequest', { message: `the header \`${name}\` was sent more than once` });
    }
  }
}

/** Every value of a header as it came; node keeps only the first of some. */
function sent(request: FastifyRequest, name: string): readonly string[] {
  return request.raw.headersDistinct[name] ?? [];
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? request.url;
}
