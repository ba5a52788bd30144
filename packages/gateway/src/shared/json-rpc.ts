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

export interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

/** An error of JSON-RPC: what a server or a client answered with, passed on as it is, or what one of them is told. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: Json | undefined;

  constructor({ code, message, data }: RpcErrorBody) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A problem that the other end is told. */
export function rpcError(code: number, message: string, data?: Json): RpcError {
  return new RpcError({ code, message, ...(data === undefined ? {} : { data }) });
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
