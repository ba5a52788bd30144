import type { HookAnswer, JsonObject } from '@sallyport/protocol';
import { clientAnswer } from './client-answer.ts';

/** One message of a client that asks by itself what its hook was told: MCP, as much of it as that takes. */
export type WitnessMessage =
  | { readonly kind: 'call'; readonly id: RpcId; readonly event: JsonObject; readonly withinMs: number }
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification' }
  | { readonly kind: 'none' };

type RpcId = string | number;

const TOOL = 'told';
const LONGEST_WITHIN_SECONDS = 120;
const WITHIN_SECONDS = 20;

/** What a client said. A call of anything but our tool is a request that nobody knows. */
export function readWitnessMessage(body: unknown): WitnessMessage {
  if (!isObject(body) || body.jsonrpc !== '2.0' || typeof body.method !== 'string') return { kind: 'none' };
  const { id, method, params = {} } = body;
  if (id === undefined) return { kind: 'notification' };
  if ((typeof id !== 'string' && typeof id !== 'number') || !isObject(params)) return { kind: 'none' };
  const { name, arguments: event } = params;
  if (method !== 'tools/call' || name !== TOOL || !isObject(event))
    return { kind: 'request', id, method, params };
  // A text: that is what the client's record of reviewed hooks takes.
  const seconds = Number(event.within_seconds);
  const isTime = seconds >= 1 && seconds <= LONGEST_WITHIN_SECONDS;
  return { kind: 'call', id, event, withinMs: (isTime ? seconds : WITHIN_SECONDS) * 1000 };
}

export const UNREAD: JsonObject = {
  ...{ jsonrpc: '2.0', id: null },
  error: { code: -32_600, message: 'this is not a JSON-RPC 2.0 message' },
};

/** The answer to everything but a call. No tool is listed: the hook knows its name, and no model is to see it. */
export function answerRequest(
  { id, method, params }: Extract<WitnessMessage, { readonly kind: 'request' }>,
  version: string,
): JsonObject {
  const answer = (result: JsonObject): JsonObject => ({ jsonrpc: '2.0', id, result });
  switch (method) {
    case 'initialize':
      return answer({
        protocolVersion: typeof params.protocolVersion === 'string' ? params.protocolVersion : OLDEST,
        capabilities: { tools: {} },
        serverInfo: { name: 'sallyport-hook', version },
      });
    case 'tools/list':
      return answer({ tools: [] });
    case 'ping':
      return answer({});
    // open: any method
    default:
      return {
        jsonrpc: '2.0',
        id,
        error: { code: -32_601, message: `there is no \`${method.slice(0, 64)}\`` },
      };
  }
}

const OLDEST = '2025-03-26';

/** What the hook was told, as Codex (0.166.0) reads it; without an answer it is a no [TO-8]. */
export function answerCall(id: RpcId, told: HookAnswer | undefined): JsonObject {
  const output = told === undefined || told.decision === 'deny' ? no(told?.reason) : withoutNote(told.output);
  const content = output === null ? [] : [{ type: 'text', text: JSON.stringify(output) }];
  return { jsonrpc: '2.0', id, result: { content } };
}

function no(reason: string = SILENT): HookAnswer['output'] {
  return clientAnswer('codex', 'PreToolUse', { decision: 'deny', reason });
}

const SILENT =
  'sallyport: the hook did not ask about this call, so the tool may not run. What now: it was killed or could not ' +
  'start; try again, and tell your person if it stays so';

/** What a person wrote is for the model once, and the hook brings it. */
function withoutNote(output: HookAnswer['output']): HookAnswer['output'] {
  const said = output?.hookSpecificOutput;
  if (!isObject(said)) return output;
  const { additionalContext: _note, ...rest } = said;
  return rest.permissionDecision === undefined ? null : { ...output, hookSpecificOutput: rest };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
