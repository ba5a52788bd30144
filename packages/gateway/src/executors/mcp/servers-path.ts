import { type Actor, type JsonObject, SallyportError } from '@sallyport/protocol';
import { isObject } from '../../shared/json-rpc.ts';
import type { ToolListing, ToolPath, ToolResult } from '../tools/tool-path.ts';
import type { McpServer, McpToolJob } from './mcp-server.ts';

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
    const { action } = job;
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
    return resultOf(await server.callTool(tool, job), server.name);
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

/** The answer itself, when it is a result; what is no part of one is left out. */
function resultOf(answer: JsonObject, server: string): ToolResult {
  const { content = [], structuredContent, isError, _meta, ...rest } = answer;
  if (!Array.isArray(content) || !content.every(isObject))
    throw new SallyportError('UpstreamBroken', {
      message: `the tool server \`${server}\` gave a result that is none`,
    });
  if (isResult(answer)) return answer;
  return {
    ...rest,
    content,
    ...(isObject(structuredContent) ? { structuredContent } : {}),
    ...(isError === true ? { isError } : {}),
    ...(isObject(_meta) ? { _meta } : {}),
  };
}

function isResult(answer: JsonObject): answer is JsonObject & ToolResult {
  const { content, structuredContent, isError, _meta } = answer;
  return (
    Array.isArray(content) &&
    (structuredContent === undefined || isObject(structuredContent)) &&
    (isError === undefined || typeof isError === 'boolean') &&
    (_meta === undefined || isObject(_meta))
  );
}

function notFound(tool: string): SallyportError {
  return new SallyportError('ToolNotFound', { message: `no router knows \`${tool}\`` });
}
