import { SallyportError } from '@sallyport/protocol';
import { RPC, RpcError, rpcError } from '../../../shared/json-rpc.ts';
import type { McpCall, McpDoorParts } from './door-parts.ts';
import { errorText } from './json-rpc.ts';

/** Whether the client takes answers of this type. */
export function takes({ accept }: McpCall, type: string): boolean {
  return accept === '' || accept.includes(type) || accept.includes('*/*');
}

/** What the client is told of a failure. SECURITY: what is not ours may hold anything, so nothing of it is told. */
export function problemOf(error: unknown, onProblem: McpDoorParts['onProblem']): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof SallyportError) {
    const { code, message, hint } = error;
    return rpcError(RPC.internal, message, { code, ...(hint === undefined ? {} : { hint }) });
  }
  if (!(error instanceof Error && error.name === 'AbortError'))
    onProblem(error, 'an MCP request failed inside');
  return rpcError(RPC.internal, 'something went wrong inside the gateway');
}

export function refuse(
  call: McpCall,
  status: number,
  problem: RpcError,
  /** of the request; null when nobody knows it */
  id: string | number | null = null,
): void {
  sendJson(call, status, errorText(id, problem));
}

export function sendJson(
  { response, headers }: McpCall,
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    ...headers,
    ...more,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
