import { z } from 'zod';
import { TimestampSchema } from './common.ts';

/** One state of a workspace that is held. */
export const SnapshotSchema = z.strictObject({
  id: z.string(),
  kind: z
    .enum(['start', 'timed', 'before', 'end'])
    .describe('when it was taken; before: before a command that destroys'),
  at: TimestampSchema,
  files: z.int(),
  bytes: z.int(),
  left_out: z.int().describe('paths that are not in it'),
});
export type SnapshotWire = z.infer<typeof SnapshotSchema>;

/** What happened in a workspace between two of its states. */
export const WorkspaceRunSchema = z.strictObject({
  id: z.string().describe('session of an agent, or an undo'),
  kind: z.enum(['run', 'hook', 'undo']),
  agent: z.string().describe('the agent; for an undo the run that it took back'),
  started_at: TimestampSchema,
  ended_at: TimestampSchema.nullable().describe('null: it is still running, or nobody saw its end'),
  snapshots: z.array(SnapshotSchema),
});
export type WorkspaceRun = z.infer<typeof WorkspaceRunSchema>;

/** `GET /v1/snapshots` */
export const SnapshotQuerySchema = z.strictObject({
  workspace: z.string().min(1).max(4_096).describe('absolute; one of its folders will do'),
});
export const SnapshotListSchema = z.strictObject({
  workspace: z.string(),
  runs: z.array(WorkspaceRunSchema).describe('oldest first'),
});
export type SnapshotList = z.infer<typeof SnapshotListSchema>;

const WasAndNowSchema = z.strictObject({ was: z.string().nullable(), now: z.string().nullable() });

/** What became of a repository: `was` is the earlier state. */
export const GitChangeSchema = z.strictObject({
  folder: z.string().describe("git's own folder"),
  commits: z.int().describe('commits since, as its own log has them'),
  head: WasAndNowSchema,
  refs: z
    .array(WasAndNowSchema.extend({ name: z.string() }))
    .describe('branches, tags and others that moved'),
  stashed: z.strictObject({ was: z.int(), now: z.int() }),
});
export type GitChangeWire = z.infer<typeof GitChangeSchema>;

const PathCountsSchema = z.strictObject({
  added: z.int(),
  removed: z.int(),
  changed: z.int().describe('content, mode, owner or kind'),
});

/** What a run did to its workspace. */
export const RunChangesSchema = z.strictObject({
  files: PathCountsSchema,
  lines: z.strictObject({
    added: z.int(),
    removed: z.int(),
    uncounted: z.int().describe('files that are no text, or too large to be compared'),
  }),
  git: z.array(GitChangeSchema),
  left_out: z.int().describe('paths that no snapshot holds'),
});
export type RunChanges = z.infer<typeof RunChangesSchema>;

/** `POST /v1/undo/plan`, and, with the digest of what was shown, `POST /v1/undo`. */
export const UndoRequestSchema = z.strictObject({
  workspace: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe('absolute; one of its folders will do; needed unless `run` is given'),
  run: z.string().max(64).optional().describe('the last one of the workspace unless given'),
  to: z.string().max(64).optional().describe('snapshot to go back to; the first one of the run unless given'),
  paths: z
    .array(z.string().min(1).max(4_096))
    .max(1_000)
    .optional()
    .describe('absolute; everything unless given'),
  force: z.boolean().default(false).describe('also what changed after the run'),
  diff: z.boolean().default(false).describe('with the lines that would go and come'),
});
export type UndoRequestWire = z.input<typeof UndoRequestSchema>;
export type UndoQuestion = z.infer<typeof UndoRequestSchema>;

export const KEPT_REASONS = ['yours', 'unsure', 'not-held', 'new-not-held', 'in-the-way'] as const;

/** What an undo would do. Lists are cut; the counts are of all. */
export const UndoPlanSchema = z.strictObject({
  workspace: z.string(),
  run: WorkspaceRunSchema.omit({ snapshots: true }),
  snapshot: SnapshotSchema,
  counts: PathCountsSchema.describe('added: brought back; removed: new since then'),
  changes: z.array(
    z.strictObject({
      path: z.string().describe('bytes that are no UTF-8 as `\\xNN`'),
      change: z.enum(['added', 'removed', 'changed', 'rights', 'kind']),
    }),
  ),
  git: z.array(GitChangeSchema).describe('repositories that are put back'),
  kept: z.array(z.strictObject({ path: z.string(), why: z.enum(KEPT_REASONS) })),
  kept_count: z.int(),
  left_out: z.array(z.strictObject({ path: z.string(), why: z.string() })).describe('not in the snapshot'),
  left_out_count: z.int(),
  others: z.array(z.string()).describe('other runs that worked here at the same time: their work goes too'),
  git_elsewhere: z.array(z.string()).describe('work trees whose repository is outside, and not held'),
  diff: z.array(z.string()).nullable(),
  digest: z.string().describe('of exactly this: what is undone is what was shown'),
});
export type UndoPlanWire = z.infer<typeof UndoPlanSchema>;

export const UndoOrderSchema = UndoRequestSchema.omit({ diff: true }).extend({ digest: z.string() });
export type UndoOrder = z.infer<typeof UndoOrderSchema>;

/** What an undo did. */
export const UndoResultSchema = z.strictObject({
  id: z.string().describe('`undo_…`: what takes it back'),
  done: z.boolean().describe('false: it could not be finished, and everything is as it was before'),
  problem: z.string().nullable(),
  counts: PathCountsSchema,
  meanwhile: z.array(z.string()).describe('changed by somebody while it ran, and left to them'),
});
export type UndoResult = z.infer<typeof UndoResultSchema>;

export const PrunedSchema = z.strictObject({ removed: z.int().describe('snapshots'), bytes: z.int() });
