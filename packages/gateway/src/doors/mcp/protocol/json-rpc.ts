import type { JsonObject, SallyportError } from '@sallyport/protocol';
import { isObject, RPC, type RpcError, type RpcId, rpcError } from '../../../shared/json-rpc.ts';

/** That what came cannot be read, and why. */
export function unreadable({ code, message }: SallyportError): RpcError {
  return rpcError(RPC.parse, message, { code });
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

/** Reads one message. Throws `RpcError` for whatever is none; lists of messages are not taken. */
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

function isId(value: unknown): value is RpcId {
  return (typeof value === 'string' && value.length <= ID_AT_MOST) || Number.isSafeInteger(value);
}

function invalid(message: string): RpcError {
  return rpcError(RPC.invalidRequest, message);
}

/** The answer to a request, as text. */
export function resultText(id: RpcId, result: JsonObject): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(result)}}`;
}

/** `id` is null when nobody knows what was asked. */
export function errorText(id: RpcId | null, { code, message, data }: RpcError): string {
  const error = data === undefined ? { code, message } : { code, message, data };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

export function notificationText(method: string, params: JsonObject | undefined): string {
  return JSON.stringify(
    params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params },
  );
}
