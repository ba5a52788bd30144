import type { JsonObject } from '@sallyport/protocol';
import { RPC, type RpcErrorBody, type RpcId } from '../../shared/json-rpc.ts';

export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly method: string;
  readonly params?: JsonObject;
}

export interface RpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: JsonObject;
}

export type RpcAnswer =
  | { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly result: JsonObject }
  | { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly error: RpcErrorBody };

export type RpcMessage = RpcRequest | RpcNotification | RpcAnswer;

/** Why a wire closed, when the other end did not just go. */
export type WireFault = 'flood' | 'too-large';

/** What is told about one wire. Nothing more comes after `onClose`. */
export interface WireListener {
  /** parsed, otherwise as it came: nothing about its shape is checked */
  onMessage(message: unknown): void;
  onClose(end: { readonly fault?: WireFault; readonly reason: string }): void;
}

export interface SendOptions {
  /** aborts the exchange that carries this request, where each has one of its own */
  readonly signal?: AbortSignal | undefined;
  /** nobody else waits for an answer: it need not wait for company */
  readonly isAlone?: boolean;
  /** the exchange of this request is over, and no answer came */
  readonly onLost?: (reason: string) => void;
}

/** Carries JSON-RPC messages to one server and back, and bounds what it takes in. */
export interface Wire {
  /** pid of the process at the other end, where there is one */
  readonly pid?: number | undefined;
  open(listener: WireListener): Promise<void>;
  /** Throws or rejects when it cannot be sent. */
  send(message: RpcMessage, options?: SendOptions): Promise<void> | void;
  /** Which version the header of each request names, where there are headers. */
  setProtocolVersion?(version: string): void;
  /** Ends it, and everything that was started for it; without waiting for it when `at-once`. May be called twice. */
  close(how?: 'at-once'): Promise<void>;
}

/**
 * What stands in the place of a message that is nested too deeply to be walked: an error for whoever waits for it;
 * undefined when nobody does.
 */
export function insteadOfDeep(message: unknown): RpcAnswer | undefined {
  if (typeof message !== 'object' || message === null || !('id' in message) || 'method' in message)
    return undefined;
  const { id } = message;
  if (typeof id !== 'number' && typeof id !== 'string') return undefined;
  return { jsonrpc: '2.0', id, error: { code: RPC.internal, message: 'the answer is nested too deeply' } };
}
