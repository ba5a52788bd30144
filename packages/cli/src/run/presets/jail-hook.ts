import type { StartedRun } from '@sallyport/protocol';

/** Our MCP endpoint as a jail reaches it: whoever connects is its session. Models take plain names only. */
export function mcpUrl({ ports }: Pick<StartedRun, 'ports'>): string {
  return `http://127.0.0.1:${ports.api}/mcp?names=plain`;
}
