import type { SallyportError } from '@sallyport/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SessionFacts } from '../../identity/index.ts';
import { type App, sessionOf, toPublicError } from '../../servers/index.ts';
import type { HttpAnswer } from '../../shared/http-answer.ts';

export const MCP_BODY_BYTES = 4 * 1024 * 1024;
/** JSON-RPC: what came cannot be read */
const PARSE_ERROR = -32_700;

/** For the documentation alone: the door reads messages itself, and answers in the protocol. */
const MessageSchema = z
  .looseObject({ jsonrpc: z.literal('2.0'), id: z.union([z.string(), z.number()]).optional() })
  .describe('a JSON-RPC message of the Model Context Protocol, or a list of them');

/** One request to the MCP door. */
export interface McpCall {
  readonly session: SessionFacts;
  readonly server: string | undefined;
  readonly plainNames: boolean;
  readonly accept: string;
  readonly clientId: string | undefined;
  readonly protocolVersion: string | undefined;
  readonly lastEventId: string | undefined;
  readonly response: HttpAnswer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The MCP door behind these routes. */
export interface McpFront {
  post(call: McpCall, body: unknown): Promise<void>;
  listen(call: McpCall): void;
  remove(call: McpCall): void;
}

export interface McpRoutesParts {
  /** loaded with the first client */
  readonly mcp: () => McpFront | Promise<McpFront>;
}

/** Where a client that has no token learns how to ask for one; undefined: nowhere. */
export type TokenHint = (request: FastifyRequest) => string | undefined;

/** MCP over Streamable HTTP: `/mcp` with everything that an agent may use, `/mcp/SERVER` with one server alone. */
export function mcpRoutes(app: App, { mcp }: McpRoutesParts, hint: TokenHint = () => undefined): void {
  const handle =
    (answer: (front: McpFront, call: McpCall, body: unknown) => Promise<void> | void) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const found = mcp();
      const front = found instanceof Promise ? await found : found;
      const call = callOf(request, reply);
      reply.hijack();
      await answer(front, call, request.body);
      return reply;
    };
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const where = toPublicError(error).code === 'NotAuthenticated' ? hint(request) : undefined;
    if (where !== undefined) {
      // RFC 6750, 3.1: who sent nothing is told nothing about it.
      const wrong = request.headers.authorization === undefined ? '' : ', error="invalid_token"';
      reply.header('www-authenticate', `Bearer realm="sallyport"${wrong}, resource_metadata="${where}"`);
    }
    return answerUnread(error, reply);
  };
  const options = { bodyLimit: MCP_BODY_BYTES, errorHandler };
  for (const [path, what] of [
    ['/mcp', 'every tool that this agent may use'],
    ['/mcp/:server', 'one server alone'],
  ] as const) {
    app.post(
      path,
      {
        ...options,
        schema: { summary: `MCP over Streamable HTTP: ${what}` },
        config: { described: { body: MessageSchema, response: { 200: MessageSchema } } },
      },
      handle((front, call, body) => front.post(call, body)),
    );
    app.get(
      path,
      { ...options, schema: { summary: `MCP: listen for what the server says, ${what}` } },
      handle((front, call) => front.listen(call)),
    );
    app.delete(
      path,
      { ...options, schema: { summary: `MCP: end the client's session, ${what}` } },
      handle((front, call) => front.remove(call)),
    );
  }
}

function callOf(request: FastifyRequest, reply: FastifyReply): McpCall {
  const { headers } = request;
  const one = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  // `as`: parameters of these two paths, and whatever query came.
  const { server } = request.params as { readonly server?: string };
  const { names } = request.query as { readonly names?: unknown };
  return {
    session: sessionOf(request),
    server,
    plainNames: names === 'plain',
    accept: headers.accept ?? '',
    clientId: one('mcp-session-id'),
    protocolVersion: one('mcp-protocol-version'),
    lastEventId: one('last-event-id'),
    response: reply.raw,
    // `as`: only texts were set.
    headers: reply.getHeaders() as Readonly<Record<string, string>>,
  };
}

/** A body that cannot be read is answered in the protocol that its client speaks; everything else as on other routes. */
function answerUnread(error: unknown, reply: FastifyReply): FastifyReply {
  const known = toPublicError(error);
  const { code } = known;
  if (code !== 'BadRequest' && code !== 'PayloadTooLarge' && code !== 'UnsupportedMediaType') throw error;
  return reply
    .code(known.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(unreadBody(known));
}

/** That what came cannot be read, in JSON-RPC. */
export function unreadBody({ code, message }: SallyportError): object {
  return { jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message, data: { code } } };
}
