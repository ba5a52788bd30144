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

export interface SealTables {
  seal_workloads: SealWorkloadsTable;
}

/** A worker that we let start: what it is, from before it could say anything. Times are ms since epoch. */
export interface SealWorkloadsTable {
  id: string;
  tenant: string;
  session: string;
  agent: string;
  execution: string;
  /** name of the agent's security context when it was made; empty: it has none */
  scope: string;
  secret_hash: string;
  created_at: number;
  /** of the secret */
  expires_at: number;
  /** set by the one attestation with the secret, base64url */
  public_key: string | null;
  ended_at: number | null;
}
