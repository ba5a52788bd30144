import { z } from 'zod';
import { durationSchema } from './values.ts';

export const LogSchema = z
  .strictObject({
    level: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      .default('info')
      .describe('least level that is logged'),
  })
  .describe("the gateway's own log, on standard error");

export const StoreSchema = z
  .strictObject({
    url: z
      .string()
      .regex(/^postgres(?:ql)?:\/\/[^\s]+$/, 'expected `postgres://user@host:port/database`')
      .optional()
      .describe('Postgres to keep state in, best read from a variable; without it SQLite in the home'),
  })
  .describe('where the gateway keeps its state');

export const SessionsSchema = z
  .strictObject({
    ttl: durationSchema.default('1h').describe('life of a session token; it can be renewed'),
    max_live: z.int().min(1).max(10_000).default(50).describe('live sessions that a tenant may have at once'),
  })
  .describe('sessions of agents');

const McpSchema = z
  .strictObject({
    wait: durationSchema
      .default('50s')
      .describe(
        'how long a call waits for people before a client that asks for no progress is answered with an `approval_id`',
      ),
    oauth: z
      .boolean()
      .default(true)
      .describe(
        'whether a client that knows the address alone may ask for a session (OAuth); a person says yes or no each time',
      ),
  })
  .describe('the MCP door');

/** Key of the top level. */
export const mcpShape = { mcp: McpSchema.prefault({}) };

const SnapshotSchema = z
  .strictObject({
    keep_runs: z
      .int()
      .min(0)
      .max(1_000)
      .default(20)
      .describe('runs of a workspace whose snapshots are kept; 0: none are taken, and nothing can be undone'),
    keep_days: z.int().min(1).max(3_650).default(7).describe('days that the snapshots of a run are kept'),
    every: durationSchema
      .default('10m')
      .describe('while an agent works, how often what changed is held besides'),
    max_file: z
      .int()
      .min(0)
      .default(1_048_576)
      .describe('bytes of the largest file that is held although git ignores it'),
    max_files: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(300_000)
      .describe('files and folders of the largest workspace that is held'),
    max_bytes: z
      .int()
      .min(1)
      .default(4_294_967_296)
      .describe('new bytes that one snapshot may hold; a single file that is larger is left out'),
  })
  .describe('snapshots of workspaces, for `sallyport undo`');

const WorkspaceSchema = z
  .strictObject({ snapshot: SnapshotSchema.prefault({}) })
  .describe('the folders that agents work in');

/** Key of the top level. */
export const workspaceShape = { workspace: WorkspaceSchema.prefault({}) };
export type SnapshotConfig = z.infer<typeof SnapshotSchema>;
