import { z } from 'zod';
import { TimestampSchema } from './common.ts';

const STATUSES = ['Starting', 'Running', 'Restarting', 'Quarantined', 'Stopped', 'Failed'] as const;

/** An MCP server of the config, as the operator sees it. */
export const McpServerSchema = z.strictObject({
  name: z.string(),
  status: z.enum(STATUSES),
  transport: z.enum(['stdio', 'http']),
  tools: z.array(z.string()).describe('accepted tools, by the names that rules use'),
  pending: z.int().describe('definitions that have changed and wait for a person'),
  restarts: z.int(),
  clients: z.int().describe('MCP clients that have a connection to it'),
  pid: z.int().nullable(),
  last_error: z.string().nullable().describe('why it ended the last time'),
  reads: z.strictObject({
    tools: z.array(z.string()).describe('accepted tools that are judged as reads, by its own names'),
    offered: z
      .strictObject({
        preset: z.string(),
        entry: z
          .string()
          .describe('what `reads` of the config must have for it to hold, for these definitions alone'),
        tools: z.array(z.string()),
        left_out: z.array(z.strictObject({ tool: z.string(), why: z.string() })),
      })
      .nullable()
      .describe(
        'a preset for a server that calls itself so; it holds for nothing unless the config has its entry',
      ),
    outdated: z.array(z.string()).describe('presets of the config whose definitions are others by now'),
  }),
});
export type McpServerWire = z.infer<typeof McpServerSchema>;

const DefinitionSchema = z.record(z.string(), z.json());

/** A definition that is neither shown nor callable until a person accepts it. */
export const McpChangeSchema = z.strictObject({
  server: z.string(),
  kind: z.enum(['tool', 'instructions']),
  name: z.string().describe('of the tool; empty for the instructions'),
  hash: z.string().describe('names exactly this definition when it is accepted'),
  at: TimestampSchema,
  before: DefinitionSchema.nullable().describe('what was accepted; null: nothing was'),
  after: DefinitionSchema.describe('what the server says now'),
});
export type McpChange = z.infer<typeof McpChangeSchema>;

/** `POST /v1/mcp-servers/:name/accept` */
export const McpAcceptanceSchema = z.strictObject({
  changes: z
    .array(
      z.strictObject({
        kind: z.enum(['tool', 'instructions']),
        name: z.string().max(128),
        hash: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .min(1)
    .max(2_000),
});
