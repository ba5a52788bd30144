import { ACCESS, type JsonObject } from '@sallyport/protocol';
import {
  actorOf,
  type CallRefusal,
  plainNames,
  refusalText,
  ruleName,
  type ToolOutcome,
  WAIT_TOOL,
} from '../../../calls/index.ts';
import { isObject, RPC, type RpcError, rpcError } from '../../../shared/json-rpc.ts';
import type { MethodCall, MethodParts } from './door-parts.ts';
import type { McpClient } from './mcp-client.ts';
import { progressTokenOf, Wait } from './patience.ts';

/** `tools/call`. A tool that may not be seen goes to the gate all the same, which refuses it. */
export function callTool(call: MethodCall, parts: MethodParts): Promise<JsonObject> {
  const { params, client } = call;
  const { name, arguments: input = {} } = params;
  if (typeof name !== 'string' || name === '') throw invalid('the name of a tool is missing');
  if (!isObject(input)) throw invalid('the arguments of a tool must be an object');
  const tool = toolOf(name, client, parts);
  if (tool === WAIT_TOOL) return waitForApproval(call, input, parts);
  if (tool === ACCESS.tool)
    return patiently(call, parts, ({ onAsked }) =>
      parts.access.call({ door: 'mcp', session: client.owner, input, signal: call.exchange.signal, onAsked }),
    );
  return patiently(call, parts, ({ onAsked, onProgress }) =>
    parts.calls.call({
      door: 'mcp',
      actor: actorOf(client.owner),
      tool,
      input,
      signal: call.exchange.signal,
      onAsked,
      ...(onProgress === undefined ? {} : { onProgress }),
      extras: { peer: client, context: call.exchange, ...metaOf(params) },
    }),
  );
}

function toolOf(name: string, client: McpClient, { servers, calls }: MethodParts): string {
  const { server, plainNames: plain } = client.options;
  // A name that rules cannot say stays a name of that server, which no router knows.
  if (server !== undefined) return servers.nameOf(server, name) ?? `mcp:${server}/${name}`;
  const rule = ruleName(name);
  if (!plain || rule !== name) return rule;
  return plainNames(calls.visible(actorOf(client.owner))).get(name) ?? name;
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
  const token = progressTokenOf(params);
  let wait: Wait | undefined;
  return new Promise<JsonObject>((resolve, reject) => {
    const outcome = start({
      onAsked: (approval) => {
        wait = new Wait({ client, exchange, token, patienceMs: patienceMs() }, approval, () => {
          const call = { outcome, abort: () => exchange.drop() };
          // One that finds no room waits on: its client may give up.
          if (!parked.park(client.owner.id, approval, call)) return;
          wait?.end();
          resolve(pendingResult(approval));
        });
      },
      onProgress:
        token === undefined
          ? undefined
          : (told) => client.notify('notifications/progress', grown(told, token, wait), exchange),
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

function invalid(message: string): RpcError {
  return rpcError(RPC.invalidParams, message);
}

/** Fetches what came of a parked call. Runs nothing and decides nothing: the call itself passed the gate. */
function waitForApproval(
  { client, params, exchange }: MethodCall,
  { approval_id: approval }: JsonObject,
  { parked, patienceMs }: MethodParts,
): Promise<JsonObject> {
  const owner = client.owner.id;
  const call = typeof approval === 'string' ? parked.find(owner, approval) : undefined;
  if (call === undefined || typeof approval !== 'string') return Promise.resolve(unknownApproval());
  const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
  const token = progressTokenOf(params);
  const wait = new Wait({ client, exchange, token, patienceMs: patienceMs() }, approval, () => {
    wait.end();
    resolve(pendingResult(approval));
  });
  call.outcome
    .then((outcome: ToolOutcome) => {
      // The answer to a client that left in the meantime is kept for when it asks again.
      if (!exchange.isOver) parked.take(owner, approval);
      resolve(callResult(outcome));
    })
    .catch(reject)
    .finally(() => wait.end());
  return promise;
}

function unknownApproval(): JsonObject {
  return {
    content: [
      {
        type: 'text',
        text: 'NotFound: no call of this session waits for that approval. Send the call itself again if it is still wanted.',
      },
    ],
    structuredContent: { code: 'NotFound' },
    isError: true,
  };
}

/** The result of `tools/call`. What a tool gave passes unchanged; a refusal is an error that a model can act on. */
function callResult(outcome: ToolOutcome): JsonObject {
  if (outcome.kind !== 'done') {
    // The server's own answer in its own protocol is the client's.
    if (outcome.kind === 'failed' && outcome.answered !== undefined) {
      const { code, message, data } = outcome.answered;
      throw rpcError(code, message, data);
    }
    return refusalResult(outcome.refusal);
  }
  const { result, note } = outcome;
  return note === undefined ? { ...result } : { ...result, content: [...result.content, noteBlock(note)] };
}

function noteBlock(note: string): JsonObject {
  return { type: 'text', text: `Note of the person who allowed this: ${note}` };
}

function refusalResult(refusal: CallRefusal): JsonObject {
  const { code, message, hint, layer, rule, actionId, approval } = refusal;
  return {
    content: [{ type: 'text', text: refusalText(refusal) }],
    structuredContent: {
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(layer === undefined ? {} : { layer }),
      ...(rule === undefined ? {} : { rule }),
      action_id: actionId,
      ...(approval === undefined ? {} : { approval_id: approval }),
    },
    isError: true,
  };
}

/** A refusal where there is no result to put it in: reading a resource, getting a prompt. */
export function refusalProblem(refusal: CallRefusal): RpcError {
  const { structuredContent } = refusalResult(refusal);
  return rpcError(RPC.internal, refusalText(refusal), structuredContent ?? null);
}

/** People are asked, and this client cannot wait for their answer: an error, so that no schema is expected of it. */
function pendingResult(approval: string): JsonObject {
  return {
    content: [
      {
        type: 'text',
        text:
          `ApprovalPending: a person has been asked and has not answered yet. Call \`wait_for_approval\` with ` +
          `{"approval_id":"${approval}"} to get the result of this call. Do not send the call again.`,
      },
    ],
    structuredContent: { code: 'ApprovalPending', approval_id: approval },
    isError: true,
  };
}
