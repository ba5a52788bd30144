export interface AuditTables {
  events: EventsTable;
  checkpoints: CheckpointsTable;
}

/** One chain for each tenant. `json` holds the exact bytes that `hash` covers. */
export interface EventsTable {
  tenant: string;
  seq: number;
  id: string;
  /** ms since epoch, for searching; the event's own `at` is in `json` */
  at: number;
  type: string;
  action_id: string | null;
  approval_id: string | null;
  json: string;
  /** `hash` of the event before; 64 zeros for the first */
  prev: string;
  /** sha256(prev ‖ json), hex */
  hash: string;
}

/** The gateway's signature under the chain as it stood at `seq`. */
export interface CheckpointsTable {
  tenant: string;
  seq: number;
  hash: string;
  at: number;
  key_id: string;
  /** Ed25519 over the RFC 8785 JSON of {tenant, seq, hash, at}, base64 */
  signature: string;
}
