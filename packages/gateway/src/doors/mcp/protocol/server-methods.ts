import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { actorOf, type ServerReadMethod } from '../../../calls/index.ts';
import type { McpServer } from '../../../executors/index.ts';
import { isObject, RPC, rpcError } from '../../../shared/json-rpc.ts';
import type { MethodCall, MethodParts } from './door-parts.ts';
import { progressTokenOf, Wait } from './patience.ts';
import { refusalProblem } from './tool-call.ts';

/** What servers are asked that is neither a tool nor the handshake, and the reading that it belongs to. */
const ABOUT: Readonly<Record<string, ServerReadMethod | undefined>> = {
  'resources/list': 'resources/read',
  'resources/templates/list': 'resources/read',
  'resources/read': 'resources/read',
  'resources/subscribe': 'resources/read',
  'resources/unsubscribe': 'resources/read',
  'prompts/list': 'prompts/get',
  'prompts/get': 'prompts/get',
};

/** What an agent that may not see any of it is told. */
const NOTHING: Readonly<Record<string, JsonObject>> = {
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'prompts/list': { prompts: [] },
};

/** Whether the agent may see resources, or prompts, of this server [TO-1]. */
export function maySeeOf(
  server: string,
  about: ServerReadMethod,
  { client }: MethodCall,
  { calls }: MethodParts,
): boolean {
  return calls.maySee(actorOf(client.owner), `mcp:${server}/${about}`);
}

/** Passes a method on to one server, on this client's own connection to it. */
export async function askServer(
  server: McpServer,
  call: MethodCall,
  parts: MethodParts,
): Promise<JsonObject> {
  const { method, params } = call;
  const about = method === 'completion/complete' ? aboutCompletion(params) : ABOUT[method];
  if (about !== undefined && !maySeeOf(server.name, about, call, parts)) {
    const nothing = NOTHING[method];
    if (nothing !== undefined) return nothing;
    if (method !== 'resources/read' && method !== 'prompts/get')
      throw rpcError(RPC.resourceNotFound, 'there is nothing here that this agent may see');
  }
  if (method === 'resources/read' || method === 'prompts/get') return readServer(server, method, call, parts);
  return passOn(server, method, params, call);
}

function aboutCompletion({ ref }: JsonObject): ServerReadMethod {
  return isObject(ref) && ref.type === 'ref/resource' ? 'resources/read' : 'prompts/get';
}

/** SECURITY: what comes back enters a model: the gate is asked about each of them [GA-1]. */
async function readServer(
  server: McpServer,
  method: ServerReadMethod,
  call: MethodCall,
  { calls, patienceMs }: MethodParts,
): Promise<JsonObject> {
  const { client, exchange, params } = call;
  const { _meta: meta, ...input } = params;
  const token = progressTokenOf(params);
  let wait: Wait | undefined;
  const outcome = await calls.read({
    door: 'mcp',
    actor: actorOf(client.owner),
    server: server.name,
    method,
    input,
    signal: exchange.signal,
    onAsked: (approval) => {
      // There is no way to come back for it, so nobody is let go: the approval's own time limit ends it.
      const options = { client, exchange, token, patienceMs: patienceMs() };
      wait = new Wait(options, approval, () => {});
    },
    run: (admitted) =>
      passOn(server, method, meta === undefined ? admitted : { ...admitted, _meta: meta }, call),
  });
  wait?.end();
  if (outcome.kind === 'done') return outcome.result;
  if (outcome.kind === 'failed' && outcome.answered !== undefined) {
    const { code, message, data } = outcome.answered;
    throw rpcError(code, message, data);
  }
  throw refusalProblem(outcome.refusal);
}

function passOn(
  server: McpServer,
  method: string,
  params: JsonObject,
  { client, exchange }: MethodCall,
): Promise<JsonObject> {
  const token = progressTokenOf(params);
  const onProgress = (progress: JsonObject): void =>
    client.notify('notifications/progress', { ...progress, progressToken: token ?? '' }, exchange);
  return server.request(method, withoutToken(params), {
    peer: client,
    signal: exchange.signal,
    context: exchange,
    ...(token === undefined ? {} : { onProgress }),
  });
}

/** The token is between the client and us: the server gets one of the gateway's own. */
function withoutToken(params: JsonObject): JsonObject {
  const { _meta: meta, ...rest } = params;
  if (!isObject(meta)) return params;
  const { progressToken: _token, ...others } = meta;
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others };
}

/** A running server of the client's tenant. Throws `RpcError`. */
export function serverOf(name: string, { client }: MethodCall, { servers }: MethodParts): McpServer {
  const server = servers.ofTenant(client.owner.tenant).find((one) => one.name === name);
  if (server !== undefined) return server;
  throw new SallyportError('NotFound', { message: `there is no MCP server \`${name}\`` });
}
