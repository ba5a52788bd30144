import type { JsonObject } from '@sallyport/protocol';
import { actorOf, plainNames, ruleName, shownName, type ToolOutcome, WAIT_TOOL } from '../../calls/index.ts';
import { callResult, pendingResult } from './call-results.ts';
import type { Client, MethodCall, MethodParts } from './door-parts.ts';
import { isObject, RPC, RpcProblem } from './json-rpc.ts';
import { progressTokenOf, Wait } from './patience.ts';
import { WAIT_LISTING, waitForApproval } from './wait-for-approval.ts';

/** `tools/list`: what this agent may see, and nothing else [TO-1]. */
export function listTools({ client }: MethodCall, parts: MethodParts): JsonObject {
  const { owner, options } = client.session;
  const actor = actorOf(owner);
  if (options.server !== undefined) return { tools: ownTools(options.server, client, parts) };
  const visible = parts.calls.visible(actor);
  const names = options.plainNames ? invert(plainNames(visible)) : undefined;
  const tools = visible.map(({ tool, ...listing }) => ({
    name: names?.get(tool) ?? shownName(tool),
    ...listing,
  }));
  return { tools: [...tools, WAIT_LISTING] };
}

/** One server's accepted tools, whole and under its own names. */
function ownTools(name: string, { session }: Client, { calls, servers }: MethodParts): readonly JsonObject[] {
  const server = servers.get(name);
  if (server === undefined || server.status !== 'Running') return [];
  const actor = actorOf(session.owner);
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

/** `tools/call`. A tool that may not be seen goes to the gate all the same, which refuses it. */
export function callTool(call: MethodCall, parts: MethodParts): Promise<JsonObject> {
  const { params, client } = call;
  const { name, arguments: input = {} } = params;
  if (typeof name !== 'string' || name === '') throw invalid('the name of a tool is missing');
  if (!isObject(input)) throw invalid('the arguments of a tool must be an object');
  const tool = toolOf(name, client, parts);
  if (tool === WAIT_TOOL) return waitForApproval(call, input, parts);
  return patiently(call, parts, ({ onAsked, onProgress }) =>
    parts.calls.call({
      door: 'mcp',
      actor: actorOf(client.session.owner),
      tool,
      input,
      signal: call.exchange.signal,
      onAsked,
      ...(onProgress === undefined ? {} : { onProgress }),
      extras: { peer: client.peer, context: call.exchange, ...metaOf(params) },
    }),
  );
}

function toolOf(name: string, { session }: Client, { servers, calls }: MethodParts): string {
  const { server, plainNames: plain } = session.options;
  // A name that rules cannot say stays a name of that server, which no router knows.
  if (server !== undefined) return servers.nameOf(server, name) ?? `mcp:${server}/${name}`;
  const rule = ruleName(name);
  if (!plain || rule !== name) return rule;
  return plainNames(calls.visible(actorOf(session.owner))).get(name) ?? name;
}

/** What else the client said with its call; where it wants to hear of progress is between it and us. */
function metaOf({ _meta: meta }: JsonObject): { readonly meta?: JsonObject } {
  if (!isObject(meta)) return {};
  const { progressToken: _token, ...rest } = meta;
  return Object.keys(rest).length === 0 ? {} : { meta: rest };
}

/** What a call is handed to reach its client. */
interface Reach {
  readonly onAsked: (approval: string) => void;
  readonly onProgress: ((progress: JsonObject) => void) | undefined;
}

/**
 * Runs a call. While people decide the client hears that somebody is there; one that cannot wait is answered with the
 * approval, and the call goes on without it.
 */
function patiently(
  { client, params, exchange }: MethodCall,
  { parked, patienceMs }: MethodParts,
  start: (reach: Reach) => Promise<ToolOutcome>,
): Promise<JsonObject> {
  const { session } = client;
  const token = progressTokenOf(params);
  let wait: Wait | undefined;
  return new Promise<JsonObject>((resolve, reject) => {
    const outcome = start({
      onAsked: (approval) => {
        wait = new Wait({ session, exchange, token, patienceMs: patienceMs() }, approval, () => {
          const call = { outcome, abort: () => exchange.drop() };
          // One that finds no room waits on: its client may give up.
          if (!parked.park(session.owner.id, approval, call)) return;
          wait?.end();
          resolve(pendingResult(approval));
        });
      },
      onProgress:
        token === undefined
          ? undefined
          : (told) => session.notify('notifications/progress', grown(told, token, wait), exchange),
    });
    outcome
      .then((ended) => {
        wait?.end();
        resolve(callResult(ended));
      })
      .catch(reject);
  });
}

function grown(told: JsonObject, progressToken: string | number, wait: Wait | undefined): JsonObject {
  const { progress } = told;
  const more =
    wait !== undefined && typeof progress === 'number' ? { progress: progress + wait.progress } : {};
  return { ...told, ...more, progressToken };
}

function invalid(message: string): RpcProblem {
  return new RpcProblem(RPC.invalidParams, message);
}
