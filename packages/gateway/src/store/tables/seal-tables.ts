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
