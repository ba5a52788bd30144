/** Times are ms since epoch; secrets are stored as `sha256` hex, never as they are. */
export interface IdentityTables {
  meta: MetaTable;
  sessions: SessionsTable;
  api_keys: ApiKeysTable;
  enrollment_secrets: EnrollmentSecretsTable;
}

/** Facts about this home: gateway id, … */
export interface MetaTable {
  key: string;
  value: string;
}

export interface SessionsTable {
  id: string;
  tenant: string;
  user_name: string;
  agent: string;
  /** JSON array: agents from the first to this one */
  chain: string;
  confinement: string;
  token_hash: string;
  /** JSON array of credential names */
  credentials: string;
  /** JSON array of repositories that the workspace named when the session began; null: no workspace was named */
  repositories: string | null;
  /** the folder that the agent works in; null: none was named */
  workspace: string | null;
  created_at: number;
  expires_at: number;
  ended_at: number | null;
  end_reason: string | null;
}

export interface ApiKeysTable {
  id: string;
  tenant: string;
  /** first 12 hex digits of the key's hash */
  client_id: string;
  name: string;
  hash: string;
  created_at: number;
  revoked_at: number | null;
}

export interface EnrollmentSecretsTable {
  id: string;
  tenant: string;
  /** null: any agent of the tenant */
  agent: string | null;
  hash: string;
  created_at: number;
  revoked_at: number | null;
}
