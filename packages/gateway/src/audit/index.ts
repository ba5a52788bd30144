export { type Anchor, FileAnchor, WebhookAnchor } from './anchor/anchor.ts';
export type { AuditTrail, HeldNote } from './audit-trail.ts';
export type { Checkpoint } from './chain/checkpoint.ts';
export { loadSigningKey, type SigningKey } from './chain/signing-key.ts';
export { BodyTee } from './detail/body-tee.ts';
export type { FeedLine } from './feed/feed.ts';
export type { EventPage, EventQuery, StoredEvent } from './read/event-query.ts';
export {
  createLogger,
  type Logger,
  type LoggerOptions,
  type LogLevel,
} from './redaction/logger.ts';
export { Redactor } from './redaction/redactor.ts';
export { environmentSecrets } from './redaction/sensitive-keys.ts';
export type { AuditSink } from './sinks/audit-sink.ts';
export { JsonlSink, type JsonlSinkOptions } from './sinks/jsonl-sink.ts';
export { OtlpSink, type OtlpSinkOptions } from './sinks/otlp-sink.ts';
export type { SinkHealth } from './sinks/sink-feeder.ts';
export { SINKS, StdoutSink, sinkDefinition } from './sinks/sinks.ts';
export { WebhookSink, type WebhookSinkOptions } from './sinks/webhook-sink.ts';
export { openTrail, type Trail } from './trail.ts';
export type { SubscribeOptions, TrailHealth, TrailOptions, TrailSettings } from './trail-options.ts';
export type { BadEvent, TenantReport, TrailReport } from './verify/trail-report.ts';
export { type AnchorRecord, readAnchorFile } from './verify/verify-anchors.ts';
export { verifyHome, verifyReport } from './verify/verify-report.ts';
export { type VerifyOptions, verifyTrail } from './verify/verify-trail.ts';
export type { QueueLimits } from './writer/group-committer.ts';
