import type { JsonObject } from '@sallyport/protocol';
import type { McpServer } from '../../../executors/index.ts';
import { isObject, RPC, rpcError } from '../../../shared/json-rpc.ts';
import type { MethodCall, MethodParts } from './door-parts.ts';
import { askServer, maySeeOf, serverOf } from './server-methods.ts';

const PAGES_AT_MOST = 20;
const ITEMS_AT_MOST = 2_000;

type Capability = 'resources' | 'prompts' | 'logging' | 'completions';

/** Methods that ask every server, with the member of the answer that lists what they have. */
const LISTS = {
  'resources/list': { capability: 'resources', about: 'resources/read', member: 'resources' },
  'resources/templates/list': {
    capability: 'resources',
    about: 'resources/read',
    member: 'resourceTemplates',
  },
  'prompts/list': { capability: 'prompts', about: 'prompts/get', member: 'prompts' },
} as const;

/** Methods of clients that see all servers at once: prompts are named `server/prompt`, resources keep their URI. */
export async function askAllServers(call: MethodCall, parts: MethodParts): Promise<JsonObject> {
  const { method, params } = call;
  switch (method) {
    case 'resources/list':
    case 'resources/templates/list':
    case 'prompts/list':
      return listAll(method, call, parts);
    case 'prompts/get': {
      const { server, name } = named(params.name);
      return askServer(serverOf(server, call, parts), { ...call, params: { ...call.params, name } }, parts);
    }
    case 'completion/complete':
      return complete(call, parts);
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return askServer(await ownerOf(params.uri, call, parts), call, parts);
    case 'logging/setLevel':
      await Promise.allSettled(
        running('logging', call, parts).map((server) => askServer(server, call, parts)),
      );
      return {};
    // open: any method
    default:
      throw rpcError(RPC.methodNotFound, 'there is no such method here');
  }
}

function running(capability: Capability, { client }: MethodCall, { servers }: MethodParts) {
  return servers
    .ofTenant(client.owner.tenant)
    .filter(({ status, hello }) => status === 'Running' && hello?.capabilities[capability] !== undefined);
}

async function listAll(
  method: keyof typeof LISTS,
  call: MethodCall,
  parts: MethodParts,
): Promise<JsonObject> {
  const { capability, about, member } = LISTS[method];
  const asked = running(capability, call, parts).filter(({ name }) => maySeeOf(name, about, call, parts));
  // A server that fails has nothing to show; the others do.
  const lists = await Promise.allSettled(asked.map((server) => allOf(server, method, member, call)));
  const items = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
  return { [member]: items.slice(0, ITEMS_AT_MOST) };
}

/** On the gateway's own connection: to look around starts no server for each client. */
async function allOf(
  server: McpServer,
  method: keyof typeof LISTS,
  member: string,
  { exchange }: MethodCall,
): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_AT_MOST && found.length < ITEMS_AT_MOST; page += 1) {
    const params = cursor === undefined ? undefined : { cursor };
    const answer = await server.request(method, params, { signal: exchange.signal });
    const items = answer[member];
    if (Array.isArray(items)) found.push(...items.filter(isObject));
    if (typeof answer.nextCursor !== 'string' || answer.nextCursor === '') break;
    cursor = answer.nextCursor;
  }
  return member === 'prompts'
    ? found.map((prompt) => ({ ...prompt, name: `${server.name}/${String(prompt.name)}` }))
    : found;
}

function complete(call: MethodCall, parts: MethodParts): Promise<JsonObject> {
  const { ref } = call.params;
  if (!isObject(ref)) throw rpcError(RPC.invalidParams, 'there is nothing to complete');
  if (ref.type === 'ref/resource')
    return ownerOf(ref.uri, call, parts).then((server) => askServer(server, call, parts));
  const { server, name } = named(ref.name);
  const params = { ...call.params, ref: { ...ref, name } };
  return askServer(serverOf(server, call, parts), { ...call, params }, parts);
}

/** The server that lists a resource; else the only one whose templates begin like it. Throws `RpcError`. */
async function ownerOf(uri: unknown, call: MethodCall, parts: MethodParts): Promise<McpServer> {
  if (typeof uri !== 'string') throw rpcError(RPC.invalidParams, 'the URI of a resource is missing');
  const candidates = running('resources', call, parts).filter(({ name }) =>
    maySeeOf(name, 'resources/read', call, parts),
  );
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) return only;
  const having = await withResource(uri, candidates, 'resources/list', call);
  const owners =
    having.length > 0 ? having : await withResource(uri, candidates, 'resources/templates/list', call);
  const [owner, ...rivals] = owners;
  if (owner === undefined) throw rpcError(RPC.resourceNotFound, 'there is no such resource');
  // SECURITY: whose it is must not depend on who answers first.
  if (rivals.length > 0)
    throw rpcError(RPC.resourceNotFound, 'several servers have this resource: use `/mcp/SERVER`');
  return owner;
}

async function withResource(
  uri: string,
  servers: readonly McpServer[],
  method: 'resources/list' | 'resources/templates/list',
  call: MethodCall,
): Promise<readonly McpServer[]> {
  const { member } = LISTS[method];
  const lists = await Promise.allSettled(servers.map((server) => allOf(server, method, member, call)));
  return servers.filter((_server, index) => {
    const list = lists[index];
    return list?.status === 'fulfilled' && list.value.some((item) => isAbout(item, uri));
  });
}

function isAbout({ uri, uriTemplate }: JsonObject, wanted: string): boolean {
  if (typeof uriTemplate !== 'string') return uri === wanted;
  const fixed = uriTemplate.split('{', 1)[0] ?? '';
  return uriTemplate === wanted || (fixed !== '' && wanted.startsWith(fixed));
}

function named(name: unknown): { readonly server: string; readonly name: string } {
  const border = typeof name === 'string' ? name.indexOf('/') : -1;
  if (typeof name !== 'string' || border <= 0)
    throw rpcError(RPC.invalidParams, 'the name of a prompt is `server/prompt`');
  return { server: name.slice(0, border), name: name.slice(border + 1) };
}
