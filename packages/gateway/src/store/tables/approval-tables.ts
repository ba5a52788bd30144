export interface ApprovalTables {
  approvals: ApprovalsTable;
  approval_messages: ApprovalMessagesTable;
  idempotency_keys: IdempotencyKeysTable;
}

/** One question to people. Times are ms since epoch. */
export interface ApprovalsTable {
  id: string;
  tenant: string;
  /** the gateway that asks: its restart cancels the blocked ones that it left */
  owner: string;
  /** pending | approved | denied | expired | cancelled */
  status: string;
  /** 0: ended, but not in the trail yet, so it counts for nobody */
  settled: number;
  /** 1: a caller waits on an open connection */
  blocked: number;
  client: string | null;
  /** the agent's session, whose end cancels it */
  session: string | null;
  fingerprint: string;
  binding: string;
  action_id: string;
  /** JSON: everything that was asked */
  question: string;
  created_at: number;
  /** null: waits without limit */
  expires_at: number | null;
  /** JSON array of the people who agreed so far */
  agreed: string;
  /** JSON */
  decision: string | null;
  decided_by: string | null;
  decided_via: string | null;
  decided_at: number | null;
  /** id of the grant that answered, or that the answer left behind */
  answered_by: string | null;
  cancel_reason: string | null;
  ended_at: number | null;
}

/** A message that a channel delivered, so that it can be edited after a restart too. */
export interface ApprovalMessagesTable {
  id: string;
  approval_id: string;
  tenant: string;
  channel: string;
  user_name: string;
  identity: string;
  /** JSON, known to the channel only */
  ref: string;
  /** the status that the message shows */
  shown: string;
  sent_at: number;
}

/** Requests that a client may repeat without asking twice. */
export interface IdempotencyKeysTable {
  tenant: string;
  client: string;
  key: string;
  request_hash: string;
  approval_id: string;
  created_at: number;
}

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
  /** JSON: what the gate calls a `GrantCover` */
  covers: string;
  /** yes | no */
  answer: string;
  /** once | session | minutes | always */
  scope: string;
  session: string | null;
  expires_at: number | null;
  created_at: number;
  created_by: string;
  approval_id: string | null;
  uses: number;
  /** it ends with this use; null: nobody counts */
  uses_at_most: number | null;
  /** set when a `once` grant was used up or when someone revoked it */
  ended_at: number | null;
  end_reason: string | null;
}
