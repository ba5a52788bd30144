import {
  listOf,
  McpAcceptanceSchema,
  type McpChange,
  McpChangeSchema,
  McpServerSchema,
  type McpServerWire,
} from '@sallyport/protocol';
import { z } from 'zod';
import type { PendingChange, ServerState } from '../../executors/index.ts';
import { type App, operatorOf, type ServerControl, timestamp } from '../../servers/index.ts';

const NameParams = z.strictObject({ name: z.string().min(1).max(64) });

/** MCP servers: how they are, what they say differently than was accepted, and a person's word on it [TO-2]. */
export function mcpServersRoutes(app: App, servers: () => ServerControl | Promise<ServerControl>): void {
  app.get(
    '/v1/mcp-servers',
    {
      schema: {
        summary: 'MCP servers of the config, and how they are',
        response: { 200: listOf(McpServerSchema) },
      },
    },
    async () => ({ items: (await servers()).states().map(toWire), next_cursor: null }),
  );

  app.get(
    '/v1/mcp-servers/:name/changes',
    {
      schema: {
        summary: 'Definitions that have changed and wait for a person',
        params: NameParams,
        response: { 200: listOf(McpChangeSchema) },
      },
    },
    async ({ params: { name } }) => ({
      items: (await servers()).pending(name).map((change) => toChange(name, change)),
      next_cursor: null,
    }),
  );

  app.post(
    '/v1/mcp-servers/:name/accept',
    {
      schema: {
        summary: 'Accept definitions, by the hashes of what was shown',
        params: NameParams,
        body: McpAcceptanceSchema,
        response: { 200: listOf(McpChangeSchema) },
      },
    },
    async (request) => {
      const { name } = request.params;
      const accepted = await (await servers()).accept(name, request.body.changes, operatorOf(request));
      return { items: accepted.map((change) => toChange(name, change)), next_cursor: null };
    },
  );

  app.post(
    '/v1/mcp-servers/:name/restart',
    {
      schema: {
        summary: 'End a server and every connection to it, and start it anew',
        params: NameParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await (await servers()).restart(request.params.name);
      return reply.code(204).send(null);
    },
  );
}

function toWire(state: ServerState): McpServerWire {
  const { name, status, transport, tools, pending, restarts, clients, pid, lastError } = state;
  const { reads, offered, outdated } = state;
  return {
    ...{ name, status, transport, pending, restarts, clients },
    tools: [...tools],
    pid: pid ?? null,
    last_error: lastError ?? null,
    reads: {
      tools: [...reads],
      offered: offered === undefined ? null : toOffer(offered),
      outdated: [...outdated],
    },
  };
}

function toOffer({ preset, entry, tools, leftOut }: NonNullable<ServerState['offered']>) {
  return { preset, entry, tools: [...tools], left_out: leftOut.map((one) => ({ ...one })) };
}

function toChange(server: string, { kind, name, hash, at, before, after }: PendingChange): McpChange {
  // `as`: the wire's JSON is the same, without `readonly`.
  const plain = { before, after } as Pick<McpChange, 'before' | 'after'>;
  return { server, kind, name, hash, at: timestamp(at), ...plain };
}
