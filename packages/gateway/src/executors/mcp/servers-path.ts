import { type Actor, type JsonObject, SallyportError } from '@sallyport/protocol';
import { redeemPermit } from '../../shared/permit.ts';
import type { ToolJob, ToolListing, ToolPath, ToolResult } from '../tools/tool-path.ts';
import { isObject } from './connection.ts';
import { askServer, type McpServer } from './mcp-server.ts';
import type { McpPeer } from './peer.ts';

/** A call from an MCP client: on the client's own connection to the server. */
export interface McpToolJob extends ToolJob {
  readonly peer?: McpPeer;
  /** `_meta` of the client's request; its progress token is replaced */
  readonly meta?: JsonObject;
  /** comes back in `FromServer.context` while the call is under way */
  readonly context?: unknown;
}

/** A server and the name that it has for one of its tools. */
export interface ServerTool {
  readonly server: McpServer;
  readonly tool: string;
}

/** Whoever knows the servers that the config names. */
export interface ServerDirectory {
  /** servers that agents of this tenant may use */
  ofTenant(tenant: string): readonly McpServer[];
  /** Which tool a name stands for, accepted or not; undefined when it stands for none. */
  find(tool: string): ServerTool | undefined;
  /** By what name rules call it; undefined when another server has that name. */
  nameOf(server: string, tool: string): string | undefined;
}

/** Path 2: tools of MCP servers. Its results are data from outside [TO-9]; they are bounded and scrubbed on their way. */
export class ServersPath implements ToolPath {
  readonly kind = 'external';
  readonly #servers: ServerDirectory;

  constructor(servers: ServerDirectory) {
    this.#servers = servers;
  }

  tools(actor: Actor): readonly ToolListing[] {
    return this.#servers
      .ofTenant(actor.tenant)
      .filter(({ status }) => status === 'Running')
      .flatMap((server) =>
        [...server.catalogue.tools].flatMap(([name, definition]) => {
          const tool = this.#servers.nameOf(server.name, name);
          return tool === undefined ? [] : [listingOf(tool, definition)];
        }),
      );
  }

  /** Of accepted ones only: what is quarantined is not there until a person accepts it [TO-2]. */
  knows(tool: string): boolean {
    const found = this.#servers.find(tool);
    return found?.server.catalogue.tools.has(found.tool) === true;
  }

  /**
   * Rejects with `ToolNotFound`, `ToolQuarantined`, what `McpServer.request` rejects with, or `UpstreamBroken` for a
   * result that is none.
   */
  async run(job: McpToolJob): Promise<ToolResult> {
    const { action, verdict, signal, onProgress, peer, meta, context } = job;
    redeemPermit(verdict, action);
    const found = this.#servers.find(action.tool);
    const isTenants =
      found !== undefined && this.#servers.ofTenant(action.actor.tenant).includes(found.server);
    if (found === undefined || !isTenants) throw notFound(action.tool);
    const { server, tool } = found;
    // SECURITY: asked again here, because people may have been asked for a while since the gate looked [TO-2].
    if (!server.catalogue.tools.has(tool)) {
      if (server.catalogue.isQuarantined(tool))
        throw new SallyportError('ToolQuarantined', {
          message: `the definition of \`${action.tool}\` has changed, and nobody has accepted the change`,
        });
      throw notFound(action.tool);
    }
    const params = {
      name: tool,
      arguments: action.input,
      ...(meta === undefined ? {} : { _meta: meta }),
    };
    return resultOf(
      await askServer(server, 'tools/call', params, { signal, onProgress, peer, context }),
      server.name,
    );
  }
}

function listingOf(tool: string, definition: JsonObject): ToolListing {
  const { title, description, inputSchema, outputSchema, annotations } = definition;
  return {
    tool,
    ...(typeof title === 'string' ? { title } : {}),
    description: typeof description === 'string' ? description : '',
    inputSchema: isObject(inputSchema) ? inputSchema : {},
    ...(isObject(outputSchema) ? { outputSchema } : {}),
    ...(isObject(annotations) ? { annotations } : {}),
  };
}

function resultOf(answer: JsonObject, server: string): ToolResult {
  const { content = [], structuredContent, isError, _meta } = answer;
  if (!Array.isArray(content) || !content.every(isObject))
    throw new SallyportError('UpstreamBroken', {
      message: `the tool server \`${server}\` gave a result that is none`,
    });
  return {
    content,
    ...(isObject(structuredContent) ? { structuredContent } : {}),
    isError: isError === true,
    ...(isObject(_meta) ? { meta: _meta } : {}),
  };
}

function notFound(tool: string): SallyportError {
  return new SallyportError('ToolNotFound', { message: `no router knows \`${tool}\`` });
}
