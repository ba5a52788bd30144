import { ACCESS, AccessRequestSchema, type JsonObject } from '@sallyport/protocol';
import { z } from 'zod';
import { actorOf, plainNames, shownName, WAIT_TOOL } from '../../../calls/index.ts';
import type { MethodCall, MethodParts } from './door-parts.ts';
import type { McpClient } from './mcp-client.ts';

const WAIT_LISTING: JsonObject = {
  name: WAIT_TOOL,
  description:
    'Waits for the answer of a person to a call that returned `ApprovalPending`, and gives the result of that call. ' +
    'Call it again when it returns `ApprovalPending` itself.',
  inputSchema: {
    type: 'object',
    properties: {
      approval_id: { type: 'string', description: 'the `approval_id` of the pending call: `appr_…`' },
    },
    required: ['approval_id'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

const ACCESS_LISTING: JsonObject = {
  name: ACCESS.tool,
  description:
    'Asks a person once for everything that a task will need, before you begin: one line for each operation on one object, by ' +
    'the names that questions and refusals use. A yes holds for this session. Ask for what you will need, and nothing more.',
  // A schema is JSON.
  inputSchema: z.toJSONSchema(AccessRequestSchema, { io: 'input' }) as JsonObject,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
};

/** `tools/list`: what this agent may see, and nothing else [TO-1]. */
export function listTools({ client }: MethodCall, parts: MethodParts): JsonObject {
  const { owner, options } = client;
  const actor = actorOf(owner);
  if (options.server !== undefined) return { tools: ownTools(options.server, client, parts) };
  const visible = parts.calls.visible(actor);
  const names = options.plainNames ? invert(plainNames(visible)) : undefined;
  const tools = visible.map(({ tool, ...listing }) => ({
    name: names?.get(tool) ?? shownName(tool),
    ...listing,
  }));
  return {
    tools: [...tools, ...(parts.calls.maySee(actor, ACCESS.tool) ? [ACCESS_LISTING] : []), WAIT_LISTING],
  };
}

/** One server's accepted tools, whole and under its own names. */
function ownTools(name: string, client: McpClient, { calls, servers }: MethodParts): readonly JsonObject[] {
  const server = servers.get(name);
  if (server === undefined || server.status !== 'Running') return [];
  const actor = actorOf(client.owner);
  return [...server.catalogue.tools]
    .filter(([tool]) => {
      const rule = servers.nameOf(name, tool);
      return rule !== undefined && calls.maySee(actor, rule);
    })
    .map(([, definition]) => definition);
}

function invert(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...names].map(([name, tool]) => [tool, name]));
}
