import { z } from 'zod';
import { groundSecretReferenceSchema, httpUrlSchema } from './values.ts';

const pathSchema = z.string().min(1).max(1_024);

const JsonlSinkSchema = z
  .strictObject({
    kind: z.literal('jsonl').describe('files in `audit/` of the home, one line an event'),
    max_bytes: z
      .int()
      .min(4_096)
      .max(10_737_418_240)
      .default(104_857_600)
      .describe('size in bytes at which a file is closed and the next begun'),
  })
  .describe('events as JSON lines in rotated files, the same bytes as in the database');

const StdoutSinkSchema = z
  .strictObject({ kind: z.literal('stdout').describe('standard output, one line an event') })
  .describe('events as JSON lines on standard output');

const WebhookSinkSchema = z
  .strictObject({
    kind: z.literal('webhook').describe('HTTP POST, retried with backoff'),
    url: httpUrlSchema.describe('where events are posted'),
    secret: groundSecretReferenceSchema
      .optional()
      .describe('source of the key that signs each post (HMAC-SHA-256)'),
  })
  .describe('events posted to a URL');

const OtelSinkSchema = z
  .strictObject({
    kind: z.literal('otel').describe('OpenTelemetry logs over OTLP/HTTP'),
    endpoint: httpUrlSchema.describe('the collector, for example `http://127.0.0.1:4318/v1/logs`'),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'not a header name'), groundSecretReferenceSchema)
      .default({})
      .describe('headers by name; each value is the source of a secret, for example `env:OTEL_TOKEN`'),
  })
  .describe('events as OpenTelemetry log records');

export const AuditSinkSchema = z.discriminatedUnion('kind', [
  JsonlSinkSchema,
  StdoutSinkSchema,
  WebhookSinkSchema,
  OtelSinkSchema,
]);

export type AuditSinkConfig = z.infer<typeof AuditSinkSchema>;
export type AuditSinkKind = AuditSinkConfig['kind'];
/** What the config says about a sink of one kind. */
export type AuditSinkOptions<Kind extends AuditSinkKind> = Extract<AuditSinkConfig, { kind: Kind }>;

/** Where a sink of each kind writes: two of the same place would write every event there twice. */
const PLACES: { readonly [Kind in AuditSinkKind]: (sink: AuditSinkOptions<Kind>) => string } = {
  jsonl: () => '',
  stdout: () => '',
  webhook: ({ url }) => url,
  otel: ({ endpoint }) => endpoint,
};

export function placeOfSink<Kind extends AuditSinkKind>(sink: AuditSinkOptions<Kind>): string {
  // The table has for each kind a function of its settings; the compiler sees only the union of both.
  const placeOf = PLACES[sink.kind] as (sink: AuditSinkConfig) => string;
  return `${sink.kind} ${placeOf(sink)}`;
}

const AnchorSchema = z
  .strictObject({
    webhook: httpUrlSchema.optional().describe('URL that each signed checkpoint is posted to'),
    file: pathSchema
      .optional()
      .describe(
        'file that each signed checkpoint is appended to; relative to the home, best on another disk',
      ),
  })
  .refine(({ webhook, file }) => (webhook === undefined) !== (file === undefined), {
    message: 'name one place: `webhook` or `file`',
  })
  .describe('where signed checkpoints go, so that a rollback of this machine shows; one of the two');

const CheckpointSchema = z
  .strictObject({
    every_seconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(10)
      .describe('seconds after which one is signed at the latest'),
  })
  .describe('how often the trail is signed; after 1,000 events in any case');

export const AuditSchema = z
  .strictObject({
    level: z
      .enum(['metadata', 'request', 'full'])
      .default('metadata')
      .describe(
        '`metadata`: facts and verdicts; `request`: also requests and how they ended; `full`: also bodies, both ways; docs/audit.md shows each',
      ),
    anchor: AnchorSchema.optional(),
    sinks: z.array(AuditSinkSchema).max(16).default([]).describe('where events go besides the database'),
    checkpoint: CheckpointSchema.prefault({}),
  })
  .describe('the trail of what happened');
