export interface McpTables {
  mcp_pins: McpPinsTable;
}

/** One definition of an MCP server: as a person accepted it, and as the server gives it now if that differs. */
export interface McpPinsTable {
  server: string;
  /** tool | instructions */
  kind: string;
  /** of the tool; empty for the instructions */
  name: string;
  /** sha-256 of `accepted`; null when nobody has accepted any */
  accepted_hash: string | null;
  /** RFC 8785 JSON of the definition */
  accepted: string | null;
  /** ms since epoch */
  accepted_at: number | null;
  accepted_by: string | null;
  /** the same of what waits for a person; null when nothing does */
  pending_hash: string | null;
  pending: string | null;
  pending_at: number | null;
}
