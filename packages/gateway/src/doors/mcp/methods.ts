import type { JsonObject } from '@sallyport/protocol';
import { askAllServers } from './all-servers.ts';
import type { MethodCall, MethodParts } from './door-parts.ts';
import { RPC, RpcProblem } from './json-rpc.ts';
import { askServer, serverOf } from './server-methods.ts';
import { callTool, listTools } from './tool-methods.ts';

/** Methods that pass to a server as they are. A method that is not here does not exist at this door. */
const PASSED: ReadonlySet<string> = new Set([
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
]);

/** The result of one request. Throws `RpcProblem`, `McpRpcError` or `SallyportError`. */
export function answerMethod(call: MethodCall, parts: MethodParts): JsonObject | Promise<JsonObject> {
  const { method, client } = call;
  const { server } = client.session.options;
  switch (method) {
    case 'tools/call':
      return callTool(call, parts);
    case 'tools/list':
      return listTools(call, parts);
    case 'ping':
      return {};
    default:
      if (!PASSED.has(method)) throw new RpcProblem(RPC.methodNotFound, 'there is no such method here');
      return server === undefined
        ? askAllServers(call, parts)
        : askServer(serverOf(server, call, parts), call, parts);
  }
}
