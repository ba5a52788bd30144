export { rebuiltFolder } from './ignore/rebuilt-folders.ts';
export type { Held, HeldBefore } from './live-runs.ts';
export type { Destruction, SessionHolds, WorkspaceSession } from './session-holds.ts';
export { Snapshots } from './snapshots.ts';
