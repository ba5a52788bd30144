import type { Json, JsonObject } from '@sallyport/protocol';

export type RpcId = string | number;

/** Codes of JSON-RPC 2.0, and those that MCP adds. */
export const RPC = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  sessionNotFound: -32_001,
  resourceNotFound: -32_002,
} as const;

/** A problem that goes to the client as a JSON-RPC error. */
export class RpcProblem extends Error {
  override readonly name = 'RpcProblem';
  readonly code: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** One message of a client. */
export type ClientMessage =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | {
      readonly kind: 'answer';
      readonly id: RpcId;
      readonly result?: JsonObject;
      readonly error?: JsonObject;
    };

const NO_PARAMS: JsonObject = Object.freeze({});
const METHOD_AT_MOST = 128;
const ID_AT_MOST = 256;

/** Reads one message. Throws `RpcProblem` for whatever is none; lists of messages are not taken. */
export function readMessage(body: unknown): ClientMessage {
  if (!isObject(body) || body.jsonrpc !== '2.0') throw invalid('this is not a JSON-RPC 2.0 message');
  const { id, method, params, result, error } = body;
  if (id !== undefined && !isId(id)) throw invalid('the id must be a text or a whole number');
  if (method === undefined) {
    if (id === undefined || (result === undefined) === (error === undefined)) {
      throw invalid('a message is a request, a notification, or an answer with a result or an error');
    }
    if (isObject(result)) return { kind: 'answer', id, result };
    if (isObject(error)) return { kind: 'answer', id, error };
    throw invalid('a result or an error must be an object');
  }
  if (typeof method !== 'string' || method.length > METHOD_AT_MOST)
    throw invalid('the method must be a name');
  if (params !== undefined && !isObject(params)) throw invalid('the params must be an object');
  const given = params ?? NO_PARAMS;
  return id === undefined
    ? { kind: 'notification', method, params: given }
    : { kind: 'request', id, method, params: given };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is RpcId {
  return (typeof value === 'string' && value.length <= ID_AT_MOST) || Number.isSafeInteger(value);
}

function invalid(message: string): RpcProblem {
  return new RpcProblem(RPC.invalidRequest, message);
}

/** The answer to a request, as text. */
export function resultText(id: RpcId, result: JsonObject): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(result)}}`;
}

/** `id` is null when nobody knows what was asked. */
export function errorText(id: RpcId | null, { code, message, data }: RpcProblem): string {
  const error = data === undefined ? { code, message } : { code, message, data };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

export function notificationText(method: string, params: JsonObject | undefined): string {
  return JSON.stringify(
    params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params },
  );
}
