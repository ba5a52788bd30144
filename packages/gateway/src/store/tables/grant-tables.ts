export interface GrantTables {
  grants: GrantsTable;
}

/** A standing answer that a person gave. Times are ms since epoch. */
export interface GrantsTable {
  id: string;
  tenant: string;
  /** exactly one of agent and client is set */
  agent: string | null;
  client: string | null;
  /** JSON: fingerprint | tool pattern | type + effect + target scope */
  covers: string;
  /** once | session | minutes | always */
  scope: string;
  session: string | null;
  expires_at: number | null;
  created_at: number;
  created_by: string;
  approval_id: string | null;
  uses: number;
  /** set when a `once` grant was used up or when someone revoked it */
  ended_at: number | null;
  end_reason: string | null;
}
