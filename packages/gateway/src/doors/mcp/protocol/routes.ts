import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type App, sessionOf, toPublicError } from '../../../servers/index.ts';
import type { TokenHint } from '../oauth/routes.ts';
import type { McpCall } from './door-parts.ts';
import { errorText, unreadable } from './json-rpc.ts';
import type { McpDoor } from './mcp-door.ts';

export const MCP_BODY_BYTES = 4 * 1024 * 1024;

/** For the documentation alone: the door reads messages itself, and answers in the protocol. */
const MessageSchema = z
  .looseObject({ jsonrpc: z.literal('2.0'), id: z.union([z.string(), z.number()]).optional() })
  .describe('a JSON-RPC message of the Model Context Protocol, or a list of them');

/** The door, loaded with the first client. */
export type OpenMcp = () => McpDoor | Promise<McpDoor>;

/** MCP over Streamable HTTP: `/mcp` with everything that an agent may use, `/mcp/SERVER` with one server alone. */
export function mcpRoutes(app: App, mcp: OpenMcp, hint: TokenHint): void {
  const handle =
    (answer: (door: McpDoor, call: McpCall, body: Uint8Array) => Promise<void> | void) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const found = mcp();
      const door = found instanceof Promise ? await found : found;
      const call = callOf(request, reply);
      reply.hijack();
      await answer(door, call, request.body instanceof Uint8Array ? request.body : new Uint8Array());
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
  app.register(async (routes: App) => {
    // The door reads messages itself, as it does those that come to it without these routes.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    for (const [path, what] of [
      ['/mcp', 'every tool that this agent may use'],
      ['/mcp/:server', 'one server alone'],
    ] as const) {
      routes.post(
        path,
        {
          ...options,
          schema: { summary: `MCP over Streamable HTTP: ${what}` },
          config: { described: { body: MessageSchema, response: { 200: MessageSchema } } },
        },
        handle((door, call, body) => door.post(call, body)),
      );
      routes.get(
        path,
        { ...options, schema: { summary: `MCP: listen for what the server says, ${what}` } },
        handle((door, call) => door.listen(call)),
      );
      routes.delete(
        path,
        { ...options, schema: { summary: `MCP: end the client's session, ${what}` } },
        handle((door, call) => door.remove(call)),
      );
    }
  });
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

/** A body that did not arrive is answered in the protocol that its client speaks; everything else as on other routes. */
function answerUnread(error: unknown, reply: FastifyReply): FastifyReply {
  const known = toPublicError(error);
  const { code } = known;
  if (code !== 'BadRequest' && code !== 'PayloadTooLarge' && code !== 'UnsupportedMediaType') throw error;
  return reply
    .code(known.status)
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(errorText(null, unreadable(known)));
}
