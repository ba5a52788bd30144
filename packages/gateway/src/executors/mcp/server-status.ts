/**
 * `Running`: takes calls. `Starting`, `Restarting`: not yet, soon. `Failed`: could not be started several times in a row; is
 * tried again now and then. `Quarantined`: it runs, and none of what it offers is accepted. `Stopped`: on purpose.
 */
export type ServerStatus = 'Starting' | 'Running' | 'Restarting' | 'Quarantined' | 'Stopped' | 'Failed';

/** A server as people see it. */
export interface ServerState {
  readonly name: string;
  readonly status: ServerStatus;
  readonly transport: 'stdio' | 'http';
  /** names by which policies call its accepted tools */
  readonly tools: readonly string[];
  /** definitions that wait for a person */
  readonly pending: number;
  readonly restarts: number;
  /** connections of clients */
  readonly clients: number;
  readonly pid: number | undefined;
  /** why it ended the last time */
  readonly lastError: string | undefined;
}
